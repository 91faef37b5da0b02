/* The cost of drawing during a run: processor time of the frames, as counted by
 * the idle mark, and bytes, in several rounds of the same run of cpu.syscall up
 * to a million trials. Then the additional time of the whole lab with a screen.
 * In principle it is the same figure, but as a difference of two large ones.
 * These runs alternate, round by round. */

#include "bench.h"
#include "cli/run.h"
#include "terminal/seat.h"

enum { WATCHED_S = 3 };

/* The maximum that a screen has to draw: the highest rate of trials, many
 * points, and a point for each of many sizes. */
static const struct load {
	const char *what, *find, *run, *view;
	int columns, rows;
} loads[] = {
	{ "cpu.syscall", "/syscall\r",
		"run cpu.syscall budget=60s launches=30 trials=80000", "1", 80,
		24 },
	{ "cpu.syscall", "/syscall\r",
		"run cpu.syscall budget=60s launches=30 trials=80000", "1", 120,
		40 },
	{ "cpu.call, 8 points", "/cpu.call\r",
		"run cpu.call budget=60s launches=30 trials=300", "1", 120,
		40 },
	{ "mem.latency, 520 points", "/latency\r",
		"run mem.latency size=1K..64M/4 stride=64,128,256,512 "
		"budget=60s",
		"1", 120, 40 },
	{ "the same, screen 2", "/latency\r",
		"run mem.latency size=1K..64M/4 stride=64,128,256,512 "
		"budget=60s",
		"2", 120, 40 },
};
enum { LOADS = sizeof loads / sizeof *loads };

/* Results of one load, over the rounds. */
struct taken {
	struct rounds drawing, sent, frames;
};

/* Starts the run and waits until it measures. */
static void begin(struct seat *seat, const struct load *load)
{
	struct text line = { 0 };

	seat_open(seat,
		&(struct seat_options){ .columns = load->columns,
			.rows = load->rows });
	seat_idle(seat);
	seat_type(seat, load->find);
	text_add(&line, ":%s\r", load->run);
	seat_type(seat, line.chars);
	seat_shows(seat, SEAT_LAUNCHED);
	seat_type(seat, load->view);
	text_free(&line);
}

static void take(struct seat *seat, struct taken *to)
{
	struct mark before = seat->mark;
	size_t bytes = seat->log.length;
	double began_s = bench_seconds();

	seat_watch(seat, WATCHED_S);
	double span_s = bench_seconds() - began_s;
	if (!seat_find(seat, SEAT_BUSY, NULL, NULL))
		bench_fail("the run was over too soon");
	rounds_add(&to->drawing,
		(double)(seat->mark.drawing_ns - before.drawing_ns) * 1e-7 /
			span_s);
	rounds_add(&to->frames,
		(double)(seat->mark.frames - before.frames) / span_s);
	rounds_add(&to->sent,
		(double)(seat->log.length - bytes) / 1000 / span_s);
}

static void print(const struct load *load, struct taken *of)
{
	printf("%s, %dx%d\n", load->what, load->columns, load->rows);
	of->drawing.what = "  drawing";
	of->drawing.unit = "% of a core";
	rounds_print(&of->drawing, AT_MOST, 1);
	of->sent.what = "  sent";
	of->sent.unit = "kB/s";
	rounds_print(&of->sent, AT_MOST, 8);
	of->frames.what = "  frames";
	of->frames.unit = "a second";
	rounds_print(&of->frames, NO_TARGET, 0);
	fflush(stdout);
}

static void watch(const struct load *load)
{
	struct taken taken = { 0 };
	struct seat seat;

	begin(&seat, load);
	for (int round = 0; round < ROUNDS; round++)
		take(&seat, &taken);
	seat_close(&seat);
	print(load, &taken);
}

/* ---- with a screen and without ---------------------------------------- */

static double share(struct seat *seat)
{
	double began_s = bench_seconds(),
	       before_s = bench_used_s(seat->program);

	seat_watch(seat, WATCHED_S);
	if (seat->state == SEAT_ENDED)
		bench_fail("the run was over too soon");
	return 100 * (bench_used_s(seat->program) - before_s) /
		(bench_seconds() - began_s);
}

/* The lab without a screen receives the trials and computes the interval. */
static double without_screen(const struct load *load)
{
	const char *const words[] = { "-c", load->run, NULL };
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .words = words });
	seat_shows(&seat, SEAT_LAUNCHED);
	double taken = share(&seat);
	seat_close(&seat);
	return taken;
}

static double with_screen(const struct load *load)
{
	struct seat seat;

	begin(&seat, load);
	double taken = share(&seat);
	seat_close(&seat);
	return taken;
}

static void compare(const struct load *load)
{
	struct rounds without = { .what = "  the lab without",
		.unit = "% of a core" };
	struct rounds more = { .what = "  more with a screen",
		.unit = "% of a core" };

	for (int round = 0; round < ROUNDS; round++) {
		double alone = without_screen(load);

		rounds_add(&without, alone);
		rounds_add(&more, with_screen(load) - alone);
	}
	printf("%s, %dx%d\n", load->what, load->columns, load->rows);
	rounds_print(&without, NO_TARGET, 0);
	rounds_print(&more, NO_TARGET, 0);
}

static void test_all(void **state)
{
	printf("%-26s %9s %-10s %9s .. %s\n", "of five rounds", "median", "",
		"least", "most");
	for (int i = 0; i < LOADS; i++)
		watch(&loads[i]);
	compare(&loads[1]);
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(all, make_folder, remove_folder);
}
