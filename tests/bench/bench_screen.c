/* What the screen costs: until its first frame, while a run goes on, at rest,
 * and for each key. */
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "cli/run.h"
#include "quantile.h"
#include "seat.h"

enum { STARTS = 20, KEYS = 200, RUN_S = 5, REST_S = 5 };

/* Long enough for everything that is taken while it goes on, and as many
 * trials a second as there can be: the most that a screen has to draw. */
#define LONG_RUN "run cpu.syscall budget=60s launches=30 trials=80000"

static void print_line(const char *what, double value, const char *unit,
	double least, double most, double limit)
{
	printf("%-34s %9.4g %-8s %9.4g .. %-9.4g at most %g: %s\n", what, value,
		unit, least, most, limit, value <= limit ? "met" : "missed");
}

/* ---- the first frame -------------------------------------------------- */

static double start_ms(void)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_next_mark(&seat, 0);
	double took_ms = (double)(seat.mark.at_ns - seat.started_ns) * 1e-6;
	seat_send(&seat, "q", 1);
	assert_ended(&seat, 0);
	seat_close(&seat);
	return took_ms;
}

static void bench_start(void)
{
	double ms[STARTS];

	start_ms(); /* warms the cache */
	for (int i = 0; i < STARTS; i++)
		ms[i] = start_ms();
	values_sort(ms, STARTS);
	print_line("start to the first frame, 80x24",
		quantile_sorted(ms, STARTS, .5), "ms", ms[0], ms[STARTS - 1],
		50);
}

/* ---- while a run goes on ---------------------------------------------- */

/* What the program has used and done so far. */
struct usage {
	double at_s, cpu_s;
	unsigned long frames, bytes, waits;
};

/* Voluntary context switches: each is a wait, and ends with a wake-up. */
static unsigned long waits_of(pid_t process)
{
	char path[64], line[200];
	unsigned long waits = 0;

	snprintf(path, sizeof path, "/proc/%d/status", (int)process);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &waits) == 1)
			break;
	if (file)
		fclose(file);
	return waits;
}

static struct usage usage_of(const struct seat *seat)
{
	struct timespec used = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(seat->program, &clock) ||
		clock_gettime(clock, &used))
		bench_fail("the program's processor time cannot be read");
	return (struct usage){
		.at_s = bench_seconds(),
		.cpu_s = (double)used.tv_sec + (double)used.tv_nsec * 1e-9,
		.frames = seat->mark.frames,
		.bytes = seat->log.length,
		.waits = waits_of(seat->program),
	};
}

static double taken[RUN_S];

/* Second by second: figures are made anew now and then, not evenly. */
static void watch_run(struct seat *seat, struct usage used[RUN_S + 1])
{
	used[0] = usage_of(seat);
	for (int i = 0; i < RUN_S; i++) {
		seat_watch(seat, 1);
		used[i + 1] = usage_of(seat);
	}
	if (seat->state == SEAT_ENDED)
		bench_fail("the run was over too soon");
}

/* In percent of a processor, over all; its seconds in `taken`. */
static double cpu_share(const struct usage used[RUN_S + 1])
{
	for (int i = 0; i < RUN_S; i++)
		taken[i] = 100 * (used[i + 1].cpu_s - used[i].cpu_s) /
			(used[i + 1].at_s - used[i].at_s);
	values_sort(taken, RUN_S);
	return 100 * (used[RUN_S].cpu_s - used[0].cpu_s) /
		(used[RUN_S].at_s - used[0].at_s);
}

/* What the lab takes for the same run without a screen: it receives the
 * trials and looks at the interval. */
static double bench_without_screen(void)
{
	static const char *const words[] = { "-c", LONG_RUN, NULL };
	struct usage used[RUN_S + 1];
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .words = words });
	seat_shows(&seat, "launch 1 of");
	watch_run(&seat, used);
	double share = cpu_share(used);
	printf("%-34s %9.4g %-8s %9.4g .. %.4g\n",
		"processor, the lab without a screen", share, "%", taken[0],
		taken[RUN_S - 1]);
	seat_close(&seat);
	return share;
}

