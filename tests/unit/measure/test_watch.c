/* The watchdog: a slow child is not stuck, and a stuck child is detected. */
#include "watch.h"

#include <sys/mman.h>

#include "check.h"
#include "fake_root.h"

static const uint64_t second = 1000000000u;

/* Checks ten times a second, as the lab does, from `from_s` to `to_s`. */
static bool stuck_within(struct watch *watch, struct watch_signs *signs,
	unsigned from_s, unsigned to_s,
	void (*meanwhile)(struct watch_signs *, unsigned tenth),
	double trial_ns)
{
	for (unsigned tenth = from_s * 10; tenth < to_s * 10; tenth++) {
		uint64_t now_ns = tenth * (second / 10);

		if (meanwhile)
			meanwhile(signs, tenth);
		if (watch_wants(watch, now_ns))
			watch_look(watch, signs, now_ns);
		if (watch_stuck(watch, trial_ns, now_ns))
			return true;
	}
	return false;
}

static void silence_is_stuck(void **state)
{
	struct watch_signs signs = { 7, 7 };
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(stuck_within(&watch, &signs, 100, 110, NULL, 0));
	assert_true(stuck_within(&watch, &signs, 110, 111, NULL, 0));
	/* A message of the worker restarts the time. */
	watch_heard(&watch, 111 * second);
	assert_false(stuck_within(&watch, &signs, 111, 121, NULL, 0));
}

/* If nothing can be read from /proc, a worker is judged by its messages. */
static void nothing_seen_is_no_excuse(void **state)
{
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(watch_stuck(&watch, 0, 109 * second));
	assert_true(watch_stuck(&watch, 0, 110 * second));
}

static void long_trials_are_waited_for(void **state)
{
	struct watch_signs signs = { 0, 0 };
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(stuck_within(&watch, &signs, 100, 124, NULL, 5e9));
	assert_true(stuck_within(&watch, &signs, 124, 126, NULL, 5e9));
}

/* Touches a page every four seconds. */
static void touches_slowly(struct watch_signs *signs, unsigned tenth)
{
	signs->faults += tenth % 40 == 0;
}

static void faults_are_progress(void **state)
{
	struct watch_signs signs = { 1000, 0 };
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(stuck_within(&watch, &signs, 100, 180, touches_slowly, 0));
	/* When the touches end, the worker is stuck. */
	assert_true(stuck_within(&watch, &signs, 180, 192, NULL, 0));
	assert_int_equal(watch_stuck(&watch, 0, 192 * second), WATCH_SILENT);
}

/* Page faults without any message of the worker. */
static void faults_without_end_are_stuck(void **state)
{
	struct watch_signs signs = { 1000, 0 };
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(stuck_within(&watch, &signs, 100, 200, touches_slowly, 0));
	assert_true(stuck_within(&watch, &signs, 200, 201, touches_slowly, 0));
	assert_int_equal(watch_stuck(&watch, 0, 200 * second), WATCH_ENDLESS);
	/* A message restarts the time; long trials extend it. */
	watch_heard(&watch, 201 * second);
	assert_false(
		stuck_within(&watch, &signs, 201, 350, touches_slowly, 2e9));
	assert_true(
		stuck_within(&watch, &signs, 350, 362, touches_slowly, 2e9));
	/* A limit set by the caller is not changed by messages. */
	watch.limit_ns = 20e9;
	watch_heard(&watch, 400 * second);
	assert_false(stuck_within(&watch, &signs, 400, 420, touches_slowly, 0));
	watch_heard(&watch, 420 * second);
	assert_false(stuck_within(&watch, &signs, 420, 440, touches_slowly, 0));
	assert_true(stuck_within(&watch, &signs, 440, 441, touches_slowly, 0));
}

/* The process waits for the processor for nine tenths of the time, and touches
 * a page now and then. */
static void touches_and_waits(struct watch_signs *signs, unsigned tenth)
{
	touches_slowly(signs, tenth);
	signs->waited_ns += second / 10 * 9 / 10;
}

