/* Typed lines are available at the next start: limited in number, private, and
 * merged with those of a screen that was open simultaneously. */
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "fixture.h"
#include "history.h"

static const char *path(void)
{
	static char path[256];
	char *folder = folder_state();

	assert_non_null(folder);
	snprintf(path, sizeof path, "%s/history", folder);
	free(folder);
	return path;
}

static void keep(const struct prompt *prompt)
{
	struct error error;

	assert_int_equal(history_keep(prompt, &error), 0);
}

static void test_next_start(void **state)
{
	struct prompt first = { 0 }, second = { 0 };
	struct stat is;

	history_load(&first);
	assert_int_equal(first.history_count, 0);
	prompt_remember(&first, "run cpu.call args=0..7");
	prompt_remember(&first, "note '\xe2\x82\xac 3'");
	keep(&first);
	assert_int_equal(stat(path(), &is), 0);
	assert_int_equal(is.st_mode & 07777, 0600);
	history_load(&second);
	assert_int_equal(second.history_count, 2);
	assert_string_equal(second.history[0], "run cpu.call args=0..7");
	assert_string_equal(second.history[1], "note '\xe2\x82\xac 3'");
	/* Up recalls it. */
	prompt_open(&second, PROMPT_COMMAND, ":", "");
	prompt_key(&second, NULL, "Up", 0);
	prompt_key(&second, NULL, "Up", 0);
	assert_string_equal(second.line, "run cpu.call args=0..7");
	prompt_free(&first);
	prompt_free(&second);
}

static void test_two_at_once(void **state)
{
	struct prompt first = { 0 }, second = { 0 }, third = { 0 };

	history_load(&first);
	history_load(&second);
	prompt_remember(&first, "help");
	prompt_remember(&second, "doctor");
	keep(&first);
	keep(&second);
	history_load(&third);
	size_t count = third.history_count;
	assert_int_equal(count, 4);
	assert_string_equal(third.history[count - 2], "help");
	assert_string_equal(third.history[count - 1], "doctor");
	/* Without typed lines no file is written. */
	assert_int_equal(unlink(path()), 0);
	keep(&third);
	assert_int_equal(access(path(), F_OK), -1);
	prompt_free(&first);
	prompt_free(&second);
	prompt_free(&third);
}

static void test_bounded(void **state)
{
	struct prompt first = { 0 }, second = { 0 };
	char line[32];

	for (int i = 0; i < 1234; i++) {
		snprintf(line, sizeof line, "note %d", i);
		prompt_remember(&first, line);
	}
	assert_int_equal(first.history_count, 500);
	keep(&first);
	history_load(&second);
	assert_int_equal(second.history_count, 500);
	assert_string_equal(second.history[0], "note 734");
	assert_string_equal(second.history[499], "note 1233");
	prompt_free(&first);
	prompt_free(&second);
}

/* From a file of another program, only lines that could have been typed are
 * used. */
static void test_strange_lines(void **state)
{
	static const char head[] = "help\n\n\033[2Jevil\n\xff\xfe\nl\0ist\n";
	struct prompt prompt = { 0 };
	struct text content = { 0 };
	struct error error;

	text_add_chars(&content, head, sizeof head - 1);
	for (int i = 0; i < 2000; i++)
		text_add_char(&content, 'x');
	text_add(&content, "\ndoctor");
	assert_int_equal(file_save(path(), content.chars, content.length,
				 &error),
		0);
	history_load(&prompt);
	assert_int_equal(prompt.history_count, 2);
	assert_string_equal(prompt.history[0], "help");
	assert_string_equal(prompt.history[1], "doctor");
	prompt_free(&prompt);
	text_free(&content);
}

/* A file that cannot be read is not overwritten, and this is reported. */
static void test_no_file(void **state)
{
	struct prompt prompt = { 0 };
	struct error error;

	unlink(path());
	assert_int_equal(mkdir(path(), 0700), 0);
	history_load(&prompt);
	assert_int_equal(prompt.history_count, 0);
	prompt_remember(&prompt, "help");
	assert_int_equal(history_keep(&prompt, &error), -1);
	assert_non_null(strstr(error.message, "history"));
	assert_int_equal(rmdir(path()), 0);
	prompt_free(&prompt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next_start),
		cmocka_unit_test(test_two_at_once),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_strange_lines),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
