/* What does a new process cost? */
#include <errno.h>
#include <linux/sched.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "available.h"
#include "basis.h"
#include "digest.h"
#include "highlight.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum how { FORK, VFORK, POSIX_SPAWN, CLONE3, FORK_EXEC, SHELL };
enum until { REAPED, RETURNED, RUNS, FIRST };

static const char *const hows[] = { "fork", "vfork", "posix-spawn", "clone3",
	"fork-exec", "shell", NULL };
static const char *const untils[] = { "reaped", "returned", "runs", "first",
	NULL };

struct args {
	int how, until;
	int64_t resident_bytes;
};

static const struct param params[] = {
	{ .name = "how",
		.label = "made by",
		.help = "a call; posix-spawn and fork-exec start /bin/true, "
			"shell starts `sh -c /bin/true`",
		.preset = "fork",
		CHOICE_FIELD(struct args, how),
		.choices = hows },
	{ .name = "until",
		.label = "timed until",
		.help = "child reaped, call returned in the parent, child "
			"runs, or first of the last two",
		.preset = "reaped",
		CHOICE_FIELD(struct args, until),
		.choices = untils },
	{ .name = "resident",
		.label = "resident",
		.help = "memory that the parent has touched before; fork "
			"copies its page tables",
		.preset = "0",
		WHOLE_FIELD(struct args, resident_bytes),
		.unit = UNIT_BYTES,
		.min = 0,
		.max = 1 << 30 },
	{ .name = NULL },
};

enum { TIME };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time per process", .unit = UNIT_NS },
	{ .name = NULL },
};

static char program[] = "/bin/true";
static char shell[] = "/bin/sh", option[] = "-c";
static char *const words[] = { program, NULL };
static char *const shell_words[] = { shell, option, program, NULL };
extern char **environ;

static struct {
	uint64_t *stamp; /* time when the child ran, in shared memory */
	char *resident;
} state;

/* Memory of the parent before it forks: base pages, because huge pages would
 * make the page tables almost vanish. */
static int touch_resident(struct probe *probe, size_t size_bytes)
{
	if (!size_bytes)
		return 0;
	state.resident = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (state.resident == MAP_FAILED) {
		state.resident = NULL;
		return probe_unavailable(probe,
			"resident: cannot map %zu bytes: %s",
			size_bytes, strerror(errno));
	}
	madvise(state.resident, size_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size_bytes; i += 4096) {
		state.resident[i] = 1;
		if (i % (64 << 20) == 0)
			probe_alive(probe);
	}
	return 0;
}

/* Refuses a size that would let the kernel kill the worker: fork does not copy
 * the pages, but the parent must have them. */
static int check_memory(struct probe *probe, size_t size_bytes)
{
	uint64_t available = memory_available("");

	if (size_bytes <= available)
		return 0;
	return probe_unavailable(probe,
		"resident=%.0fM exceeds the available memory, %.0f MiB: "
		"expected less",
		(double)size_bytes / (1 << 20), (double)available / (1 << 20));
}

/* Notes the size of the worker itself: even without resident memory, the forked
 * process is not empty. */
static void note_size(struct probe *probe)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	unsigned long pages, resident, shared;

	if (statm &&
		fscanf(statm, "%lu %lu %lu", &pages, &resident, &shared) == 3)
		probe_note(probe, "worker",
			"%lu resident pages of its own, %lu shared",
			resident - shared, shared);
	if (statm)
		fclose(statm);
}

/* A size of 0 is invalid, so this makes no process. */
static int check_clone3(struct probe *probe)
{
	if (syscall(SYS_clone3, NULL, (size_t)0) < 0 && errno == EINVAL)
		return 0;
	return probe_unavailable(probe,
		"clone3: %s: expected Linux 5.3, and a sandbox that allows it",
		strerror(errno));
}