static void waiting_is_not_counted_as_faulting(void **state)
{
	struct watch_signs signs = { 0, 0 };
	struct watch watch = { .limit_ns = 20e9 };

	watch_heard(&watch, 100 * second);
	assert_false(
		stuck_within(&watch, &signs, 100, 280, touches_and_waits, 0));
	assert_true(
		stuck_within(&watch, &signs, 280, 320, touches_and_waits, 0));
	assert_true(watch.waited_ns > 150e9);
}

/* The process waits for the processor for nine tenths of the time. */
static void waits_mostly(struct watch_signs *signs, unsigned tenth)
{
	(void)tenth;
	signs->waited_ns += second / 10 * 9 / 10;
}

static void waits_twice(struct watch_signs *signs, unsigned tenth)
{
	(void)tenth;
	signs->waited_ns += second / 10 * 2;
}

static void waiting_is_not_silence(void **state)
{
	struct watch_signs signs = { 0, 5 };
	struct watch watch = { .limit_ns = 0 };

	watch_heard(&watch, 100 * second);
	assert_false(stuck_within(&watch, &signs, 100, 180, waits_mostly, 0));
	/* An endless loop is detected on a busy machine too. */
	assert_true(stuck_within(&watch, &signs, 180, 205, waits_mostly, 0));
	/* Two waiting threads do not excuse more than the elapsed time. The
	 * waiting time of a thread that has ended is no longer counted. */
	watch_heard(&watch, 300 * second);
	assert_false(stuck_within(&watch, &signs, 300, 400, waits_twice, 0));
	signs.waited_ns = 0;
	assert_true(stuck_within(&watch, &signs, 400, 411, NULL, 0));
}

/* ---- files of /proc --------------------------------------------------- */

static void files_are_read(void **state)
{
	struct watch_signs signs;

	/* A process name may contain any characters, such as brackets and
	 * blanks. */
	fake_file("/proc/71/stat",
		"71 (a) b (c) R 1 71 71 0 -1 4194304 300 9 20 8 7 6 5 4\n");
	fake_file("/proc/71/task/71/schedstat", "500 1000 3\n");
	fake_file("/proc/71/task/72/schedstat", "500 234 3\n");
	assert_true(watch_read(fake_root, 71, &signs));
	assert_int_equal(signs.faults, 320);
	assert_int_equal(signs.waited_ns, 1234);
	/* Kernels without schedstat do not report waiting time. */
	fake_file("/proc/73/stat", "73 (x) S 1 73 73 0 -1 0 4 0 0 0\n");
	assert_true(watch_read(fake_root, 73, &signs));
	assert_int_equal(signs.faults, 4);
	assert_int_equal(signs.waited_ns, 0);
	assert_false(watch_read(fake_root, 74, &signs));
	fake_file("/proc/75/stat", "no such line\n");
	assert_false(watch_read(fake_root, 75, &signs));
}

static void this_process_is_read(void **state)
{
	enum { PAGES = 64, PAGE_BYTES = 4096 };
	struct watch_signs before, after;

	assert_true(watch_read("", getpid(), &before));
	char *fresh = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(fresh, MAP_FAILED);
	madvise(fresh, PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		*(volatile char *)&fresh[i * PAGE_BYTES] = 1;
	assert_true(watch_read("", getpid(), &after));
	/* With larger base pages there are fewer of them. */
	assert_true(after.faults > before.faults);
	munmap(fresh, PAGES * PAGE_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silence_is_stuck),
		cmocka_unit_test(nothing_seen_is_no_excuse),
		cmocka_unit_test(long_trials_are_waited_for),
		cmocka_unit_test(faults_are_progress),
		cmocka_unit_test(faults_without_end_are_stuck),
		cmocka_unit_test(waiting_is_not_counted_as_faulting),
		cmocka_unit_test(waiting_is_not_silence),
		cmocka_unit_test_setup_teardown(files_are_read, fake_open,
			fake_close),
		cmocka_unit_test(this_process_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
