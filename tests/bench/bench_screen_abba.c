/* Does the screen disturb what it shows? Repeats the same run without a screen
 * (A) and with one (B) in the order A B B A, and compares launch medians in
 * core cycles. `bench_screen_abba call` selects one of the two runs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "cli/run.h"
#include "compare.h"
#include "digest.h"
#include "terminal/seat.h"
#include "session.h"

enum {
	BLOCKS = 6,
	ATTEMPTS = 3,
	LAUNCHES = 10,
	VALUES = 2 * BLOCKS * LAUNCHES, /* of an arm */
};

/* The interval must lie within this limit on both sides. At most this share of
 * the trials may be shared or excluded; otherwise the noise of the machine
 * hides the effect of the screen. */
static const double wanted_within = .01, loud_most = .1;

struct arm {
	double median[VALUES];
	size_t count;
	double loud; /* share of shared and excluded trials, over the runs */
	unsigned runs;
};

static void take_session(const char *path, const char *experiment,
	struct arm *arm)
{
	struct error error;
	struct session *session = session_load(path, &error);
	struct digest digest;
	double *medians, *at_s;

	if (!session)
		bench_fail(error.message);
	const struct results *results = session_last(session, experiment);
	if (!results || !results->point_count)
		bench_fail("the session holds no such run");
	const struct point *point = &results->points[0];
	size_t count = results_launch_medians(results, point, 0, SCALE_CYCLES,
		&medians, &at_s);
	if (digest_of(results, point, 0, &digest))
		arm->loud += digest.shared + digest.excluded;
	arm->runs++;
	for (size_t i = 0; i < count && arm->count < VALUES; i++)
		arm->median[arm->count++] = medians[i];
	free(medians);
	free(at_s);
	session_free(session);
}

/* Both arms of a block have the same seed: order and layout are alike. */
static void write_line(char *line, size_t size, const char *run, unsigned seed)
{
	snprintf(line, size,
		"run %s cpu=%ld launches=%d budget=60s seed=%u; save --force %s",
		run, sysconf(_SC_NPROCESSORS_ONLN) - 1, LAUNCHES, seed,
		in_folder("arm.json"));
}

static void without_screen(const char *line)
{
	struct ran ran = RUN(PROGRAM, "-c", line);

	assert_status(ran, 0);
	ran_free(&ran);
}

static void with_screen(const char *line)
{
	const char *save = strchr(line, ';');
	struct text typed = { 0 };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	text_add(&typed, ":%.*s\r", (int)(save - line), line);
	seat_type(&seat, typed.chars);
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	text_clear(&typed);
	text_add(&typed, ":%s\r", save + 2);
	seat_type(&seat, typed.chars);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	text_free(&typed);
}

/* Were so many trials shared or excluded that the remaining runs cannot reduce
 * the share enough? */
static bool is_hopeless(const struct arm *arm)
{
	return arm->loud > loud_most * 2 * BLOCKS;
}

static void take_blocks(const char *run, const char *experiment, struct arm *a,
	struct arm *b)
{
	static const bool screen[] = { false, true, true, false };
	char line[512];

	*a = *b = (struct arm){ 0 };
	for (unsigned i = 0; i < 4 * BLOCKS; i++) {
		bool with = screen[i % 4];

		write_line(line, sizeof line, run, i / 4 + 1);
		if (with)
			with_screen(line);
		else
			without_screen(line);
		take_session(in_folder("arm.json"), experiment, with ? b : a);
		unlink(in_folder("arm.json"));
		if (i % 4 == 3 && (is_hopeless(a) || is_hopeless(b)))
			return;
	}
}

/* Comparisons for which the machine was never quiet enough, and quiet ones in
 * which the screen changed the result. */
static unsigned restless, missed;

/* One attempt; false if the machine was not quiet enough for a verdict. */
static bool attempt(const char *run, const char *experiment)
{
	struct arm a, b;
	struct comparison found;

	take_blocks(run, experiment, &a, &b);
	if (!compare_samples(a.median, a.count, b.median, b.count, &found))
		bench_fail("too few launches with cycles to compare");
	double loud_a = a.loud / a.runs, loud_b = b.loud / b.runs;
	bool inside = found.ratio_low > 1 - wanted_within &&
		found.ratio_high < 1 + wanted_within;
	bool quiet = loud_a <= loud_most && loud_b <= loud_most;
	printf("%-20s screen/headless %.4f [%.4f, %.4f] of %zu and %zu "
	       "launches, shared or excluded %.1f and %.1f %%: %s\n",
		run, found.ratio, found.ratio_low, found.ratio_high, b.count,
		a.count, loud_b * 100, loud_a * 100,
		!quiet         ? "not quiet" :
			inside ? "met" :
				 "missed");
	fflush(stdout);
	missed += quiet && !inside;
	return quiet;
}

static void compare(const char *run, const char *experiment)
{
	for (int i = 0; i < ATTEMPTS; i++)
		if (attempt(run, experiment))
			return;
	restless++;
}

static const char *wanted = ""; /* part of a name */

static void test_all(void **state)
{
	if (strstr("cpu.syscall", wanted))
		compare("cpu.syscall", "cpu.syscall");
	/* Without arguments a launch has one of two modes, a third apart, with
	 * or without a screen, so the median may belong to either. */
	if (strstr("cpu.call", wanted))
		compare("cpu.call args=4", "cpu.call");
}

int main(int count, char **words)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	if (count > 1)
		wanted = words[1];
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		printf("SKIP: one processor only\n");
		return 77;
	}
	int failed = cmocka_run_group_tests(all, make_folder, remove_folder);
	if (failed || missed || !restless)
		return failed || missed;
	printf("SKIP: not quiet in three attempts: screen against headless, "
	       "figures above\n");
	return 77;
}
