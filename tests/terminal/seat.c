/* A seat: opening, driving, closing. */
#include "seat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "seat_internal.h"
#include "shell.h"

uint64_t seat_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- opening and closing ---------------------------------------------- */

static pid_t settings_of; /* this process; 0: no folder was made */

static void remove_settings(void)
{
	if (settings_of == getpid() &&
		system("rm -rf \"$XDG_CONFIG_HOME\"") != 0)
		perror("seat: settings");
}

/* A seat has its own settings, of a user who has chosen a theme. The
 * settings of the user who runs the tests do not affect the screen. */
static void make_settings(void)
{
	static char folder[] = "/dev/shm/benchtop-seat-XXXXXX";

	if (settings_of)
		return;
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	assert_int_equal(system("mkdir -m 700 $XDG_CONFIG_HOME/benchtop && "
				"echo theme any "
				">$XDG_CONFIG_HOME/benchtop/screen"),
		0);
	settings_of = getpid();
	atexit(remove_settings);
}

static void set_environment(const struct seat_options *options)
{
	static const char *const unset[] = { "LINES", "COLUMNS", "NO_COLOR",
		"LANG", "LC_CTYPE", "ESCDELAY" };

	for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
		unsetenv(unset[i]);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("BENCHTOP_IDLE_MARK", "1", 1);
	/* Only a leak sanitizer reads this. */
	setenv("LSAN_OPTIONS",
		"print_suppressions=0:suppressions=" SOURCE_FOLDER
		"/tests/terminal/leaks.txt",
		1);
	for (size_t i = 0; options->environment && options->environment[i];
		i++) {
		const char *word = options->environment[i];

		if (strchr(word, '='))
			putenv((char *)word);
		else
			unsetenv(word);
	}
}

static _Noreturn void be_shell(const struct seat_options *options,
	const char *tty, int reports, int orders)
{
	static char *words[32];
	struct shell shell = {
		.tty = tty,
		.program = options->program ? options->program : PROGRAM,
		.words = words,
		.reports = reports,
		.orders = orders,
		.out = options->out,
		.hangup_ignored = options->hangup_ignored,
		.hangup_untold = options->hangup_untold,
	};

	set_environment(options);
	words[0] = (char *)shell.program;
	for (size_t i = 0; options->words && options->words[i] && i < 30; i++)
		words[i + 1] = (char *)options->words[i];
	shell_be(&shell);
}

static void await_start(struct seat *seat)
{
	struct report report;
	struct pollfd said = { .fd = seat->reports, .events = POLLIN };

	assert_true(poll(&said, 1, SEAT_PATIENCE_MS) > 0);
	assert_int_equal(read(seat->reports, &report, sizeof report),
		sizeof report);
	seat->program = report.program;
	seat->started_ns = report.ns;
}

void seat_open(struct seat *seat, const struct seat_options *options)
{
	int slave, reports[2], orders[2];
	char tty[64];

	*seat = (struct seat){
		.columns = options->columns ? options->columns : 80,
		.rows = options->rows ? options->rows : 24,
		.cursor_shown = true,
	};
	struct winsize size = { .ws_row = (unsigned short)seat->rows,
		.ws_col = (unsigned short)seat->columns };
	assert_int_equal(openpty(&seat->master, &slave, tty, NULL, &size), 0);
	fcntl(seat->master, F_SETFD, FD_CLOEXEC);
	fcntl(seat->master, F_SETFL, O_NONBLOCK);
	assert_int_equal(tcgetattr(slave, &seat->before), 0);
	assert_int_equal(pipe2(reports, O_CLOEXEC), 0);
	assert_int_equal(pipe2(orders, O_CLOEXEC), 0);
	seat_make_screen(seat);
	make_settings();
	seat->shell = fork();
	assert_true(seat->shell >= 0);
	if (!seat->shell) {
		/* Closes the test's descriptors in the shell; otherwise the
		 * shell would never see them closed. */
		close(seat->master);
		close(orders[1]);
		close(slave);
		be_shell(options, tty, reports[1], orders[0]);
	}
	close(reports[1]);
	close(orders[0]);
	seat->reports = reports[0];
	seat->orders = orders[1];
	await_start(seat);
	/* The slave was open until the shell had opened it too: a pty whose
	 * last slave is closed reads as hung up. */
	close(slave);
}

void seat_close(struct seat *seat)
{
	if (seat->state != SEAT_ENDED)
		kill(-seat->program, SIGKILL);
	close(seat->orders);
	kill(seat->shell, SIGKILL);
	waitpid(seat->shell, NULL, 0);
	close(seat->reports);
	if (seat->master >= 0)
		close(seat->master);
	vterm_free(seat->term);
	text_free(&seat->log);
	text_free(&seat->pending);
}

/* ---- acting ----------------------------------------------------------- */

void seat_send(struct seat *seat, const char *bytes, size_t count)
{
	while (count) {
		ssize_t put = write(seat->master, bytes, count);

		if (put < 0 && errno == EAGAIN) {
			/* The program may be waiting for the test to read. */
			seat_pump(seat, 10);
			continue;
		}
		assert_true(put > 0);
		bytes += put;
		count -= (size_t)put;
	}
}

