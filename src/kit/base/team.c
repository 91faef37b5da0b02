/* Threads that start together. */
#include "team.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

enum { PATIENCE_SPINS = 4096 };

/* Spins, but yields the processor after a long time, because the member that is
 * awaited may need it. */
static inline void rest(unsigned *spins)
{
	if (++*spins % PATIENCE_SPINS == 0)
		sched_yield();
	spin_pause();
}

static void sleep_on(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void do_work(struct team_member *member)
{
	struct team *team = member->team;

	team->work(team->context, member->number);
	member->end = member->number ? probe_now(team->probe) :
				       probe_end(team->probe);
}

static void *member_body(void *context)
{
	struct team_member *member = context;
	struct team *team = member->team;
	uint32_t seen = 0;
	unsigned spins = 0;

	for (;;) {
		uint32_t round;

		while ((round = atomic_load_explicit(&team->round,
				memory_order_acquire)) == seen)
			sleep_on(&team->round, seen);
		seen = round;
		if (!team->work)
			return NULL;
		uint64_t before = party_preemptions();
		atomic_fetch_add_explicit(&team->gathered, 1,
			memory_order_acq_rel);
		while (atomic_load_explicit(&team->go, memory_order_acquire) !=
			round)
			rest(&spins);
		do_work(member);
		member->interrupted = party_preemptions() != before;
		atomic_fetch_add_explicit(&team->done, 1, memory_order_acq_rel);
	}
}

/* Wakes all members; without work they end. */
static uint32_t call(struct team *team, team_work *work, void *context)
{
	uint32_t round = atomic_load(&team->round) + 1;

	team->work = work;
	team->context = context;
	atomic_store(&team->gathered, 0);
	atomic_store(&team->done, 0);
	atomic_store_explicit(&team->round, round, memory_order_release);
	if (team->count > 1)
		wake_all(&team->round);
	return round;
}

int64_t team_most(void)
{
	static int64_t most;
	cpu_set_t allowed;

	if (!most)
		most = sched_getaffinity(0, sizeof allowed, &allowed) ?
			1 :
			CPU_COUNT(&allowed);
	return most;
}

unsigned team_size(int64_t threads, struct probe *probe)
{
	unsigned count =
		threads == PARAM_AUTO ? probe->row_count : (unsigned)threads;

	if (count <= probe->row_count)
		return count;
	probe_unavailable(probe,
		"threads=%u: this run may use only %u processors", count,
		probe->row_count);
	return 0;
}

int team_start(struct team *team, const int *cpus, unsigned count,
	struct probe *probe)
{
	*team = (struct team){ .probe = probe, .count = 1 };
	team->members = aligned_alloc(64, count * sizeof *team->members);
	if (!team->members)
		return -ENOMEM;
	for (unsigned i = 0; i < count; i++)
		team->members[i] =
			(struct team_member){ .team = team, .number = i };
	for (unsigned i = 1; i < count; i++) {
		int failed = party_start(&team->members[i].party, true,
			cpus[i], member_body, &team->members[i]);

		if (failed) {
			team_stop(team);
			return failed;
		}
		team->count++;
	}
	return 0;
}

uint64_t team_run(struct team *team, team_work *work, void *context,
	bool *interrupted)
{
	uint32_t round = call(team, work, context), others = team->count - 1;
	unsigned spins = 0;

	while (atomic_load_explicit(&team->gathered, memory_order_acquire) !=
		others)
		rest(&spins);
	uint64_t before = party_preemptions();
	probe_start(team->probe);
	atomic_store_explicit(&team->go, round, memory_order_release);
	do_work(&team->members[0]);
	uint64_t slowest = team->members[0].end;
	bool any = (!team->sleeps && probe_preempted(team->probe)) ||
		party_preemptions() != before;
	while (atomic_load_explicit(&team->done, memory_order_acquire) !=
		others)
		rest(&spins);
	for (unsigned i = 1; i < team->count; i++) {
		if ((int64_t)(team->members[i].end - slowest) > 0)
			slowest = team->members[i].end;
		any |= team->members[i].interrupted;
	}
	*interrupted = any;
	return slowest;
}

void team_stop(struct team *team)
{
	if (!team->members)
		return;
	call(team, NULL, NULL);
	for (unsigned i = 1; i < team->count; i++)
		party_join(&team->members[i].party);
	free(team->members);
	team->members = NULL;
}
