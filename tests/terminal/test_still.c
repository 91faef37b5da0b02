/* The screen avoids the processor that measures; if it is the only one, the
 * screen stops drawing and shows that. */
#include <sched.h>
#include <unistd.h>

#include "cli/run.h"
#include "compare.h"
#include "digest.h"
#include "seat.h"
#include "session.h"

enum overlap { APART, TOGETHER, UNKNOWN };

/* May the screen run on the worker's processor? */
static enum overlap look(const struct seat *seat)
{
	cpu_set_t screen, worker, both;
	pid_t pid = seat_worker(seat);

	/* The worker may end between the calls. */
	if (!pid || sched_getaffinity(pid, sizeof worker, &worker) ||
		sched_getaffinity(seat->program, sizeof screen, &screen) ||
		sched_getaffinity(pid, sizeof worker, &worker))
		return UNKNOWN;
	CPU_AND(&both, &screen, &worker);
	return CPU_COUNT(&both) ? TOGETHER : APART;
}

static void test_r03_screen_off_the_measuring_processor(void **state)
{
	struct seat seat;
	int looks[UNKNOWN + 1] = { 0 };

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip_because("one processor only");
	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	seat_type(&seat, ":run cpu.syscall budget=60s launches=30\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	while (!seat_find(&seat, SEAT_AT_REST, NULL, NULL)) {
		looks[look(&seat)]++;
		seat_watch(&seat, .01);
	}
	/* From its fork until it is pinned, a worker may run on the screen's
	 * processors. */
	print_message("apart %d times, together %d\n", looks[APART],
		looks[TOGETHER]);
	assert_true(looks[APART] > 3 * looks[TOGETHER]);
	assert_true(looks[APART] > 0);
	seat_close(&seat);
}

/* ---- the screen has no effect on results ------------------------------- */

enum { LAUNCHES = 12, ATTEMPTS = 3 };
static const char measured[] =
	"run cpu.syscall launches=12 trials=200 budget=60s seed=3";

struct arm {
	double *medians; /* of launches, in core cycles */
	size_t count;
	double loud; /* share of the trials that were shared or excluded */
};

static void take_arm(struct arm *arm)
{
	struct error error;
	struct session *session = session_load(in_folder("arm.json"), &error);
	struct digest digest;

	if (!session)
		fail_msg("%s", error.message);
	const struct results *run = session->runs[0];
	*arm = (struct arm){ .loud = 1 };
	arm->count = results_launch_medians(run, &run->points[0], 0,
		SCALE_CYCLES, &arm->medians, NULL);
	if (digest_of(run, &run->points[0], 0, &digest))
		arm->loud = digest.shared + digest.excluded;
	session_free(session);
}

static void measure_with_screen(struct arm *arm)
{
	struct text line = { 0 };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	text_add(&line, ":%s\r", measured);
	seat_type(&seat, line.chars);
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	text_clear(&line);
	text_add(&line, ":save --force %s\r", in_folder("arm.json"));
	seat_type(&seat, line.chars);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	text_free(&line);
	take_arm(arm);
}

static void measure_by_script(struct arm *arm)
{
	FILE *script = fopen(in_folder("arm.lab"), "we");

	assert_non_null(script);
	fprintf(script, "%s\nsave --force %s\n", measured,
		in_folder("arm.json"));
	fclose(script);
	struct ran ran = RUN(PROGRAM, "--script", in_folder("arm.lab"));
	assert_status(ran, 0);
	ran_free(&ran);
	take_arm(arm);
}

/* The medians differ by less than their uncertainty. Otherwise the share of
 * trials on an unshared core shows whether the machine was quiet enough.
 * bench_screen_abba is the strict test. */
static bool same_medians(bool *quiet)
{
	struct comparison found = { 0 };
	struct arm with, by;

	measure_with_screen(&with);
	measure_by_script(&by);
	*quiet = with.loud <= .1 && by.loud <= .1 && with.count == LAUNCHES &&
		by.count == LAUNCHES;
	bool known = compare_samples(by.medians, by.count, with.medians,
		with.count, &found);
	print_message("screen/script %.4f [%.4f, %.4f], shared or excluded "
		      "%.1f and %.1f %%\n",
		found.ratio, found.ratio_low, found.ratio_high, with.loud * 100,
		by.loud * 100);
	free(with.medians);
	free(by.medians);
	return known && found.ratio_low < 1.01 && found.ratio_high > .99;
}

static void test_r03_medians_with_and_without_screen(void **state)
{
	int fit = 0;

	for (int i = 0; i < ATTEMPTS; i++) {
		bool quiet;

		if (same_medians(&quiet))
			return;
		fit += quiet;
	}
	if (fit < ATTEMPTS) {
		print_message("SKIP: not quiet in three attempts: screen "
			      "against script\n");
		skip();
	}
	fail_msg("the screen changes what is measured");
}

/* Opens the lab on a single processor, which also measures. */
static void open_on_one(struct seat *seat)
{
	const char *const words[] = { "-c", "0", PROGRAM, NULL };

	seat_open(seat,
		&(struct seat_options){ .program = "/usr/bin/taskset",
			.words = words });
	seat_idle(seat);
}

static void test_r03_screen_still_where_no_processor_is_left(void **state)
{
	struct seat seat;

	open_on_one(&seat);
	seat_type(&seat, ":run cpu.syscall cpu=0 budget=2s launches=6\r");
	seat_shows(&seat, "drawing paused");
	/* No frame is drawn during a launch. */
	while (!seat_find(&seat, SEAT_AT_REST, NULL, NULL)) {
		assert_false(seat_find(&seat, " of about ", NULL, NULL));
		seat_next_mark(&seat, seat.mark.serial);
	}
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* Keys are processed while drawing is paused. */
static void test_stopped_while_still(void **state)
{
	struct seat seat;

	open_on_one(&seat);
	seat_type(&seat, ":run cpu.syscall cpu=0 budget=60s launches=30\r");
	seat_shows(&seat, "drawing paused");
	seat_send(&seat, "x", 1);
	seat_shows(&seat, SEAT_AT_REST);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

/* A key is answered during launches. */
static void test_r03_still_but_for_a_key(void **state)
{
	struct seat seat;

	open_on_one(&seat);
	seat_type(&seat,
		":run cpu.syscall cpu=0 budget=60s launches=30 "
		"trials=100000\r");
	seat_shows(&seat, "drawing paused");
	seat_send(&seat, "2", 1);
	seat_shows(&seat, "[2 Sweep]");
	assert_true(seat_find(&seat, SEAT_BUSY, NULL, NULL));
	seat_send(&seat, "x", 1);
	seat_shows(&seat, SEAT_AT_REST);
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r03_screen_off_the_measuring_processor),
		cmocka_unit_test(test_r03_medians_with_and_without_screen),
		cmocka_unit_test(
			test_r03_screen_still_where_no_processor_is_left),
		cmocka_unit_test(test_stopped_while_still),
		cmocka_unit_test(test_r03_still_but_for_a_key),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