static bool executes(const struct args *args)
{
	return args->how == POSIX_SPAWN || args->how == FORK_EXEC ||
		args->how == SHELL;
}

/* A minimal system may lack the programs. */
static int check_program(struct probe *probe, const char *path)
{
	const struct args *args = probe->args;

	if (!access(path, X_OK))
		return 0;
	return probe_unavailable(probe,
		"how=%s cannot execute %s: %s: expected the program, or "
		"how=fork",
		hows[args->how], path, strerror(errno));
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	if (args->how == CLONE3 && check_clone3(probe))
		return -1;
	if (executes(args) && (args->until == RUNS || args->until == FIRST))
		return probe_unavailable(probe,
			"a program started by exec cannot report when it runs");
	if ((executes(args) && check_program(probe, program)) ||
		(args->how == SHELL && check_program(probe, shell)))
		return -1;
	if (args->how == VFORK && args->until == RETURNED)
		probe_note(probe, "vfork",
			"with vfork, the parent continues only after the child "
			"has ended");
	note_size(probe);
	state.stamp = party_memory(sizeof *state.stamp);
	state.resident = NULL;
	if (!state.stamp)
		return probe_fail(probe, "no shared memory");
	size_t size_bytes = (size_t)args->resident_bytes;
	return check_memory(probe, size_bytes) ||
			touch_resident(probe, size_bytes) ?
		-1 :
		0;
}

static void cleanup(struct probe *probe)
{
	const struct args *args = probe->args;

	party_memory_free(state.stamp, sizeof *state.stamp);
	if (state.resident)
		munmap(state.resident, (size_t)args->resident_bytes);
}

/* ---- creating a process ----------------------------------------------- */

/* The child's code. Inlined, because after vfork it must not return from the
 * function that created it. */
static inline __attribute__((always_inline)) void be_child(
	const struct probe *probe)
{
	*state.stamp = probe_now(probe);
	_exit(0);
}

static pid_t make_clone3(void)
{
	struct clone_args clone = { .exit_signal = SIGCHLD };

	return (pid_t)syscall(SYS_clone3, &clone, sizeof clone);
}

static pid_t make_spawned(void)
{
	pid_t pid;

	errno = posix_spawn(&pid, program, NULL, NULL, words, environ);
	return errno ? -1 : pid;
}

static pid_t make_executed(char *const *arguments)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execve(arguments[0], arguments, environ);
	_exit(127);
}

/* Every way except vfork, whose caller must continue in the same function.
 * Returns 0 in a child that is to run. */
static pid_t make(int how)
{
	switch (how) {
	case CLONE3:
		return make_clone3();
	case POSIX_SPAWN:
		return make_spawned();
	case FORK_EXEC:
		return make_executed(words);
	case SHELL:
		return make_executed(shell_words);
	default:
		return fork();
	}
}

/* Waits for a child, which must have ended successfully. */
static bool reap(struct probe *probe, pid_t pid)
{
	int status = 0;

	if (pid < 0) {
		probe_fail(probe, "cannot make a process: %s", strerror(errno));
		return false;
	}
	if (waitpid(pid, &status, 0) == pid && !status)
		return true;
	probe_invalid(probe, "a child ended with status %d", status);
	return false;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;

	probe_start(probe);
	/* The child stores its time and ends.
	 * NOLINTNEXTLINE(clang-analyzer-*) */
	pid_t pid = args->how == VFORK ? vfork() : make(args->how);
	if (!pid)
		be_child(probe);
	if (args->until == REAPED) {
		reap(probe, pid);
		probe_stop_slept(probe, TIME, ops);
		return;
	}
	uint64_t returned = probe_end(probe);
	if (!reap(probe, pid))
		return;
	uint64_t stamp = *state.stamp;
	bool parent = args->until == RETURNED ||
		(args->until == FIRST && returned < stamp);
	probe_stop_at(probe, TIME, ops, parent ? returned : stamp);
}

