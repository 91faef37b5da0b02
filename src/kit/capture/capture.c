/* Starting the capture helper and reading its pipe. */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assets.h"
#include "capture_wire.h"
#include "die_with.h"
#include "file_open.h"
#include "memory.h"
#include "text.h"

enum { BUFFER_BYTES = 128 << 10, PIPE_BYTES = 1 << 20, SNAP_BYTES = 144 };

struct capture {
	pid_t pid;
	int records, control; /* -1: closed */
	char *name;           /* of the file or interface, for messages */
	char *program;
	bool ready, is_file;
	bool over;  /* the pipe has ended or has invalid data */
	bool ended; /* ended regularly */
	uint32_t link_type, snap_bytes;
	struct capture_counts counts;
	size_t first, end; /* range of the unprocessed bytes */
	char buffer[BUFFER_BYTES];
};

/* ---- the helper -------------------------------------------------------- */

char *capture_program(void)
{
	/* In the build folder; installed; for test programs. */
	static const char *const beside[] = { ".", "../libexec/benchtop",
		".." };
	char *folder = program_folder();
	char *found = NULL;

	for (size_t i = 0;
		folder && !found && i < sizeof beside / sizeof *beside; i++) {
		struct text path = { 0 };

		text_add(&path, "%s/%s/benchtop-capture", folder, beside[i]);
		found = realpath(path.chars, NULL);
		text_free(&path);
		if (found && access(found, X_OK)) {
			free(found);
			found = NULL;
		}
	}
	free(folder);
	return found;
}

static _Noreturn void become(const char *const *argv, const int *fds,
	pid_t parent)
{
	enum { ABOVE = 16 };
	int moved[3];
	sigset_t none;

	die_with(parent, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < 3; i++)
		moved[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, ABOVE);
	for (int i = 0; i < 3; i++)
		dup2(moved[i], i);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static pid_t spawn_here(void *context, const char *const *argv, const int *fds,
	struct error *error)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	(void)context;
	if (!pid)
		become(argv, fds, parent);
	if (pid < 0)
		error_set(error, STATUS_WORKER, "cannot fork: %s",
			strerror(errno));
	return pid;
}

static pid_t start(struct capture *capture, const struct capture_ask *ask,
	const int *fds, struct error *error)
{
	uint32_t bytes = ask->bytes ? ask->bytes : SNAP_BYTES;
	char snap[16], port[16], most[24];

	snprintf(snap, sizeof snap, "%u",
		bytes < CAPTURE_BYTES_MOST ? bytes : CAPTURE_BYTES_MOST);
	snprintf(port, sizeof port, "%u", ask->port);
	snprintf(most, sizeof most, "%llu", (unsigned long long)ask->into_most);
	const char *const live[] = { capture->program, "live", ask->interface,
		snap, ask->use == CAPTURE_FOR_LATENCY ? "latency" : "bandwidth",
		ask->inbound ? "inbound" : "all", port, ask->into ? most : NULL,
		NULL };
	const char *const file[] = { capture->program, "file", NULL };
	pid_t (*spawn)(void *, const char *const *, const int *,
		struct error *) = ask->spawn ? ask->spawn : spawn_here;

	return spawn(ask->context, ask->file ? file : live, fds, error);
}

static bool is_standard(const struct capture_ask *ask)
{
	return !strcmp(ask->file, "-");
}

