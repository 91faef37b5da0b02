/* The program that the verb `link` runs. */
#include "link_command.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "activity.h"
#include "json.h"
#include "memory.h"
#include "tick.h"

#define MS 1000000ull
static const uint64_t listen_ns = 5000 * MS; /* for the far program to listen */
static const uint64_t hear_ns = 300 * MS;    /* from the stop to SIGTERM */
static const uint64_t end_ns = 2000 * MS;    /* from SIGTERM to SIGKILL */

struct linked {
	enum {
		LINKED_WAITS, /* until the far program listens */
		LINKED_RUNS,
		LINKED_ENDS, /* until the far program ends */
	} stage;
	struct link *link;
	struct link_request request;
	char **words; /* owned */
	pid_t program, far;
	int descriptor;     /* pidfd of the program; -1 */
	int code;           /* exit code of the program */
	uint64_t since_ns;  /* when the stage began */
	uint64_t asked_ns;  /* when the lab was asked to stop; 0: never */
	bool told;          /* SIGTERM was sent to the program */
	struct error error; /* instead of a code */
};

/* ---- the link's counters ---------------------------------------------- */

static const char *const directions[LINK_SIDES] = { "near to far",
	"far to near" };

static void say_text(const struct linked *linked, struct text *text)
{
	text_add(text, "%-12s %10s %12s %10s %8s %8s %9s %6s\n", "", "packets",
		"bytes", "delivered", "lost", "refused", "reordered", "waited");
	for (int from = 0; from < LINK_SIDES; from++) {
		struct link_counters counters =
			link_counters(linked->link, (enum link_side)from);

		text_add(text,
			"%-12s %10llu %12llu %10llu %8llu %8llu %9llu %6llu\n",
			directions[from], (unsigned long long)counters.packets,
			(unsigned long long)counters.bytes,
			(unsigned long long)counters.delivered,
			(unsigned long long)counters.lost,
			(unsigned long long)counters.refused,
			(unsigned long long)counters.reordered,
			(unsigned long long)counters.queue_peak);
	}
}

static cJSON *settings_json(const struct link_settings *settings)
{
	cJSON *object = cJSON_CreateObject();
	struct text queue = { 0 };

	unit_write_whole(&queue, UNIT_QUEUE, settings->queue);
	json_add_signed(object, "rtt_ns", settings->rtt_ns);
	json_add_signed(object, "rate_bit_s", settings->rate_bit_s);
	json_add_text(object, "queue", text_chars(&queue));
	json_add_number(object, "loss", settings->loss);
	json_add_number(object, "reorder", settings->reorder);
	json_add_whole(object, "seed", settings->seed);
	text_free(&queue);
	return object;
}

static cJSON *counters_json(const struct link_counters *counters)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{ "packets", counters->packets },
		{ "bytes", counters->bytes },
		{ "delivered", counters->delivered },
		{ "delivered_bytes", counters->delivered_bytes },
		{ "lost", counters->lost },
		{ "refused", counters->refused },
		{ "reordered", counters->reordered },
		{ "queue_peak", counters->queue_peak },
		{ "queue_peak_bytes", counters->queue_peak_bytes },
		{ "busy_ns", counters->busy_ns },
		{ "late_ns", counters->late_ns },
		{ "late_peak_ns", counters->late_peak_ns },
	};
	cJSON *object = cJSON_CreateObject();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_add_whole(object, rows[i].name, rows[i].value);
	return object;
}

static void say_json(const struct linked *linked, struct text *text)
{
	static const char *const names[LINK_SIDES] = { "near_to_far",
		"far_to_near" };
	cJSON *object = cJSON_CreateObject();

	cJSON_AddItemToObject(object, "link",
		settings_json(&linked->request.settings));
	for (int from = 0; from < LINK_SIDES; from++) {
		struct link_counters counters =
			link_counters(linked->link, (enum link_side)from);

		cJSON_AddItemToObject(object, names[from],
			counters_json(&counters));
	}
	json_add_whole(object, "exit_code", (uint64_t)linked->code);
	json_print(object, text);
	cJSON_Delete(object);
}

static void write_report(const struct linked *linked, struct text *text)
{
	if (linked->request.report == LINK_JSON)
		say_json(linked, text);
	else if (linked->request.report == LINK_COUNTERS)
		say_text(linked, text);
}

/* ---- starting --------------------------------------------------------- */

