/* kill -9 of a lab, a child or the capture process at a random moment: no
 * published trial is lost, and nothing is left: no process, tape, file, memory
 * cgroup, network device or mount. */
#include <stdatomic.h>

#include "cli/disk.h"
#include "cli/watch.h"
#include "judge.h"
#include "processes.h"
#include "surroundings.h"

enum { KILLS = 300, PROCESSES = 6, PATIENCE_MS = 10000 };
enum { ATTEMPTS = 10, DELAY_MS = 900, TRIALS = 12000 };

/* CACHE: a lab that limits its file cache by a memory cgroup. */
enum victim { LAB, CHILD, CAPTURE, CACHE, VICTIMS };

/* A run with packets takes longer than another. */
static const enum victim order[] = { LAB, CHILD, CHILD, CACHE, CAPTURE, LAB,
	CHILD, CHILD };
static const char *const names[] = { "lab", "child", "capture",
	"lab of fs.cache" };

static const struct command measuring = { .name = "run",
	.words = { "run", "selftest.adds", "links=1000", "trials=2000",
		"launches=6", "budget=20s" } };
static const struct command capturing = { .name = "capture",
	.words = { "run", "net.connect", "capture=on", "trials=1", "launches=6",
		"budget=100ms" } };

static const struct command caching = { .name = "cache",
	.words = { "run", "fs.cache", "size=1M", "dir=disk", "trials=2000",
		"launches=6", "budget=20s" } };

static const struct command *command_of(enum victim victim)
{
	return victim == CAPTURE ? &capturing :
		victim == CACHE  ? &caching :
				   &measuring;
}

static bool is_lab(enum victim victim)
{
	return victim == LAB || victim == CACHE;
}

/* Shared by the processes of the test. */
struct kills {
	atomic_uint next, made[VICTIMS], violations;
	atomic_uint published; /* trials, before the kills */
};

static struct kills *kills;

static bool is_victim(enum victim victim, const char *name)
{
	bool capture = strstr(name, "benchtop-captur");

	return victim == CHILD || capture;
}

/* Draws one of the descendants, each with the same probability. */
static void draw(pid_t parent, enum victim victim, pid_t *drawn, int *seen)
{
	char path[64], number[16], *name;
	int child;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent,
		(int)parent);
	FILE *children = fopen(path, "re");
	while (children && fscanf(children, "%d", &child) == 1) {
		snprintf(number, sizeof number, "%d", child);
		name = read_process(number, "comm", ' ');
		if (*name && is_victim(victim, name) && !(rand() % ++*seen))
			*drawn = child;
		free(name);
		draw(child, victim, drawn, seen);
	}
	if (children)
		fclose(children);
}

static bool has_ended(pid_t lab)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)lab, &info, WEXITED | WNOHANG | WNOWAIT) ||
		info.si_pid;
}

/* Waits until the lab has such a process; 0 if it ends before. */
static pid_t await_victim(pid_t lab, enum victim victim)
{
	pid_t found = is_lab(victim) ? lab : 0;

	for (int seen = 0; !found && !has_ended(lab);) {
		draw(lab, victim, &found, &seen);
		if (!found)
			pause_ms(2);
	}
	return found;
}

/* Waits until no child is left; false after a while. */
static bool all_ended(pid_t lab, int *status)
{
	for (int ms = 0; ms < PATIENCE_MS; ms += 5) {
		int ended;
		pid_t pid;

		while ((pid = waitpid(-1, &ended, WNOHANG)) > 0)
			if (pid == lab)
				*status = ended;
		if (pid < 0)
			return true;
		pause_ms(5);
	}
	return false;
}

/* Trials in the session that the lab saved by itself. */
static size_t count_saved(void)
{
	struct ran ran = RUN(SELFTEST, "-c", "load last; export csv --trials");
	size_t count = judge_count(&ran.out);

	ran_free(&ran);
	return count;
}

static void judge_kill(pid_t lab, enum victim victim, size_t published,
	struct text *violations)
{
	int status = 0;

	if (!all_ended(lab, &status)) {
		text_add(violations, "processes are left:");
		kill_children(violations);
	}
	if (is_lab(victim)) {
		judge_tapes(violations);
	} else if (!WIFEXITED(status) || !judge_knows(WEXITSTATUS(status))) {
		text_add(violations, "the lab ends with status %d; ", status);
	} else if (entries_in("run/benchtop")) {
		text_add(violations, "a tape is left; ");
	}
	if (published && count_saved() < published)
		text_add(violations, "%zu of %zu trials; ", count_saved(),
			published);
	judge_sessions(violations);
	if (victim == CACHE)
		surroundings_judge_groups(violations);
	surroundings_judge(violations);
}

/* Waits for a random moment: of time, or of progress. The limits of both are
 * halved for each attempt whose lab had ended, since a run takes a quarter of
 * the time on a quiet machine. */
static void await_moment(pid_t lab, int attempt)
{
	size_t wanted = 1 + (size_t)rand() % (1 + (TRIALS >> attempt));

	pause_ms(rand() % (1 + (DELAY_MS >> attempt)));
	if (rand() % 2)
		while (trials_so_far() < wanted && !has_ended(lab))
			pause_ms(2);
}

/* False if the process ended before it could be killed. */
static bool kill_one(enum victim victim, int attempt)
{
	const struct command *command = command_of(victim);
	struct text violations = { 0 };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	command_prepare(command);
	pid_t lab = start(SELFTEST, command->words, null, null);
	close(null);
	await_moment(lab, attempt);
	pid_t pid = await_victim(lab, victim);
	size_t published = trials_so_far();
	bool killed = pid && !has_ended(lab) && !kill(pid, SIGKILL);
	judge_kill(lab, victim, published, &violations);
	if (killed) {
		kills->made[victim]++;
		kills->published += (unsigned)published;
	}
	if (violations.length)
		print_error("%s: %s\n", names[victim], violations.chars);
	kills->violations += violations.length > 0;
	text_free(&violations);
	return killed;
}

static void run_process(void)
{
	unsigned number;

	while ((number = kills->next++) < KILLS) {
		enum victim victim = order[number % 8];

		for (int i = 0; i < ATTEMPTS && !kill_one(victim, i); i++)
			;
	}
}

static void test_kills(void **state)
{
	unsigned made = 0;

	in_processes(PROCESSES, run_process);
	for (unsigned i = 0; i < VICTIMS; i++) {
		print_message("%s: %u kills\n", names[i], kills->made[i]);
		made += kills->made[i];
	}
	print_message("%u trials were published before\n", kills->published);
	assert_int_equal(kills->violations, 0);
	assert_int_equal(made, KILLS);
	assert_true(kills->published > 0);
}

static int begin(void **state)
{
	kills = shared_memory(sizeof *kills);
	return commands_begin(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kills),
	};

	return cmocka_run_group_tests(tests, begin, remove_folders);
}
