/* Finding SMT siblings by spinning on other processors. */
#include "siblings.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "canary_watch.h"
#include "die_with.h"
#include "probe.h"
#include "ruler.h"

enum {
	ROUNDS = 6,
	ROUNDS_LEAST = 2, /* of a core that is hardly ever shared */
	PHASE_NS = 3 * 1000 * 1000,
	SETTLE_NS = 300 * 1000, /* time for a spinner to wake up */
	CANARIES_LEAST = 100,   /* with spinners, and without */
	SEARCH_S = 10,          /* of a processor; a search takes 4 at most */
};

/* Fractions of shared canaries. */
static const double surely = .9, hardly = .5, hardly_ever = .1;

/* ---- spinners --------------------------------------------------------- */

/* A process on each processor of a set. It repeatedly reads a time from a pipe
 * and spins until then. It ends at end of file. */
struct spinners {
	pid_t pids[CPUS_MAX];
	size_t count;
	int until; /* the pipe's writing end */
};

static void spin(int until)
{
	uint64_t end_ns;

	while (read(until, &end_ns, sizeof end_ns) == sizeof end_ns)
		while (tick_raw_ns() < end_ns) {
			ruler_branches(1000);
			ruler_nops(10);
		}
	_exit(0);
}

static void spinners_start(struct spinners *spinners, const cpu_set_t *cpus)
{
	int pipe_ends[2];
	pid_t parent = getpid();

	*spinners = (struct spinners){ .until = -1 };
	if (pipe(pipe_ends))
		return;
	spinners->until = pipe_ends[1];
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		pid_t pid = CPU_ISSET((size_t)cpu, cpus) ? fork() : -1;

		if (!pid) {
			die_with(parent, SIGKILL);
			close(pipe_ends[1]);
			if (!child_pin(cpu))
				spin(pipe_ends[0]);
			_exit(1);
		}
		if (pid > 0)
			spinners->pids[spinners->count++] = pid;
	}
	close(pipe_ends[0]);
}

static void spinners_spin(const struct spinners *spinners, uint64_t end_ns)
{
	for (size_t i = 0; i < spinners->count; i++)
		if (write(spinners->until, &end_ns, sizeof end_ns) < 0)
			return;
}

static void spinners_end(struct spinners *spinners)
{
	if (spinners->until >= 0)
		close(spinners->until);
	for (size_t i = 0; i < spinners->count; i++) {
		kill(spinners->pids[i], SIGKILL);
		waitpid(spinners->pids[i], NULL, 0);
	}
}

/* ---- one processor ---------------------------------------------------- */

/* On a busy processor few canaries may find time. */
static enum sibling_answer judge(const struct canary_tally *resting,
	const struct canary_tally *spinning)
{
	double shared = canary_tally_share(spinning);

	if (spinning->all < CANARIES_LEAST || resting->all < CANARIES_LEAST)
		return SIBLING_UNKNOWN;
	if (shared <= hardly)
		return SIBLING_NONE;
	if (shared >= surely && canary_tally_share(resting) <= hardly)
		return SIBLING_FOUND;
	return SIBLING_UNKNOWN;
}

/* Tests whether the set contains the sibling. */
static enum sibling_answer ask(const struct probe *probe,
	const struct clock_facts *clock, const cpu_set_t *cpus)
{
	const struct timespec settle = { 0, SETTLE_NS };
	struct canary_tally resting = { 0, 0 }, spinning = { 0, 0 };
	struct spinners spinners;

	spinners_start(&spinners, cpus);
	for (int i = 0; i < ROUNDS; i++) {
		nanosleep(&settle, NULL);
		canary_watch(probe, clock, tick_raw_ns() + PHASE_NS, &resting);
		uint64_t end_ns = tick_raw_ns() + SETTLE_NS + PHASE_NS;
		spinners_spin(&spinners, end_ns);
		nanosleep(&settle, NULL);
		canary_watch(probe, clock, end_ns, &spinning);
		if (i + 1 >= ROUNDS_LEAST &&
			judge(&resting, &spinning) == SIBLING_NONE &&
			canary_tally_share(&spinning) <= hardly_ever)
			break;
	}
	bool asked = spinners.count > 0;
	spinners_end(&spinners);
	return asked ? judge(&resting, &spinning) : SIBLING_UNKNOWN;
}

/* Splits a set into halves. */
static void halve(const cpu_set_t *set, cpu_set_t *first, cpu_set_t *rest)
{
	int left = CPU_COUNT(set) / 2;

	CPU_ZERO(first);
	*rest = *set;
	for (size_t cpu = 0; cpu < CPUS_MAX && left; cpu++) {
		if (!CPU_ISSET(cpu, set))
			continue;
		CPU_SET(cpu, first);
		CPU_CLR(cpu, rest);
		left--;
	}
}

