/* Exhausted memory ends the process with one sentence and its exit code. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "error.h"
#include "memory.h"

static void allocate(void)
{
	memory_exhausted(12345);
}

static void overflow(void)
{
	xcalloc(SIZE_MAX, 2);
}

static void restore(void)
{
	dprintf(STDERR_FILENO, "restored; ");
}

/* The process's standard error; *status is its wait status. */
static void end_of(void (*body)(void), char *said, size_t size, int *status)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		body();
		_exit(0);
	}
	close(ends[1]);
	ssize_t got = read(ends[0], said, size - 1);
	said[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, status, 0), pid);
}

static void ends_with(void (*body)(void), const char *sentence)
{
	char said[512];
	int status;

	end_of(body, said, sizeof said, &status);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STATUS_INTERNAL);
	assert_memory_equal(said, sentence, strlen(sentence));
	assert_non_null(strstr(said, "`benchtop recover`"));
}

static void test_ends(void **state)
{
	ends_with(allocate,
		"benchtop: out of memory: cannot allocate 12345 bytes; ");
	ends_with(overflow, "benchtop: out of memory: cannot allocate ");
}

static void test_the_terminal_first(void **state)
{
	memory_before_exit(restore);
	ends_with(allocate, "restored; benchtop: out of memory");
	memory_before_exit(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_the_terminal_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
