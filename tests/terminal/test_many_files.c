/* 5000 kept sessions slow down neither the first frame nor their list.
 * bench_scale has the strict figures, and a session of 5 million trials. */
#include "cli/run.h"
#include "promise.h"
#include "seat.h"

enum { FILES = 5000 };

/* One file under many names. */
static int begin(void **state)
{
	char path[600];

	if (make_folder(state))
		return -1;
	struct ran ran = RUN("/bin/mkdir", "-p",
		in_folder("state/benchtop/sessions"));
	ran_free(&ran);
	char *session = read_whole(SOURCE_FOLDER "/assets/pictures/calls.json");
	write_file(in_folder("one.json"), session);
	free(session);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof path,
			"%s/state/benchtop/sessions/20250301-%06d-1.json",
			folder, i);
		if (link(in_folder("one.json"), path))
			return -1;
	}
	return 0;
}

static void test_first_frame(void **state)
{
	struct promise promise = { "the first frame", "ms", .limit = 100 };

	while (promise_open(&promise))
		promise_attempt(&promise, seat_start_ms());
	promise_keep(&promise);
}

static void test_list(void **state)
{
	struct promise promise = { "the list", "ms", .limit = 1000 };

	while (promise_open(&promise)) {
		uint64_t began_ns = seat_now_ns();
		struct ran ran = RUN(PROGRAM, "sessions");

		promise_attempt(&promise,
			(double)(seat_now_ns() - began_ns) * 1e-6);
		assert_status(ran, 0);
		assert_contains(ran.out, "\n5000  ");
		ran_free(&ran);
	}
	promise_keep(&promise);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_frame),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, begin, remove_folder);
}
