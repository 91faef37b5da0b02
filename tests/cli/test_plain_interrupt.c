/* Ctrl-C at the prompt of `--plain` always has an effect. */
#include <poll.h>
#include <pty.h>
#include <signal.h>

#include "run.h"

static int terminal;
static pid_t pid;
static struct text seen;

/* Reads until the terminal has shown a text `times` times in all. */
static void await(const char *text, int times)
{
	enum { PATIENCE_MS = 60000 };

	for (;;) {
		int count = 0;

		for (const char *at = text_chars(&seen);
			(at = strstr(at, text)); at++)
			count++;
		if (count >= times)
			return;
		struct pollfd polled = { .fd = terminal, .events = POLLIN };
		char piece[4096];
		ssize_t got = -1;
		if (poll(&polled, 1, PATIENCE_MS) > 0)
			got = read(terminal, piece, sizeof piece);
		if (got <= 0)
			fail_msg("no '%s' (%d times) in:\n%s", text, times,
				text_chars(&seen));
		text_add_chars(&seen, piece, (size_t)got);
	}
}

static void type(const char *chars)
{
	assert_true(write(terminal, chars, strlen(chars)) ==
		(ssize_t)strlen(chars));
}

static int open_prompt(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	text_clear(&seen);
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (!pid) {
		execl(PROGRAM, PROGRAM, "--plain", NULL);
		_exit(127);
	}
	await("benchtop> ", 1);
	return 0;
}

static int ended(void)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(terminal);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Ctrl-C discards a partly typed line and reports this; the next line is
 * complete. */
static void test_line(void **state)
{
	type("quit");
	await("quit", 1);
	type("\x03");
	await("another Ctrl-C", 1);
	await("benchtop> ", 2);
	type("list cpu\n");
	await("entering the kernel", 1);
	await("benchtop> ", 3);
	/* After a line, the next Ctrl-C counts as a first one again. */
	type("\x03");
	await("another Ctrl-C", 2);
	await("benchtop> ", 4);
	type("quit\n");
	assert_int_equal(ended(), 0);
}

static void test_twice_leaves(void **state)
{
	type("\x03");
	await("another Ctrl-C", 1);
	await("benchtop> ", 2);
	type("\x03");
	assert_int_equal(ended(), 130);
}

/* Ctrl-C during a line that does not measure for a session ends the line with a
 * message, and the prompt returns. */
static void test_other_line(void **state)
{
	type("list cpu; doctor\n");
	await("entering the kernel", 1);
	kill(pid, SIGINT);
	await("benchtop: interrupted", 1);
	await("benchtop> ", 2);
	type("list mem\n");
	await("mem.latency", 1);
	type("quit\n");
	assert_int_equal(ended(), 0);
}

static int free_seen(void **state)
{
	text_free(&seen);
	return remove_folder(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_line, open_prompt),
		cmocka_unit_test_setup(test_twice_leaves, open_prompt),
		cmocka_unit_test_setup(test_other_line, open_prompt),
	};

	return cmocka_run_group_tests(tests, make_folder, free_seen);
}
