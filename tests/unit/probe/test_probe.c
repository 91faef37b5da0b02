/* Functions for experiments in a worker: the samples they write, and when. */
#include "probe.h"

#include <string.h>

#include "check.h"

enum { ROOM = 256 };

static struct sample tape[ROOM];
static size_t used;
static unsigned lives;

static void put(struct probe *probe, const struct sample *sample)
{
	(void)probe;
	assert_true(used < ROOM);
	tape[used++] = *sample;
}

static void alive(struct probe *probe)
{
	(void)probe;
	lives++;
}

static uint64_t slot;

static struct probe fresh(void)
{
	used = 0;
	lives = 0;
	slot = 0;
	return (struct probe){ .put = put,
		.alive = alive,
		.rseq_slot = &slot,
		.rseq_armed = 77,
		.source = TICK_MONOTONIC_RAW,
		.cpu = 3 };
}

/* ---- trials ----------------------------------------------------------- */

static void a_pair_emits_one_trial(void **state)
{
	struct probe probe = fresh();

	uint64_t before = tick_raw_ns();
	probe_start(&probe);
	assert_int_equal(slot, 77);
	probe_stop(&probe, 2, 500);
	uint64_t after = tick_raw_ns();
	assert_int_equal(used, 1);
	assert_int_equal(tape[0].kind, SAMPLE_TRIAL);
	assert_int_equal(tape[0].metric, 2);
	assert_int_equal(tape[0].n, 500);
	assert_true(tape[0].at >= before);
	assert_true(tape[0].at + tape[0].ticks <= after);
	assert_int_equal(tape[0].flags & ~FLAG_BACKWARDS, 0);
	assert_int_equal(probe.regions, 1);
	assert_true(probe.spent == tape[0].ticks);
}

static void a_switch_is_seen(void **state)
{
	struct probe probe = fresh();

	probe_start(&probe);
	slot = 0; /* as the kernel does when it runs another task */
	probe_stop(&probe, 0, 1);
	assert_true(tape[0].flags & FLAG_PREEMPTED);
	/* The next trial arms the detector again. */
	probe_start(&probe);
	probe_stop(&probe, 0, 1);
	assert_false(tape[1].flags & FLAG_PREEMPTED);
}

static void a_move_is_seen(void **state)
{
	struct probe probe = fresh();

	uint32_t runs_on = 3;

	probe.start = 1000;
	probe_keep(&probe, 0, 1, 1500, false);
	probe.rseq_cpu = &runs_on;
	probe_keep(&probe, 0, 1, 1500, false);
	runs_on = 2;
	probe_keep(&probe, 0, 1, 1500, false);
	assert_int_equal(tape[0].flags, 0);
	assert_int_equal(tape[1].flags, 0);
	assert_int_equal(tape[2].flags, FLAG_MIGRATED);
	assert_int_equal(tape[2].ticks, 500);
	assert_int_equal(probe.spent, 1500);
}

static void a_clock_that_steps_back_is_seen(void **state)
{
	struct probe probe = fresh();

	probe.start = 1000;
	probe_keep(&probe, 0, 1, 999, false);
	probe_keep(&probe, 0, 1, 1000, true);
	assert_int_equal(tape[0].flags, FLAG_BACKWARDS);
	assert_true((int64_t)tape[0].ticks == -1);
	assert_int_equal(tape[1].flags, FLAG_BACKWARDS | FLAG_PREEMPTED);
}

static void ends_may_be_stamped_elsewhere(void **state)
{
	struct probe probe = fresh();

	probe_start(&probe);
	uint64_t end = probe_now(&probe) + 12345;
	probe_stop_at(&probe, 1, 10, end);
	assert_int_equal(tape[0].ticks, end - probe.start);
	assert_int_equal(tape[0].metric, 1);
	/* If the thread sleeps by design, a context switch is not a flag. */
	slot = 0;
	probe_stop_at(&probe, 1, 10, end);
	assert_int_equal(tape[1].flags, 0);
	probe_took(&probe, 0, 40, 4000);
	assert_int_equal(tape[2].ticks, 4000);
	assert_int_equal(tape[2].n, 40);
}

static void values_and_traces(void **state)
{
	struct probe probe = fresh();

	probe_value(&probe, 1, -2.5);
	probe_trace(&probe, 2, 3, 4);
	assert_int_equal(used, 2);
	assert_int_equal(tape[0].kind, SAMPLE_VALUE);
	assert_int_equal(tape[0].metric, 1);
	assert_near(tape[0].value, -2.5);
	assert_int_equal(tape[1].kind, SAMPLE_TRACE);
	assert_near(tape[1].value, 3);
	assert_near(tape[1].value2, 4);
	assert_int_equal(probe.regions, 0);
}

/* Sizing and warming up measure as usual, and leave nothing on the tape. */
static void a_quiet_probe_emits_nothing(void **state)
{
	struct probe probe = fresh();

	probe.quiet = true;
	probe.start = 100;
	probe_keep(&probe, 0, 1, 350, false);
	probe_value(&probe, 1, 1);
	probe_trace(&probe, 2, 1, 1);
	probe_note(&probe, "pages", "huge");
	assert_int_equal(used, 0);
	assert_int_equal(probe.spent, 250);
	assert_int_equal(probe.regions, 1);
	probe_alive(&probe);
	assert_int_equal(lives, 1);
}