/* ---- findings --------------------------------------------------------- */

/* Only a fork copies what is resident. A sweep over `until` uses its first
 * value. */
static double copied_mib(const void *context, const void *of_first)
{
	const struct args *args = context, *first = of_first;

	if (args->how != FORK || args->until != first->until)
		return NAN;
	return (double)args->resident_bytes / (1 << 20);
}

static void find_resident(const struct results *results,
	struct findings *findings)
{
	struct text cost = { 0 }, between = { 0 };
	struct slope line;

	if (!results_slope(results, TIME, copied_mib, &line))
		return;
	unit_show(&cost, UNIT_NS, line.slope);
	text_add(&between, ", ");
	unit_show_interval(&between, UNIT_NS, line.low, line.high, line.slope);
	struct finding *finding =
		finding_value(findings, "per-resident-mib", line.slope, UNIT_NS,
			"each resident MiB of the parent adds %s to a fork%s",
			text_chars(&cost), text_chars(&between));
	finding_interval(finding, line.low, line.high);
	text_free(&cost);
	text_free(&between);
}

static void find_ratio(const struct results *results, const struct facts *facts,
	struct findings *findings)
{
	struct range thread;
	double median;

	if (!results->point_count ||
		!results_median(results, &results->points[0], TIME, &median) ||
		!facts_measured(facts, QUANTITY_THREAD_CREATION, NULL,
			&thread) ||
		thread.low + thread.high <= 0)
		return;
	double ratio = 2 * median / (thread.low + thread.high);
	finding_value(findings, "over-thread", ratio, UNIT_NONE,
		"creating a process (%s) takes %.1f times as long as creating "
		"a thread",
		results->points[0].values[0], ratio);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_resident(results, findings);
	find_ratio(results, facts, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double pages = (double)args->resident_bytes / 4096 + 500;
	bool copies = args->how == FORK || args->how == CLONE3 ||
		args->how == FORK_EXEC || args->how == SHELL;
	struct basis basis = { .facts = facts };
	struct range thread;

	prediction->hardware.low = copies ? pages * 5 : 500;
	prediction->hardware.high = copies ? pages * 25 : 5000;
	prediction->software = (struct range){ 30000, 150000 };
	if (!copies)
		prediction->software = (struct range){ 15000, 80000 };
	/* A process costs the work of a thread, plus its memory, files and
	 * signals. */
	if (basis_take(&basis, QUANTITY_THREAD_CREATION, NULL, &thread))
		prediction->software = (struct range){ thread.low,
			(copies ? 12 : 6) * thread.high };
	if (executes(args)) {
		double programs = args->how == SHELL ? 2 : 1;

		prediction->software.low += programs * 150000;
		prediction->software.high += programs * 1000000;
	}
	if (facts->hypervisor && !basis.taken[0])
		prediction->software.high *= 2;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"%skernel %.0f to %.0f us%s",
		copies ? "page tables 5 to 25 ns a page, " : "",
		prediction->software.low / 1000,
		prediction->software.high / 1000,
		facts->hypervisor ? " (in a guest)" : "");
}

const struct experiment probe_cpu_process = {
	.name = "cpu.process",
	.title = "Process creation",
	.question = "What does a new process cost?",
	.method =
		"Each trial creates one process on the measured processor. The "
		"worker holds as little memory as possible, plus `resident`. "
		"The child reads the clock and exits at once; with posix-spawn "
		"and fork-exec it becomes /bin/true, with shell a shell that "
		"starts it. The time ends when the parent has reaped the "
		"child, when the call returns in the parent, or when the child "
		"has read the clock. Every child is waited for and must exit "
		"with status 0.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_BLOCKS | TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_SCHEDULER,
	PROVIDES({ QUANTITY_PROCESS_CREATION, "time", NULL }),
	.setup = setup,
	HIGHLIGHTS({ "new process, reaped", "time", "how=fork until=reaped" }),
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