static int first_of(const cpu_set_t *set)
{
	int cpu = 0;

	while (!CPU_ISSET((size_t)cpu, set))
		cpu++;
	return cpu;
}

/* The sibling of the processor to which this process is pinned, among other
 * processors that it may use. */
static struct sibling sibling_find(const struct probe *probe,
	const struct clock_facts *clock, const cpu_set_t *others)
{
	cpu_set_t among = *others, first, rest;
	struct sibling sibling = { SIBLING_NONE, -1 };

	if (!CPU_COUNT(&among))
		return sibling;
	sibling.answer = ask(probe, clock, &among);
	while (sibling.answer == SIBLING_FOUND && CPU_COUNT(&among) > 1) {
		halve(&among, &first, &rest);
		enum sibling_answer answer = ask(probe, clock, &first);

		if (answer == SIBLING_UNKNOWN)
			sibling.answer = SIBLING_UNKNOWN;
		among = answer == SIBLING_FOUND ? first : rest;
	}
	if (sibling.answer == SIBLING_FOUND)
		sibling.cpu = first_of(&among);
	return sibling;
}

/* ---- several processors ----------------------------------------------- */

struct map_context {
	const cpu_set_t *cpus, *others;
	const struct clock_facts *clock;
};

/* The relation is symmetric: a processor with a result is removed from the
 * others. */
static int map_body(void *answer, void *context)
{
	const struct rlimit limit = { SEARCH_S, SEARCH_S };
	const struct map_context *map = context;
	struct sibling *siblings = answer;
	struct probe probe = { .source = map->clock->source };
	cpu_set_t open = *map->others;

	/* If the clock jumps back, the end of a phase may be hours away. */
	setrlimit(RLIMIT_CPU, &limit);
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		struct sibling *sibling = &siblings[cpu];
		cpu_set_t among = open;

		if (!CPU_ISSET((size_t)cpu, map->cpus) ||
			sibling->answer == SIBLING_FOUND || child_pin(cpu))
			continue;
		CPU_CLR((size_t)cpu, &among);
		*sibling = sibling_find(&probe, map->clock, &among);
		if (sibling->answer != SIBLING_UNKNOWN)
			CPU_CLR((size_t)cpu, &open);
		if (sibling->answer != SIBLING_FOUND)
			continue;
		CPU_CLR((size_t)sibling->cpu, &open);
		siblings[sibling->cpu] = (struct sibling){ SIBLING_FOUND, cpu };
	}
	return 0;
}

int siblings_start(struct job *job, const cpu_set_t *cpus,
	const cpu_set_t *others, const struct clock_facts *clock,
	struct error *error)
{
	struct map_context context = { cpus, others, clock };

	return job_start(job, CPUS_MAX * sizeof(struct sibling), map_body,
		&context, CHILD_ANY_CPU, error);
}

int siblings_finish(struct job *job, int status, struct places *places,
	struct error *error)
{
	struct sibling found[CPUS_MAX];
	int failed = job_finish(job, status, found, "looks for SMT siblings",
		error);

	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (found[cpu].answer == SIBLING_UNKNOWN)
			continue;
		places->siblings[cpu] = found[cpu];
		places->siblings_ns[cpu] = tick_raw_ns();
	}
	return failed;
}

/* ---- the whole machine ------------------------------------------------ */

enum { ALL_MOST = 16 };

bool siblings_plan(const struct places *places, int cpu, bool guest,
	cpu_set_t *cpus, cpu_set_t *others)
{
	CPU_ZERO(cpus);
	CPU_SET((size_t)cpu, cpus);
	if (!place_asks(places, cpu, guest, others))
		return false;
	if (guest && CPU_COUNT(&places->allowed) <= ALL_MOST)
		*cpus = *others = places->allowed;
	return true;
}

void siblings_say(const struct places *places, struct text *text)
{
	size_t known = 0, pairs = 0;

	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		const struct sibling *sibling = &places->siblings[cpu];

		known += sibling->answer != SIBLING_UNKNOWN;
		if (sibling->answer != SIBLING_FOUND || sibling->cpu < cpu)
			continue;
		text_add(text, "%s%d-%d", pairs++ ? " " : "", cpu,
			sibling->cpu);
	}
	if (known)
		text_add(text, "%s", pairs ? " (measured)" :
					     "none (measured)");
}
