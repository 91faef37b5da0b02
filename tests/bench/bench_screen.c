/* Latency of the screen, for its first frame and for each key; and that it does
 * nothing while nothing happens. */
#include <unistd.h>

#include "bench.h"
#include "cli/run.h"
#include "quantile.h"
#include "terminal/seat.h"

enum { STARTS = 20, KEYS = 200, REST_S = 5 };

/* Lasts longer than all measurements during the run. It has the highest rate of
 * trials, the most that a screen has to draw. */
#define LONG_RUN "run cpu.syscall budget=60s launches=30 trials=80000"

static void print_line(const char *what, double value, const char *unit,
	double least, double most, double limit)
{
	printf("%-34s %9.4g %-8s %9.4g .. %-9.4g at most %g: %s\n", what, value,
		unit, least, most, limit, value <= limit ? "met" : "missed");
}

/* ---- the first frame -------------------------------------------------- */

static void bench_start(void)
{
	double ms[STARTS];

	seat_start_ms(); /* warms the cache */
	for (int i = 0; i < STARTS; i++)
		ms[i] = seat_start_ms();
	values_sort(ms, STARTS);
	print_line("start to the first frame, 80x24",
		quantile_sorted(ms, STARTS, .5), "ms", ms[0], ms[STARTS - 1],
		50);
}

/* ---- resources used so far -------------------------------------------- */

struct usage {
	unsigned long bytes, waits;
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
	return (struct usage){
		.bytes = seat->log.length,
		.waits = waits_of(seat->program),
	};
}

/* ---- keys ------------------------------------------------------------- */

static void print_keys(const char *what, VTermKey one, VTermKey other,
	struct seat *seat)
{
	double ms[KEYS];

	for (int i = 0; i < KEYS; i++) {
		uint64_t began_ns = seat_now_ns();

		seat_key(seat, i % 2 ? one : other);
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
	print_keys("a key, at rest", VTERM_KEY_UP, VTERM_KEY_DOWN,
		&seat);
	seat_type(&seat, "/syscall\r");
	seat_type(&seat, ":" LONG_RUN "\r");
	seat_shows(&seat, SEAT_LAUNCHED);
	print_keys("a key, run going on", VTERM_KEY_UP, VTERM_KEY_DOWN,
		&seat);
	seat_close(&seat);
}

/* The slowest key during a run of 1.5 million trials and until its results are
 * complete. Measured in wall time and in processor time of the program. Other
 * users of the machine lengthen wall time, but hardly processor time. */
static void bench_end(void)
{
	struct seat seat;
	double least = 1e9, most = 0, used_most = 0;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, "/syscall\r");
	seat_type(&seat,
		":run cpu.syscall budget=60s launches=19 trials=80000\r");
	/* The number of the launch in a frame varies. */
	seat_shows(&seat, "launch ");
	for (int i = 0, rest = 0; rest < 20; i++) {
		double used_s = bench_used_s(seat.program);
		uint64_t began_ns = seat_now_ns();

		seat_type(&seat, i % 2 ? "k" : "j");
		double ms = (double)(seat.mark.at_ns - began_ns) * 1e-6;
		double used_ms = (bench_used_s(seat.program) - used_s) * 1e3;
		least = ms < least ? ms : least;
		most = ms > most ? ms : most;
		used_most = used_ms > used_most ? used_ms : used_most;
		seat_watch(&seat, .01);
		rest += seat_find(&seat, SEAT_AT_REST, NULL, NULL);
	}
	print_line("a key, 1.5 M trials ending", most, "ms", least, most, 50);
	print_line("  its processor time", used_most, "ms", 0, used_most, 50);
	seat_close(&seat);
}

/* The Sweep screen searches for knees and makes a histogram for each key. */
static void bench_sweep(void)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat, "/latency\r");
	seat_type(&seat,
		":run mem.latency size=1K..2M order=random budget=120s "
		"launches=6 trials=21000\r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	seat_type(&seat, "2");
	print_keys("a key, sweep of 1.5 M trials", VTERM_KEY_LEFT,
		VTERM_KEY_RIGHT, &seat);
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
	/* A finished run may have left timers or children. */
	seat_type(&seat, ":run cpu.call args=0 budget=2s launches=6\r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	seat_idle(&seat);
	/* The program starts to wait right after the mark. */
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
	printf("%-34s %9s %-8s %9s .. %s\n", "screen", "", "", "least", "most");
	bench_start();
	bench_keys();
	bench_end();
	bench_sweep();
	bench_rest();
}

int main(void)
{
	const struct CMUnitTest all[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(all, make_folder, remove_folder);
}
