/* Thousands of keys, clicks, broken sequences and sizes: nothing crashes,
 * nothing is written out of bounds (under a sanitizer), `q` still quits, and
 * the terminal is restored.
 *
 * With BENCHTOP_SOAK_S=SECONDS in the environment a random driver repeats runs
 * for that time, with keys, sizes, suspensions and kills of workers. At rest
 * between the runs it samples the lab: after a third of the time its memory
 * must not grow by more than MEMORY_MB, and it has as many descriptors and
 * processes as in the beginning. The seed is printed; BENCHTOP_SOAK_SEED=SEED
 * repeats the actions. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "cli/run.h"
#include "random.h"
#include "seat.h"
#include "slope.h"

enum {
	ACTIONS = 5000, /* without a duration */
	ROUND_ACTIONS = 100,
	SAMPLES_LEAST = 20,
	SAMPLES_MOST = 3000,
	MEMORY_MB = 4, /* the heap fragments for some minutes */
	WIDEST = 300,
	HIGHEST = 100
};

/* Keys by name, mouse reports, and invalid sequences. The terminal itself uses
 * Ctrl-C, Ctrl-Z, Ctrl-\ and Ctrl-S. */
static const char *const pieces[] = { "\033[A", "\033[B", "\033[C", "\033[D",
	"\033OA", "\033OB", "\033OC", "\033OD", "\033[H", "\033[F", "\033[5~",
	"\033[6~", "\033[Z", "\033OP", "\033[15~", "\033[3~", "\t", "\r", "\r",
	"\n", "\177", "\014", "\033", "\033", "\033[<0;1;1M", "\033[<0;70;23M",
	"\033[<65;3;3M", "\033[<0;99999;99999M", "\033[M !!", "\033[M\377\377", "\033[<", "\033[<0;1",
	"\033[200~", "\033[201~", "\033[", "\033[?1;2c", "\033]11;rgb:0/0/0\a",
	"\303\251", "\346\274\242", "\360\237\230\200", "\314\201", "\377",
	"\300\200", "\001", "\005", "\025", "\027", ":help\r", "?", "/sys\r",
	":glyphs\r", "G", "U", ":run cpu.call budget=2s\r", "x", "r", "x",
	":edit bogus=1\r", ":predict cpu.call 1\r", ":mouse off\r",
	":mouse on\r" };

static void send_something(struct seat *seat, uint64_t *random)
{
	char any;

	if (random_below(random, 3) == 0) {
		/* Without `q`, which quits. */
		any = (char)(' ' + random_below(random, 95));
		seat_send(seat, any == 'q' ? "j" : &any, 1);
		return;
	}
	const char *piece =
		pieces[random_below(random, sizeof pieces / sizeof *pieces)];
	seat_send(seat, piece, strlen(piece));
}

/* Waits only after a change of size: the number of keys in a broken sequence is
 * unknown. */
static void change_size(struct seat *seat, uint64_t *random)
{
	int columns = (int)random_below(random, WIDEST) + 1;
	int rows = (int)random_below(random, HIGHEST) + 1;

	if (columns == seat->columns)
		columns = columns % WIDEST + 1;
	seat_resize(seat, columns, rows);
}

static void escape(struct seat *seat, uint64_t *random)
{
	seat_send(seat, "\033", 1);
	change_size(seat, random);
	seat_idle(seat);
}

/* Leaves any open dialog: a line with text in it needs a second Esc. */
static void leave(struct seat *seat)
{
	uint64_t random = 1;

	for (int i = 0; i < 100 && seat->state != SEAT_ENDED; i++) {
		escape(seat, &random);
		escape(seat, &random);
		seat_send(seat, "q", 1);
		change_size(seat, &random);
		seat_watch(seat, .05);
	}
}

/* Actions that do not quit the lab. */
static void act(struct seat *seat, uint64_t *seed, int actions)
{
	for (int i = 0; i < actions && seat->state != SEAT_ENDED; i++) {
		if (random_below(seed, 10))
			send_something(seat, seed);
		else
			change_size(seat, seed);
		if (random_below(seed, 50) == 0)
			seat_idle(seat);
	}
	if (seat->state == SEAT_RUNS)
		return;
	seat_print(seat);
	fail_msg("the lab ended with status %#x", seat->status);
}

static void end(struct seat *seat)
{
	leave(seat);
	assert_ended(seat, 0);
	assert_restored(seat);
	seat_close(seat);
}

static void test_soak(void **state)
{
	uint64_t seed = 20;
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	act(&seat, &seed, ACTIONS);
	end(&seat);
}

/* ---- for a long time -------------------------------------------------- */

static const char *const runs[] = { "cpu.call args=0", "cpu.syscall",
	"cpu.process", "cpu.thread", "cpu.switch", "mem.latency size=64K",
	"mem.fault", "fs.read size=1M", "net.rtt host=loopback",
	"net.connect host=loopback", "net.slowstart host=loopback" };

