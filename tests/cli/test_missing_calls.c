/* A kernel or sandbox without a system call: the run succeeds by other means,
 * or one sentence names the call and the cure. */
#include <errno.h>

#include "capture_files.h"
#include "new_calls.h"
#include "without.h"

static struct ran run_selftest_without(unsigned number)
{
	static const char *const words[] = { "run", "selftest.adds",
		"launches=6", NULL };

	return run_without(number, ENOSYS, SELFTEST, words);
}

static void test_other_means(void **state)
{
	static const unsigned numbers[] = { SYS_pidfd_open,
		SYS_pidfd_send_signal, SYS_fallocate, SYS_memfd_create,
		SYS_close_range, SYS_clone3 };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct ran ran = run_selftest_without(numbers[i]);

		assert_status(ran, 0);
		assert_contains(ran.out, "selftest.adds");
		ran_free(&ran);
	}
}

/* Linux before 5.3. */
static void test_experiment_of_a_call(void **state)
{
	static const char *const words[] = { "run", "cpu.process",
		"how=fork,clone3", "launches=6", NULL };
	struct ran ran = run_without(SYS_clone3, ENOSYS, PROGRAM, words);

	assert_status(ran, 0);
	assert_contains(ran.out, "clone3: Function not implemented: expected "
				 "Linux 5.3, and a sandbox that allows it");
	ran_free(&ran);
}

static void test_sentences(void **state)
{
	struct ran ran = run_selftest_without(SYS_signalfd4);

	assert_status(ran, 4);
	assert_contains(ran.err, "signalfd4: Function not implemented: "
				 "expected a sandbox that allows it");
	ran_free(&ran);
	ran = run_selftest_without(SYS_clone);
	assert_status(ran, 5);
	assert_contains(ran.err, "cannot fork: Function not implemented: "
				 "expected a sandbox that allows clone");
	ran_free(&ran);
}

/* A filter of system calls may lack poll(2), for example one made without
 * memory: a file is read all the same. */
static void test_helper_without_poll(void **state)
{
#ifdef SYS_poll
	enum { POLL = SYS_poll };
#else
	enum { POLL = SYS_ppoll };
#endif
	const char *path = in_folder("one.pcap");
	struct made made = { { 0x45 }, 20, 20 };
	struct capture_file file;
	struct text line = { 0 };

	capture_file_open(&file, path, 101); /* raw IP */
	capture_file_add(&file, &made, 0);
	capture_file_close(&file);
	text_add(&line, "exec " PROGRAM "-capture file <%s | wc -c", path);
	const char *const words[] = { "-c", line.chars, NULL };
	struct ran all = RUN("/bin/sh", "-c", line.chars);
	struct ran ran = run_without(POLL, EPERM, "/bin/sh", words);
	assert_status(ran, 0);
	assert_true(strtol(ran.out.chars, NULL, 10) > 60);
	assert_string_equal(ran.out.chars, all.out.chars);
	ran_free(&ran);
	ran_free(&all);
	text_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_means),
		cmocka_unit_test(test_experiment_of_a_call),
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_helper_without_poll),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