/* ---- texts ------------------------------------------------------------ */

/* Joins a text from the records after its head. */
static void text_at(size_t at, enum sample_text kind, const char *wanted)
{
	char chars[512];

	assert_int_equal(tape[at].kind, SAMPLE_TEXT);
	assert_int_equal(tape[at].metric, kind);
	assert_int_equal(tape[at].n, strlen(wanted));
	size_t records = (tape[at].n + sizeof(struct sample) - 1) /
		sizeof(struct sample);
	assert_true(at + 1 + records <= used);
	memcpy(chars, &tape[at + 1], records * sizeof(struct sample));
	assert_memory_equal(chars, wanted, tape[at].n);
}

static void texts_fill_records(void **state)
{
	struct probe probe = fresh();
	char long_one[33];

	probe_note(&probe, "key", "%s", "value");
	assert_int_equal(used, 2);
	text_at(0, TEXT_NOTE, "key=value");
	/* A full record, and one byte more. */
	memset(long_one, 'x', sizeof long_one);
	long_one[28] = '\0';
	used = 0;
	probe_note(&probe, "key", "%s", long_one);
	assert_int_equal(used, 2);
	long_one[28] = 'x';
	long_one[29] = '\0';
	used = 0;
	probe_note(&probe, "key", "%s", long_one);
	assert_int_equal(used, 3);
	assert_int_equal(tape[0].n, 33);
}

static void a_long_text_is_cut(void **state)
{
	struct probe probe = fresh();
	char endless[3000];

	memset(endless, 'y', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	probe_fail(&probe, "%s", endless);
	assert_int_equal(tape[0].n, 479);
	assert_int_equal(used, 16);
	used = 0;
	probe_note(&probe, "key", "%s", endless);
	assert_int_equal(tape[0].n, 479);
	assert_memory_equal(&tape[1], "key=yyy", 7);
	/* A key so long that no room is left for its value. */
	used = 0;
	probe_note(&probe, endless, "%s", "value");
	assert_int_equal(tape[0].n, 479);
	for (size_t i = 0; i < sizeof endless - 1; i++)
		assert_int_equal(endless[i], 'y');
}

static void refusals_have_an_outcome(void **state)
{
	struct probe probe = fresh();

	assert_int_equal(probe.outcome, 0);
	assert_int_equal(probe_unavailable(&probe, "no %s here", "rtc"), -1);
	assert_int_equal(probe.outcome, TEXT_UNAVAILABLE + 1);
	text_at(0, TEXT_UNAVAILABLE, "no rtc here");
	used = 0;
	assert_int_equal(probe_invalid(&probe, "%d switches", 3), -1);
	assert_int_equal(probe.outcome, TEXT_INVALID + 1);
	text_at(0, TEXT_INVALID, "3 switches");
	used = 0;
	/* A failure is also written while the probe is quiet, because it ends
	 * the point. */
	probe.quiet = true;
	assert_int_equal(probe_fail(&probe, "gone"), -1);
	assert_int_equal(probe.outcome, TEXT_FAILED + 1);
	text_at(0, TEXT_FAILED, "gone");
}

/* ---- random numbers ---------------------------------------------------- */

/* The published values of splitmix64 with seed 1234567. */
static void random_numbers_are_the_published_ones(void **state)
{
	static const uint64_t wanted[] = { 6457827717110365317u,
		3203168211198807973u, 9817491932198370423u,
		4593380528125082431u, 16408922859458223821u };
	struct probe probe = fresh();

	probe.random = 1234567;
	for (size_t i = 0; i < 5; i++)
		assert_true(probe_random(&probe) == wanted[i]);
}

static void random_below_is_uniform(void **state)
{
	struct probe probe = fresh();
	size_t counts[6] = { 0 };

	for (int i = 0; i < 60000; i++) {
		uint64_t drawn = probe_random_below(&probe, 6);

		assert_true(drawn < 6);
		counts[drawn]++;
	}
	double chi2 = 0;
	for (size_t i = 0; i < 6; i++)
		chi2 += pow((double)counts[i] - 10000, 2) / 10000;
	/* The limit for five degrees of freedom at 0.001. */
	assert_true(chi2 < 20.5);
	for (int i = 0; i < 100; i++)
		assert_int_equal(probe_random_below(&probe, 1), 0);
	/* More than half of the range: a plain remainder would return the lower
	 * half twice as often. */
	uint64_t limit = UINT64_MAX / 3 * 2;
	size_t low = 0;
	for (int i = 0; i < 10000; i++)
		low += probe_random_below(&probe, limit) < limit / 2;
	assert_in_range(low, 4800, 5200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_emits_one_trial),
		cmocka_unit_test(a_switch_is_seen),
		cmocka_unit_test(a_move_is_seen),
		cmocka_unit_test(a_clock_that_steps_back_is_seen),
		cmocka_unit_test(ends_may_be_stamped_elsewhere),
		cmocka_unit_test(values_and_traces),
		cmocka_unit_test(a_quiet_probe_emits_nothing),
		cmocka_unit_test(texts_fill_records),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(refusals_have_an_outcome),
		cmocka_unit_test(random_numbers_are_the_published_ones),
		cmocka_unit_test(random_below_is_uniform),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
