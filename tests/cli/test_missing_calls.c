/* A kernel or sandbox without a system call: the run succeeds by other means,
 * or one sentence names the call and the cure. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "run.h"

static int forbid(const void *context)
{
	unsigned number = *(const unsigned *)context;
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof lines / sizeof *lines, lines };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Runs an experiment in a process without the call. */
static struct ran run_without(unsigned number)
{
	static const char *const words[] = { "run", "selftest.adds",
		"launches=6", NULL };

	return run_after(forbid, &number, SELFTEST, words);
}

static void test_other_means(void **state)
{
	static const unsigned numbers[] = { SYS_pidfd_open,
		SYS_pidfd_send_signal, SYS_fallocate, SYS_memfd_create,
		SYS_close_range, SYS_clone3 };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct ran ran = run_without(numbers[i]);

		assert_status(ran, 0);
		assert_contains(ran.out, "selftest.adds");
		ran_free(&ran);
	}
}

static void test_sentences(void **state)
{
	struct ran ran = run_without(SYS_signalfd4);

	assert_status(ran, 4);
	assert_contains(ran.err, "signalfd4: Function not implemented: "
				 "expected a sandbox that allows it");
	ran_free(&ran);
	ran = run_without(SYS_clone);
	assert_status(ran, 5);
	assert_contains(ran.err, "cannot fork: Function not implemented: "
				 "expected a sandbox that allows clone");
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_means),
		cmocka_unit_test(test_sentences),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
