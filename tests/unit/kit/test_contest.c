/* Threads that compete in a common window. */
#include <sched.h>
#include <string.h>

#include "check.h"
#include "contest.h"
#include "probe.h"

enum { THREADS = 2, OPS = 20000 };

static struct sample trial;

static void put(struct probe *probe, const struct sample *sample)
{
	(void)probe;
	if (sample->kind == SAMPLE_TRIAL)
		trial = *sample;
}

static volatile uint64_t slot;
static int row[THREADS];
static struct probe probe = {
	.put = put,
	.tick_hz = 1e9,
	.rseq_slot = &slot,
	.rseq_armed = 1,
	.row = row,
};
static unsigned processors;

static int choose_row(void **state)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof allowed, &allowed))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE && processors < THREADS; cpu++)
		if (CPU_ISSET((size_t)cpu, &allowed))
			row[processors++] = cpu;
	probe.row_count = processors;
	party_pin(row[0]);
	return 0;
}

/* Waits before each operation of a member that is slower than others. */
static unsigned slowness[THREADS];
static _Alignas(256) uint64_t word;

static void operate(struct contender *me, bool atomic)
{
	uint64_t done = 0;

	for (; contest_continues(me, done); done++) {
		for (unsigned i = 0; i < slowness[me->number]; i++)
			__asm__ volatile("" ::: "memory");
		if (atomic)
			__atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
		else
			*(volatile uint64_t *)&word += 1;
	}
	me->count = done;
	me->change = done;
	me->extra = me->number + 1;
}

static void add(void *context, struct contender *me)
{
	(void)context;
	operate(me, true);
}

static void add_badly(void *context, struct contender *me)
{
	(void)context;
	operate(me, false);
}

static void run(struct contest *contest, int64_t threads, contest_work *work)
{
	memset(contest, 0, sizeof *contest);
	word = 0;
	assert_int_equal(contest_start(contest, threads, false, &probe), 0);
	contest_trial(contest, work, NULL, 0, OPS);
	contest_stop(contest);
}

/* Every operation of every member is counted once. */
static void test_sums(void **state)
{
	static struct contest contest;

	for (int64_t threads = 1; threads <= processors; threads++) {
		run(&contest, threads, add);
		assert_int_equal(contest.total, word);
		assert_int_equal(contest.change, word);
		assert_true(contest.total >= OPS);
		assert_int_equal(contest.extra, threads * (threads + 1) / 2);
		assert_true(threads > 1 || contest.fairness == 1);
	}
}

/* The verification of the experiments can fail. */
static void test_lost_updates_are_seen(void **state)
{
	static struct contest contest;
	bool lost = false;

	if (processors < 2)
		skip_because("one processor only");
	for (int i = 0; i < 100 && !lost; i++) {
		run(&contest, 2, add_badly);
		lost = word < contest.change;
	}
	assert_true(lost);
}

/* A trial states the mean time of a member, for a constant number of
 * operations. */
static void test_mean_of_members(void **state)
{
	static struct contest contest;
	double ticks;

	run(&contest, PARAM_AUTO, add);
	assert_int_equal(trial.n, OPS);
	ticks = contest.interval_ns * OPS * contest.team.count;
	assert_within((double)trial.ticks, ticks, 1e-3);
}

/* One operation per tick. The first is over after a millisecond. The other
 * completes an operation that takes as long again. */
static void take_time(void *context, struct contender *me)
{
	uint64_t least = 1000000, took;

	(void)context;
	while (me->number && contest_continues(me, 0))
		;
	if (me->number)
		least = 2 * (probe_now(&probe) - probe.start);
	do
		took = probe_now(&probe) - probe.start;
	while (took < least);
	me->count = took;
	me->change = me->extra = 0;
}

/* Operations that end after the contest count by their own time. */
static void test_an_operation_at_the_end(void **state)
{
	static struct contest contest;

	if (processors < 2)
		skip_because("one processor only");
	run(&contest, 2, take_time);
	assert_within(contest.interval_ns * probe.tick_hz / 1e9, .5, .1);
	assert_within(contest.fairness, 1, .1);
}

/* A slow member does not continue after the others: it has fewer operations. */
static void test_a_slow_member_is_unfair(void **state)
{
	static struct contest contest;
	double fairest = 1;

	if (processors < 2)
		skip_because("one processor only");
	slowness[1] = 10000;
	run(&contest, 2, add);
	fairest = contest.fairness;
	slowness[1] = 0;
	assert_true(fairest < .5);
}

static void test_too_many_threads(void **state)
{
	static struct contest contest;

	assert_int_equal(contest_start(&contest, THREADS + 1, false, &probe),
		-1);
	assert_int_equal(probe.outcome, TEXT_UNAVAILABLE + 1);
	probe.outcome = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_lost_updates_are_seen),
		cmocka_unit_test(test_mean_of_members),
		cmocka_unit_test(test_an_operation_at_the_end),
		cmocka_unit_test(test_a_slow_member_is_unfair),
		cmocka_unit_test(test_too_many_threads),
	};

	return cmocka_run_group_tests(tests, choose_row, NULL);
}