static void bench_run(int columns, int rows, double lab_share)
{
	struct usage used[RUN_S + 1];
	struct seat seat;
	char what[64];

	seat_open(&seat,
		&(struct seat_options){ .columns = columns, .rows = rows });
	seat_idle(&seat);
	seat_type(&seat, "/syscall\r");
	seat_type(&seat, ":" LONG_RUN "\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	watch_run(&seat, used);
	if (!seat_find(&seat, SEAT_BUSY, NULL, NULL))
		bench_fail("the run was over too soon");
	double share = cpu_share(used);
	printf("%-34s %9.4g %%\n", "processor, the lab with a screen", share);
	snprintf(what, sizeof what, "processor, the screen's, %dx%d", columns,
		rows);
	print_line(what, share - lab_share, "%", taken[0] - lab_share,
		taken[RUN_S - 1] - lab_share, 1);
	for (int i = 0; i < RUN_S; i++)
		taken[i] = (double)(used[i + 1].bytes - used[i].bytes) / 1000 /
			(used[i + 1].at_s - used[i].at_s);
	values_sort(taken, RUN_S);
	snprintf(what, sizeof what, "sent, %dx%d", columns, rows);
	double span_s = used[RUN_S].at_s - used[0].at_s;
	print_line(what,
		(double)(used[RUN_S].bytes - used[0].bytes) / 1000 / span_s,
		"kB/s", taken[0], taken[RUN_S - 1], 8);
	printf("%-34s %9.4g\n", "frames/s",
		(double)(used[RUN_S].frames - used[0].frames) / span_s);
	seat_type(&seat, "x");
	seat_shows(&seat, SEAT_AT_REST);
	seat_close(&seat);
}

/* ---- keys ------------------------------------------------------------- */

static void print_keys(const char *what, struct seat *seat)
{
	double ms[KEYS];

	for (int i = 0; i < KEYS; i++) {
		uint64_t began_ns = seat_now_ns();

		seat_type(seat, i % 2 ? "k" : "j");
		ms[i] = (double)(seat->mark.at_ns - began_ns) * 1e-6;
	}
	values_sort(ms, KEYS);
	print_line(what, quantile_sorted(ms, KEYS, .99), "ms p99", ms[0],
		ms[KEYS - 1], 50);
}

static void bench_keys(void)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	print_keys("a key, at rest", &seat);
	seat_type(&seat, "/syscall\r");
	seat_type(&seat, ":" LONG_RUN "\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	print_keys("a key, run going on", &seat);
	seat_close(&seat);
}

/* ---- at rest ---------------------------------------------------------- */

static void bench_rest(void)
{
	struct usage before, after;
	struct seat seat;
	double wakes, bytes;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	/* After a run, which has left what it may have left. */
	seat_type(&seat, ":run cpu.call args=0 budget=2s launches=6\r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	seat_idle(&seat);
	/* It goes to wait right after the mark. */
	seat_watch(&seat, .2);
	before = usage_of(&seat);
	seat_watch(&seat, REST_S);
	after = usage_of(&seat);
	wakes = (double)(after.waits - before.waits);
	bytes = (double)(after.bytes - before.bytes);
	print_line("wake-ups in 5 s at rest", wakes, "", wakes, wakes, 0);
	print_line("bytes sent in 5 s at rest", bytes, "", bytes, bytes, 0);
	seat_close(&seat);
	if (wakes > 0 || bytes > 0)
		bench_fail("the screen is not at rest when nothing happens");
}

static void test_all(void **state)
{
	(void)state;
	printf("%-34s %9s %-8s %9s .. %s\n", "screen", "", "", "least", "most");
	bench_start();
	bench_run(80, 24, bench_without_screen());
	bench_run(120, 40, bench_without_screen());
	bench_keys();
	bench_rest();
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(all, make_folder, remove_folder);
}
