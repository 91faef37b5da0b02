/* cpu.noise has room for the gaps of a busy host, and reports a full room. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "party.h"
#include "probe.h"

extern const struct experiment probe_cpu_noise;

/* A host that takes the processor 17 000 times per second was seen. */
enum { GAPS_PER_S = 17000 };

static char said[600];
static size_t left, gaps;

/* Keeps warnings, without regard to where they begin. */
static void put(struct probe *probe, const struct sample *sample)
{
	size_t used = strlen(said);

	(void)probe;
	if (left) {
		size_t piece = left < sizeof *sample ? left : sizeof *sample;

		left -= piece;
		assert_true(used + piece < sizeof said);
		memcpy(said + used, sample, piece);
	} else if (sample->kind == SAMPLE_TEXT) {
		left = sample->n;
	}
	gaps += !left && sample->kind == SAMPLE_TRACE;
}

static void live_on(struct probe *probe)
{
	(void)probe;
}

static void set(void *args, const char *name, int64_t value)
{
	const struct param *row = param_row(probe_cpu_noise.params, name);

	memcpy((char *)args + row->offset, &value, sizeof value);
}

static void *make_args(int64_t duration_ns)
{
	void *args = calloc(1, probe_cpu_noise.args_size);

	assert_non_null(args);
	set(args, "duration", duration_ns);
	return args;
}

static unsigned room_of(int64_t duration_ns)
{
	void *args = make_args(duration_ns);
	struct plan plan = { 0 };

	probe_cpu_noise.plan_for(args, &plan);
	free(args);
	return plan.traces;
}

/* The tape of a run of six launches has four million samples. */
static void test_room(void **state)
{
	assert_true(room_of(1000000000) > 2 * GAPS_PER_S);
	assert_true(room_of(10000000000) > 10 * GAPS_PER_S);
	assert_true(room_of(60000000000) < (4 << 20) / 12);
}

/* With a threshold of 0 the time between any two readings is a gap. */
static void test_full(void **state)
{
	struct probe probe = { .put = put,
		.alive = live_on,
		.args = make_args(1000000000),
		.source = TICK_MONOTONIC_RAW,
		.tick_hz = 1e9 };

	if (probe_cpu_noise.setup(&probe))
		skip_because("not permitted here: /proc");
	probe_cpu_noise.trial(&probe, 1);
	assert_int_equal(gaps, room_of(1000000000));
	if (!strstr(said, "a launch ended before its 1 s, after"))
		fail_msg("'%s'", said);
	probe_cpu_noise.cleanup(&probe);
	free((void *)probe.args);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
