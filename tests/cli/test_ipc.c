/* The experiments on communication between processes: counts that must match,
 * refusals, and nothing left behind. */
#include <sys/resource.h>

#include "run.h"

static void test_every_carrier_is_verified(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "ipc.pingpong",
		"through=pipe,fifo,unix-stream,unix-dgram,eventfd,futex,"
		"posix-mq,sysv-sem,fcntl,flock",
		"launches=6", "trials=10", "budget=20s", "--json");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	/* A round trip on one processor has two switches. */
	assert_contains(ran.out, "2.0 per round trip, counted by the kernel");
	assert_contains(ran.out, "times as long as through");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

static void test_tokens_have_no_payload(void **state)
{
	static const char *const tokens[] = { "eventfd", "futex", "sysv-sem",
		"fcntl", "flock" };

	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
		char setting[32];

		snprintf(setting, sizeof setting, "through=%s", tokens[i]);
		struct ran ran = RUN(PROGRAM, "run", "ipc.pingpong", setting,
			"payload=2", "launches=6", "trials=10");
		assert_contains(ran.out, "a token without bytes");
		ran_free(&ran);
	}
}

static void test_bytes_are_those_sent(void **state)
{
	/* A size that divides neither the ring nor the total. */
	struct ran ran = RUN(PROGRAM, "run", "ipc.bandwidth", "size=64,1000",
		"capacity=auto,4K,128K", "launches=6", "trials=4",
		"budget=20s", "--json");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_contains(ran.out, "\"131072 bytes\"");
	assert_contains(ran.out, "shm-over-pipe");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

static void test_ready_descriptors_are_found(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "ipc.ready", "descriptors=1,40,41",
		"active=0,1,40", "launches=6", "trials=10", "budget=20s");

	assert_status(ran, 0);
	assert_verified(ran);
	assert_contains(ran.out, "active=40 exceeds descriptors=1");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "ipc.ready", "with=select",
		"descriptors=1024", "launches=6", "trials=10");
	assert_contains(ran.out, "select cannot wait for descriptors from 1024");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

static int limit_descriptors(const void *context)
{
	const struct rlimit *limit = context;

	return setrlimit(RLIMIT_NOFILE, limit);
}

/* A point with too many descriptors closes those that it opened: the points
 * after it need some. */
static void test_too_many_descriptors(void **state)
{
	static const char *const words[] = { "run", "ipc.ready", "with=poll",
		"descriptors=2048,1,8,64", "launches=6", "trials=10",
		"budget=20s", "--json", NULL };
	const struct rlimit limit = { 1024, 1024 };
	struct ran ran =
		run_after(limit_descriptors, &limit, PROGRAM, words);
	const char *at = text_chars(&ran.out);
	size_t measured = 0;

	for (; (at = strstr(at, "\"state\":\"ok\"")); at++)
		measured++;
	assert_int_equal(measured, 3);
	assert_contains(ran.out, "of 2048 descriptors can be opened");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_carrier_is_verified),
		cmocka_unit_test(test_tokens_have_no_payload),
		cmocka_unit_test(test_bytes_are_those_sent),
		cmocka_unit_test(test_ready_descriptors_are_found),
		cmocka_unit_test(test_too_many_descriptors),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