void seat_type(struct seat *seat, const char *utf8)
{
	seat_send(seat, utf8, strlen(utf8));
	for (; *utf8; utf8++)
		seat->keys += (*utf8 & 0xc0) != 0x80;
	seat_idle(seat);
}

void seat_key(struct seat *seat, VTermKey key)
{
	vterm_keyboard_key(seat->term, key, VTERM_MOD_NONE);
	seat->keys++;
	seat_idle(seat);
}

void seat_click(struct seat *seat, int column, int row, int button)
{
	char bytes[64];
	/* In this protocol the wheel is buttons 64 and up. */
	int number = button < 4 ? button - 1 : 60 + button;
	int length = snprintf(bytes, sizeof bytes, "\033[<%d;%d;%dM", number,
		column + 1, row + 1);

	seat_send(seat, bytes, (size_t)length);
	bytes[length - 1] = 'm';
	if (button < 4)
		seat_send(seat, bytes, (size_t)length);
	seat->keys++;
	seat_idle(seat);
}

void seat_resize(struct seat *seat, int columns, int rows)
{
	struct winsize size = { .ws_row = (unsigned short)rows,
		.ws_col = (unsigned short)columns };

	seat->columns = columns;
	seat->rows = rows;
	vterm_set_size(seat->term, rows, columns);
	assert_int_equal(ioctl(seat->master, TIOCSWINSZ, &size), 0);
}

void seat_foreground(struct seat *seat)
{
	seat->state = SEAT_RUNS;
	assert_int_equal(write(seat->orders, "f", 1), 1);
}

void seat_hang_up(struct seat *seat)
{
	assert_int_equal(close(seat->master), 0);
	seat->master = -1;
}

/* ---- waiting ---------------------------------------------------------- */

static void take_report(struct seat *seat)
{
	struct report report;

	if (read(seat->reports, &report, sizeof report) != sizeof report) {
		print_error("the shell is gone\n");
		fail();
	}
	seat->state_ns = report.ns;
	/* While the terminal exists, the report takes effect at its position in
	 * the stream. */
	if (seat->master < 0)
		seat_became(seat, report.status);
}

void seat_became(struct seat *seat, int status)
{
	seat->status = status;
	seat->state = WIFSTOPPED(status) ? SEAT_STOPPED : SEAT_ENDED;
}

bool seat_pump(struct seat *seat, int timeout_ms)
{
	struct pollfd polled[] = {
		{ .fd = seat->reports, .events = POLLIN },
		{ .fd = seat->master, .events = POLLIN },
	};
	char piece[65536];

	if (seat_advance(seat))
		return true;
	if (poll(polled, 2, timeout_ms) <= 0)
		return false;
	if (polled[0].revents)
		take_report(seat);
	if (!polled[1].revents)
		return true;
	ssize_t got = read(seat->master, piece, sizeof piece);
	seat->read_ns = seat_now_ns();
	if (got > 0)
		text_add_chars(&seat->pending, piece, (size_t)got);
	seat_advance(seat);
	return true;
}

/* Receives output until a condition is true. */
#define AWAIT(seat, condition, ...)                                    \
	do {                                                           \
		uint64_t until_ns =                                    \
			seat_now_ns() + SEAT_PATIENCE_MS * 1000000ull; \
		while (!(condition)) {                                 \
			seat_pump((seat), 1000);                       \
			if (seat_now_ns() < until_ns)                  \
				continue;                              \
			print_error(__VA_ARGS__);                      \
			seat_print(seat);                              \
			fail();                                        \
		}                                                      \
	} while (0)

void seat_idle(struct seat *seat)
{
	AWAIT(seat,
		seat->state == SEAT_ENDED ||
			(seat->mark.keys >= seat->keys &&
				seat->mark.columns == seat->columns &&
				seat->mark.rows == seat->rows),
		"not idle: %lu of %lu keys, painted %d x %d of %d x %d\n",
		seat->mark.keys, seat->keys, seat->mark.columns,
		seat->mark.rows, seat->columns, seat->rows);
}

void seat_next_mark(struct seat *seat, unsigned long serial)
{
	AWAIT(seat, seat->mark.serial > serial, "no mark after %lu\n", serial);
}

void seat_shows(struct seat *seat, const char *words)
{
	AWAIT(seat, !seat->amid_frame && seat_find(seat, words, NULL, NULL),
		"no '%s' on:\n", words);
}

void seat_shows_no(struct seat *seat, const char *words)
{
	AWAIT(seat, !seat->amid_frame && !seat_find(seat, words, NULL, NULL),
		"still '%s' on:\n", words);
}

void seat_await(struct seat *seat, enum seat_state state)
{
	AWAIT(seat, seat->state == state, "neither stopped nor ended:\n");
}

void seat_watch(struct seat *seat, double seconds)
{
	uint64_t until_ns = seat_now_ns() + (uint64_t)(seconds * 1e9);
	uint64_t now_ns;

	while ((now_ns = seat_now_ns()) < until_ns)
		seat_pump(seat, (int)((until_ns - now_ns) / 1000000) + 1);
	while (seat_advance(seat))
		continue;
}

double seat_start_ms(void)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_next_mark(&seat, 0);
	double took_ms = (double)(seat.mark.at_ns - seat.started_ns) * 1e-6;
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	return took_ms;
}