static int open_standard(struct error *error)
{
	if (isatty(STDIN_FILENO))
		return error_set(error, STATUS_USAGE,
			"standard input is a terminal, expected a capture: "
			"`tcpdump -U -w - | benchtop annotate -`");
	return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* The helper's standard input: the file, or a pipe; closing the pipe ends the
 * helper. */
static int open_input(struct capture *capture, const struct capture_ask *ask,
	struct error *error)
{
	int ends[2];

	if (ask->file)
		return is_standard(ask) ? open_standard(error) :
					  file_open_input(ask->file, error);
	if (pipe2(ends, O_CLOEXEC))
		return error_set(error, STATUS_WORKER, "cannot make a pipe: %s",
			strerror(errno));
	capture->control = ends[1];
	return ends[0];
}

static int launch(struct capture *capture, const struct capture_ask *ask,
	struct error *error)
{
	int ends[2];
	int input = open_input(capture, ask, error);

	if (input < 0)
		return -1;
	if (ask->into) {
		const int fds[3] = { input, ask->into, STDERR_FILENO };

		capture->pid = start(capture, ask, fds, error);
		close(input);
		return capture->pid < 0 ? -1 : 0;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		close(input);
		return error_set(error, STATUS_WORKER, "cannot make a pipe: %s",
			strerror(errno));
	}
	/* An ordinary user may be refused this size, which is harmless. */
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	const int fds[3] = { input, ends[1], STDERR_FILENO };
	capture->records = ends[0];
	capture->pid = start(capture, ask, fds, error);
	close(input);
	close(ends[1]);
	return capture->pid < 0 ? -1 : 0;
}

static const char *name_of(const struct capture_ask *ask)
{
	if (!ask->file)
		return ask->interface;
	return is_standard(ask) ? "standard input" : ask->file;
}

struct capture *capture_open(const struct capture_ask *ask, struct error *error)
{
	struct capture *capture = xcalloc(1, sizeof *capture);

	capture->records = capture->control = -1;
	capture->is_file = ask->file != NULL;
	capture->name = xstrdup(name_of(ask));
	capture->program = capture_program();
	if (!capture->program)
		error_set(error, STATUS_INTERNAL,
			"cannot find benchtop-capture beside benchtop or in "
			"../libexec/benchtop: expected an installed "
			"benchtop-capture");
	if (!capture->program || launch(capture, ask, error)) {
		capture_close(capture);
		return NULL;
	}
	return capture;
}

/* ---- records ----------------------------------------------------------- */

/* Reads available data. Returns false if there is none now, or none will follow
 * (over). */
static bool fill(struct capture *capture)
{
	if (capture->first) {
		memmove(capture->buffer, capture->buffer + capture->first,
			capture->end - capture->first);
		capture->end -= capture->first;
		capture->first = 0;
	}
	ssize_t got;
	do
		got = read(capture->records, capture->buffer + capture->end,
			sizeof capture->buffer - capture->end);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		capture->end += (size_t)got;
	else if (!got || errno != EAGAIN)
		capture->over = true;
	return got > 0;
}

/* The next complete record, or NULL. */
static const struct capture_header *take(struct capture *capture,
	const uint8_t **bytes)
{
	for (;;) {
		const struct capture_header *header =
			(const void *)(capture->buffer + capture->first);
		size_t there = capture->end - capture->first;
		size_t whole = sizeof *header;

		if (there >= whole && !capture_is_possible(header)) {
			capture->over = true;
			return NULL;
		}
		if (there >= whole)
			whole += capture_padded(header->byte_count);
		if (there >= whole) {
			capture->first += whole;
			*bytes = (const uint8_t *)(header + 1);
			return header;
		}
		if (capture->over || !fill(capture))
			return NULL;
	}
}

static enum capture_got broken(struct capture *capture,
	const struct capture_header *header, const uint8_t *bytes,
	struct error *error)
{
	struct text why = { 0 };

	text_add_safe(&why, (const char *)bytes, header->byte_count);
	if (header->kind == CAPTURE_DENIED)
		error_set(error, STATUS_PERMISSION,
			"%s; `sudo setcap cap_net_raw+ep %s` permits it",
			text_chars(&why), capture->program);
	else if (capture->is_file)
		error_set(error, STATUS_INPUT,
			"cannot read %s as a capture file: %s",
			text_quoted(capture->name).chars, text_chars(&why));
	else
		error_set(error, STATUS_NETWORK, "%s", text_chars(&why));
	text_free(&why);
	capture->over = true;
	capture->first = capture->end = 0;
	return CAPTURE_BROKEN;
}

static enum capture_got lost(const struct capture *capture, struct error *error)
{
	error_set(error, STATUS_WORKER,
		"the capture of %s is incomplete: benchtop-capture died",
		text_quoted(capture->name).chars);
	return CAPTURE_BROKEN;
}

static void note(struct capture *capture, const struct capture_header *header)
{
	if (header->kind == CAPTURE_READY) {
		capture->ready = true;
		capture->link_type = header->link_type;
		capture->snap_bytes = header->captured_bytes;
	} else if (header->kind == CAPTURE_STATISTICS) {
		capture->counts = (struct capture_counts){
			.received = (uint64_t)header->t_ns,
			.dropped = header->captured_bytes,
			.interface_dropped = header->wire_bytes,
		};
	}
}

enum capture_got capture_next(struct capture *capture,
	struct packet_record *record, struct error *error)
{
	const struct capture_header *header;
	const uint8_t *bytes;

	if (capture->ended)
		return CAPTURE_OVER;
	while ((header = take(capture, &bytes))) {
		switch (header->kind) {
		case CAPTURE_PACKET:
			*record = (struct packet_record){
				.t_ns = header->t_ns,
				.bytes = bytes,
				.captured_bytes = header->byte_count,
				.recorded_bytes = header->captured_bytes,
				.wire_bytes = header->wire_bytes,
				.link_type = header->link_type,
				.interface = header->interface,
				.stamp_invalid = header->stamp &
					CAPTURE_STAMP_INVALID,
				.stamp_sorted = header->stamp &
					CAPTURE_STAMP_SORTED,
			};
			return CAPTURE_GOT;
		case CAPTURE_FAILED:
		case CAPTURE_DENIED:
			return broken(capture, header, bytes, error);
		case CAPTURE_END:
			capture->over = capture->ended = true;
			return CAPTURE_OVER;
		default:
			note(capture, header);
		}
	}
	return capture->over ? lost(capture, error) : CAPTURE_AGAIN;
}

int capture_wait(struct capture *capture, int timeout_ms, struct error *error)
{
	struct pollfd polled = { .fd = capture->records, .events = POLLIN };

	while (!capture->ready) {
		/* The first record is not a packet, so no packet is lost
		 * here. */
		const uint8_t *bytes;
		const struct capture_header *header = take(capture, &bytes);
		if (!header && capture->over)
			return lost(capture, error), -1;
		if (!header && poll(&polled, 1, timeout_ms) <= 0)
			return error_set(error, STATUS_NETWORK,
				"the capture of %s did not start",
				text_quoted(capture->name).chars);
		if (!header)
			continue;
		if (header->kind == CAPTURE_FAILED ||
			header->kind == CAPTURE_DENIED)
			return broken(capture, header, bytes, error), -1;
		note(capture, header);
	}
	return 0;
}

/* ---- state ------------------------------------------------------------ */

int capture_descriptor(const struct capture *capture)
{
	return capture->records;
}

struct capture_counts capture_counts(const struct capture *capture)
{
	return capture->counts;
}

uint32_t capture_snap_bytes(const struct capture *capture)
{
	return capture->snap_bytes;
}

void capture_stop(struct capture *capture)
{
	if (capture->is_file && capture->pid > 0)
		kill(capture->pid, SIGINT);
	if (capture->control >= 0)
		close(capture->control);
	capture->control = -1;
}

bool capture_gone(struct capture *capture, int timeout_ms)
{
	const struct timespec nap = { 0, 1000 * 1000 };

	for (; capture->pid > 0 && timeout_ms >= 0; timeout_ms--) {
		if (waitpid(capture->pid, NULL, WNOHANG))
			capture->pid = 0;
		else
			nanosleep(&nap, NULL);
	}
	return capture->pid <= 0;
}

pid_t capture_process(const struct capture *capture)
{
	return capture->pid;
}

void capture_close(struct capture *capture)
{
	if (!capture)
		return;
	capture_stop(capture);
	if (capture->records >= 0)
		close(capture->records);
	if (capture->pid > 0) {
		kill(capture->pid, SIGKILL);
		while (waitpid(capture->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(capture->name);
	free(capture->program);
	free(capture);
}