static char **copy_words(char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	char **copy = xcalloc(count + 1, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

static void release(struct linked *linked)
{
	if (linked->descriptor >= 0)
		close(linked->descriptor);
	link_close(linked->link);
	/* Reap the programs' orphans, which became the lab's children and have
	 * ended. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	for (size_t i = 0; linked->words && linked->words[i]; i++)
		free(linked->words[i]);
	free(linked->words);
	free(linked);
}

static int start_program(struct linked *linked, struct error *error)
{
	const struct link_program program = {
		.argv = (const char *const *)linked->words,
	};

	linked->program = link_spawn(linked->link, LINK_NEAR, &program, error);
	if (linked->program < 0)
		return -1;
	linked->descriptor = (int)syscall(SYS_pidfd_open, linked->program, 0);
	linked->stage = LINKED_RUNS;
	return 0;
}

/* Starts the far program. Its output goes to standard error, since standard
 * output belongs to the near program. */
static int start_far(struct linked *linked, const char *line,
	struct error *error)
{
	const char *const words[] = { "sh", "-c", line, NULL };
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int fds[] = { null, STDERR_FILENO, STDERR_FILENO };
	const struct link_program program = {
		.argv = words,
		.fds = fds,
		.fd_count = 3,
		.own_group = true,
	};

	linked->far = link_spawn(linked->link, LINK_FAR, &program, error);
	close(null);
	linked->stage = LINKED_WAITS;
	return linked->far < 0 ? -1 : 0;
}

/* ---- the far side ----------------------------------------------------- */

/* Does a file like /proc/net/tcp have a socket in this state? */
static bool has_state(pid_t pid, const char *name, unsigned state)
{
	char path[64], line[256];
	bool found = false;

	snprintf(path, sizeof path, "/proc/%d/net/%s", (int)pid, name);
	FILE *file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		unsigned is;

		if (sscanf(line, "%*s %*s %*s %x", &is) == 1)
			found = is == state;
	}
	if (file)
		fclose(file);
	return found;
}

static bool listens(pid_t pid)
{
	enum { TCP_LISTENS = 0x0a, UDP_BOUND = 0x07 };

	return has_state(pid, "tcp", TCP_LISTENS) ||
		has_state(pid, "tcp6", TCP_LISTENS) ||
		has_state(pid, "udp", UDP_BOUND) ||
		has_state(pid, "udp6", UDP_BOUND);
}

/* Returns the exit code once the process has ended, -1 before. */
static int reaped(pid_t *pid)
{
	int status;

	if (waitpid(*pid, &status, WNOHANG) != *pid)
		return -1;
	*pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Starts the program when the far program listens, or when it has not done so
 * for a while. */
static void await_far(struct linked *linked)
{
	uint64_t waited_ns = tick_raw_ns() - linked->since_ns;
	bool ready = listens(linked->far);
	int code = reaped(&linked->far);

	if (code > 0)
		error_set(&linked->error, STATUS_NETWORK,
			"the far end's program exited with %d before it "
			"listened",
			code);
	else if (!code || ready || waited_ns > listen_ns)
		start_program(linked, &linked->error);
}

/* ---- ending ----------------------------------------------------------- */

static void end_far(struct linked *linked)
{
	linked->stage = LINKED_ENDS;
	linked->since_ns = tick_raw_ns();
	if (linked->far > 0)
		kill(-linked->far, SIGTERM);
}

/* True once the far program has ended. */
static bool far_ended(struct linked *linked)
{
	if (linked->far <= 0 || reaped(&linked->far) >= 0)
		return true;
	if (tick_raw_ns() - linked->since_ns > end_ns)
		kill(-linked->far, SIGKILL);
	return false;
}

static void press_program(struct linked *linked)
{
	uint64_t gone_ns = tick_raw_ns() - linked->asked_ns;

	if (!linked->asked_ns || linked->program <= 0)
		return;
	if (gone_ns > hear_ns && !linked->told)
		linked->told = !kill(linked->program, SIGTERM);
	if (gone_ns > hear_ns + end_ns)
		kill(linked->program, SIGKILL);
}

static void watch_program(struct linked *linked)
{
	press_program(linked);
	linked->code = reaped(&linked->program);
	if (linked->code < 0)
		return;
	end_far(linked);
}

static void kill_programs(const struct linked *linked)
{
	if (linked->program > 0)
		kill(linked->program, SIGKILL);
	if (linked->far > 0)
		kill(-linked->far, SIGKILL);
}

/* Programs may wait without end for packets. */
static void watch_link(struct linked *linked)
{
	if (linked->stage == LINKED_ENDS || linked->error.status ||
		!link_ended(linked->link, 0))
		return;
	error_set(&linked->error, STATUS_NETWORK, LINK_GONE);
	kill_programs(linked);
}

static bool step(struct lab *lab, struct reply *reply)
{
	struct linked *linked = lab->doing;

	if (linked->stage == LINKED_WAITS && linked->asked_ns)
		end_far(linked);
	if (linked->stage == LINKED_WAITS)
		await_far(linked);
	else if (linked->stage == LINKED_RUNS)
		watch_program(linked);
	watch_link(linked);
	if (linked->error.status && linked->stage == LINKED_WAITS)
		end_far(linked);
	if (linked->stage != LINKED_ENDS || !far_ended(linked))
		return false;
	reply->error = linked->error;
	if (!reply->error.status) {
		reply->error.status = (enum status)linked->code;
		write_report(linked, &reply->text);
	}
	return true;
}

static int descriptor(const struct lab *lab)
{
	const struct linked *linked = lab->doing;

	return linked->stage == LINKED_RUNS ? linked->descriptor : -1;
}

static void stop(struct lab *lab)
{
	struct linked *linked = lab->doing;

	if (!linked->asked_ns)
		linked->asked_ns = tick_raw_ns();
}

static void cut(struct lab *lab)
{
	kill_programs(lab->doing);
}

static void abandon(struct lab *lab)
{
	cut(lab);
	release(lab->doing);
}

static const struct activity activity = {
	.step = step,
	.descriptor = descriptor,
	.stop = stop,
	.cut = cut,
	.abandon = abandon,
};

int link_command(struct lab *lab, const struct link_request *request,
	struct error *error)
{
	struct linked *linked = xcalloc(1, sizeof *linked);

	*linked = (struct linked){
		.request = *request,
		.descriptor = -1,
		.since_ns = tick_raw_ns(),
	};
	linked->words = copy_words(request->words);
	int failed = link_open(&request->settings, &linked->link, error);
	if (!failed && request->far)
		failed = start_far(linked, request->far, error);
	else if (!failed)
		failed = start_program(linked, error);
	if (failed)
		release(linked);
	else
		lab_begin(lab, &activity, linked);
	return failed;
}
