/* fs.uring: every mode has figures; where io_uring is forbidden, one sentence
 * states it. */
#include <errno.h>
#include <sys/syscall.h>

#include "disk.h"
#include "without.h"

#define WORDS "run", "fs.uring", "launches=6", "trials=8", "budget=60s", "-v"

/* A sandbox may forbid io_uring also here. */
static bool is_allowed(void)
{
	struct ran ran = RUN(PROGRAM, WORDS, "op=nop", "mode=enter", "depth=1");
	bool allowed = ran.status == 0;

	if (!allowed) {
		assert_status(ran, 4);
		assert_contains(ran.out, "io_uring");
		print_message("SKIP: not permitted here: io_uring\n");
	}
	ran_free(&ran);
	return allowed;
}

static void measures(const char *op, const char *mode, const char *depth,
	const char *batch, const char *block)
{
	char dir[800];

	snprintf(dir, sizeof dir, "dir=%s", disk);
	struct ran ran = RUN(PROGRAM, WORDS, op, mode, depth, batch, block,
		"size=1M", dir);
	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	/* A busy core may leave too few trials for the comparison, or none. */
	if (!strcmp(op, "op=read") &&
		!contains(&ran.out, "not enough data") &&
		!contains(&ran.out, "all trials excluded"))
		assert_contains(ran.out, "times its CPU time");
	assert_int_equal(processes_of(PROGRAM), 0);
	assert_int_equal(entries_in(disk), 0);
	ran_free(&ran);
}

static void test_every_mode(void **state)
{
	if (!is_allowed())
		skip();
	measures("op=nop", "mode=enter", "depth=1,7,256", "batch=depth",
		"block=4K");
	measures("op=read", "mode=enter", "depth=1,7", "batch=1", "block=512");
	measures("op=read", "mode=enter", "depth=64", "batch=5", "block=64K");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	measures("op=nop", "mode=sqpoll", "depth=1,7", "batch=depth",
		"block=4K");
	measures("op=read", "mode=sqpoll", "depth=64", "batch=5", "block=4K");
}

/* Requests without work have no pread beside them. */
static void test_other_metrics(void **state)
{
	if (!is_allowed())
		skip();
	struct ran ran = RUN(PROGRAM, "run", "fs.uring", "op=nop", "mode=enter",
		"depth=1,2", "launches=6", "trials=8", "budget=60s");

	assert_status(ran, 0);
	assert_contains(ran.out, "calls of io_uring_enter per request");
	assert_lacks(ran.out, "time per pread");
	ran_free(&ran);
}

/* The calls per request are counted: a call for each batch. */
static void test_calls(void **state)
{
	char line[1200];

	if (!is_allowed())
		skip();
	snprintf(line, sizeof line,
		"run fs.uring op=nop mode=enter depth=64 batch=16 launches=6 "
		"trials=8 budget=60s; "
		"expect fs.uring.calls median > 0.0624; "
		"expect fs.uring.calls median < 0.07");
	struct ran ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	ran_free(&ran);
}

/* Of large blocks each buffer is used once, so that a trial is short. */
static void test_large_blocks(void **state)
{
	static const struct {
		const char *block;
		unsigned ops;
	} rows[] = { { "block=1M", 64 }, { "block=2M", 16 } };
	char where[800];

	if (!is_allowed())
		skip();
	snprintf(where, sizeof where, "dir=%s", disk);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = RUN(PROGRAM, WORDS, "op=read", "mode=enter",
			"depth=16", rows[i].block, "size=16M", where, "--json");
		const char *at = strstr(text_chars(&ran.out), "\"points\":");
		unsigned ops = 0;

		assert_status(ran, 0);
		at = at ? strstr(at, "\"ops\":") : NULL;
		assert_non_null(at);
		assert_int_equal(sscanf(at, "\"ops\":%u", &ops), 1);
		assert_int_equal(ops, rows[i].ops);
		ran_free(&ran);
	}
}

static void test_unavailable(void **state)
{
	static const struct {
		const char *word, *other, *sentence;
	} rows[] = {
		{ "depth=4", "batch=5", "batch=5 exceeds depth=4" },
		{ "size=1000", "block=512", "is not a multiple of the block" },
		{ "mode=sqpoll", "placement=same-cpu", "of its own: expected" },
		{ "dir=nfs://nobody/x", "depth=1", "expected a folder" },
		{ "dir=/nowhere", "depth=1", "No such file or directory" },
	};

	if (!is_allowed())
		skip();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ran ran = RUN(PROGRAM, WORDS, "op=read", rows[i].word,
			rows[i].other);

		assert_status(ran, 4);
		assert_contains(ran.out, rows[i].sentence);
		ran_free(&ran);
	}
}

static void test_forbidden(void **state)
{
	static const int numbers[] = { EPERM, ENOSYS };
	static const char *const words[] = { WORDS, "mode=enter,sqpoll", NULL };

	for (size_t i = 0; i < 2; i++) {
		struct ran ran = run_without(SYS_io_uring_setup, numbers[i],
			PROGRAM, words);

		assert_status(ran, 4);
		assert_contains(ran.out, "unavailable");
		assert_true(contains(&ran.out, strerror(numbers[i])) ||
			contains(&ran.out, "io_uring_disabled is"));
		ran_free(&ran);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_mode),
		cmocka_unit_test(test_other_metrics),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_large_blocks),
		cmocka_unit_test(test_unavailable),
		cmocka_unit_test(test_forbidden),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
