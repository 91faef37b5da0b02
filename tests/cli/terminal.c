/* Runs the program on a pseudo-terminal. */
#include "terminal.h"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

struct ran run_on_terminal(const char *program, const char *const *words,
	unsigned on, const char *typed)
{
	return run_on_terminal_after(NULL, program, words, on, typed);
}

struct ran run_on_terminal_after(int (*enter)(void), const char *program,
	const char *const *words, unsigned on, const char *typed)
{
	struct ran ran = { 0 };
	int terminal, end, out[2];
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	assert_int_equal(openpty(&terminal, &end, NULL, NULL, &size), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	fcntl(terminal, F_SETFD, FD_CLOEXEC);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int null = open("/dev/null", O_RDONLY);
		const char *copy[16] = { program };

		setsid();
		dup2(on & ON_IN ? end : null, 0);
		dup2(on & ON_OUT ? end : out[1], 1);
		dup2(on & ON_ERR ? end : out[1], 2);
		close(end);
		for (size_t i = 0; words[i] && i < 14; i++)
			copy[i + 1] = words[i];
		if (enter && enter())
			_exit(NOT_ENTERED);
		execv(program, (char *const *)copy);
		_exit(127);
	}
	close(end);
	close(out[1]);
	if (*typed)
		assert_true(write(terminal, typed, strlen(typed)) > 0);
	/* If the other end is closed, a read from the terminal fails, which is
	 * the end of the output. */
	collect(out[0], terminal, &ran);
	close(out[0]);
	close(terminal);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) :
					 128 + WTERMSIG(status);
	if (enter && ran.status == NOT_ENTERED)
		ran.status = -1;
	return ran;
}