static void type_line(struct seat *seat, const char *verb, const char *words)
{
	struct text line = { 0 };

	text_add(&line, ":%s %s\r", verb, words);
	seat_send(seat, line.chars, line.length);
	text_free(&line);
}

/* Closes all dialogs, shows the Lab, and waits until no run is active. The
 * sizes alternate, so that each step ends with a frame. */
static void come_to_rest(struct seat *seat)
{
	uint64_t random = 1;

	for (int i = 0; i < 1000; i++) {
		escape(seat, &random);
		escape(seat, &random);
		seat_send(seat, "1x", 2);
		seat_resize(seat, 80 + i % 2, 24);
		seat_idle(seat);
		if (seat_find(seat, SEAT_AT_REST, NULL, NULL) &&
			!seat_worker(seat))
			return;
		seat_watch(seat, .1);
	}
	seat_print(seat);
	fail_msg("the run does not end");
}

static void suspend(struct seat *seat, uint64_t *seed)
{
	static const int stops[] = { SIGTSTP, SIGSTOP };

	kill(seat->program, stops[random_below(seed, 2)]);
	seat_await(seat, SEAT_STOPPED);
	change_size(seat, seed);
	seat_foreground(seat);
	seat_idle(seat);
}

static void kill_worker(struct seat *seat)
{
	pid_t worker = seat_worker(seat);

	if (worker)
		kill(worker, SIGKILL);
}

/* A run with random actions beside it. Then the session is replaced by an empty
 * one: the lab must not keep anything of the run. */
static void round_of(struct seat *seat, uint64_t *seed)
{
	struct text words = { 0 };

	text_add(&words, "%s launches=6 budget=1s",
		runs[random_below(seed, sizeof runs / sizeof *runs)]);
	type_line(seat, "run", words.chars);
	text_free(&words);
	change_size(seat, seed);
	seat_idle(seat);
	for (int i = 0; i < 4; i++) {
		act(seat, seed, (int)random_below(seed, ROUND_ACTIONS / 4));
		if (random_below(seed, 4) == 0)
			suspend(seat, seed);
		if (random_below(seed, 4) == 0)
			kill_worker(seat);
		seat_watch(seat, (double)random_below(seed, 1000) / 1000);
	}
	come_to_rest(seat);
	type_line(seat, "load", "empty.json");
	come_to_rest(seat);
	/* Nothing is looked up in the output of earlier rounds. */
	text_clear(&seat->log);
}

struct samples {
	double at_s[SAMPLES_MOST], memory_mb[SAMPLES_MOST];
	size_t count, descriptors, processes;
};

static double resident_mb(pid_t process)
{
	char path[64];
	unsigned long all, resident;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu %lu", &all, &resident), 2);
	fclose(file);
	return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void sample(struct seat *seat, struct samples *samples, double at_s)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/fd", (int)seat->program);
	size_t descriptors = entries_in(path);
	size_t processes = (size_t)processes_of(PROGRAM);
	if (!samples->count) {
		samples->descriptors = descriptors;
		samples->processes = processes;
	}
	assert_int_equal(descriptors, samples->descriptors);
	assert_int_equal(processes, samples->processes);
	assert_true(samples->count < SAMPLES_MOST);
	samples->at_s[samples->count] = at_s;
	samples->memory_mb[samples->count++] = resident_mb(seat->program);
}

static void assert_flat(const struct samples *samples)
{
	size_t warm = samples->count / 3, n = samples->count - warm;
	const double *at_s = samples->at_s + warm;
	struct slope slope;

	assert_true(samples->count >= SAMPLES_LEAST);
	assert_true(slope_theil_sen(at_s, samples->memory_mb + warm, n,
		&slope));
	double grown_mb = slope.slope * (at_s[n - 1] - at_s[0]);
	printf("%zu runs: memory %.2f MB at first, %.2f MB after a third of "
	       "the time, %+.2f MB since; %zu descriptors, %zu processes\n",
		samples->count, samples->memory_mb[0],
		samples->memory_mb[warm], grown_mb, samples->descriptors,
		samples->processes);
	assert_true(grown_mb < MEMORY_MB);
}

static double elapsed_s(uint64_t since_ns)
{
	return (double)(seat_now_ns() - since_ns) * 1e-9;
}

static void test_long(void **state)
{
	static struct samples samples;
	const char *seconds = getenv("BENCHTOP_SOAK_S");
	const char *given = getenv("BENCHTOP_SOAK_SEED");
	uint64_t began_ns = seat_now_ns();
	uint64_t seed =
		given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct seat seat;

	if (!seconds)
		return;
	printf("seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	struct ran ran = RUN(PROGRAM, "-c", "note empty; save empty.json");
	assert_status(ran, 0);
	ran_free(&ran);
	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	while (elapsed_s(began_ns) < strtod(seconds, NULL)) {
		round_of(&seat, &seed);
		sample(&seat, &samples, elapsed_s(began_ns));
	}
	end(&seat);
	assert_flat(&samples);
}

static int prepare(void **state)
{
	/* The input may create files. */
	return make_folder(state) || chdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_soak),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, prepare, remove_folder);
}
