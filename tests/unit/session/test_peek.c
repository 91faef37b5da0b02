/* Reads of small files: bounded, without errors, and safe to print. */
#include "peek.h"

#include "fake_tree.h"

static void lines_are_trimmed_and_safe(void **state)
{
	char line[64];

	fake_file("/a", "  \tmodel one \nsecond\n");
	assert_true(peek_line(fake_root, line, sizeof line, "/%s", "a"));
	assert_string_equal(line, "model one");
	fake_file("/b", "red\033[31m\xff");
	assert_true(peek_line(fake_root, line, sizeof line, "/b"));
	assert_string_equal(line, "red\\x1b[31m\\xff");
	fake_file("/c", "\n\n");
	assert_false(peek_line(fake_root, line, sizeof line, "/c"));
	assert_string_equal(line, "");
	assert_false(peek_line(fake_root, line, sizeof line, "/missing"));
	assert_string_equal(line, "");
}

static void long_lines_are_cut_at_a_whole_character(void **state)
{
	char line[8];

	fake_file("/a", "1234567");
	peek_line(fake_root, line, sizeof line, "/a");
	assert_string_equal(line, "1234567");
	fake_file("/a", "12345678");
	peek_line(fake_root, line, sizeof line, "/a");
	assert_string_equal(line, "12345..");
	fake_file("/a", "1234\u00e95678");
	peek_line(fake_root, line, sizeof line, "/a");
	assert_string_equal(line, "1234..");
}

static void a_path_that_is_too_long_is_no_file(void **state)
{
	char line[8], path[2000];

	memset(path, 'x', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	assert_false(peek_line(fake_root, line, sizeof line, "/%s", path));
	assert_false(peek_line(path, line, sizeof line, "/a"));
}

static void numbers_are_read_or_left_alone(void **state)
{
	static const char *const bad[] = { "", "max", "inf", "nan", "1e999",
		"-", "." };
	double value = 7;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		fake_file("/n", bad[i]);
		assert_false(peek_number(fake_root, &value, "/n"));
	}
	assert_near(value, 7);
	fake_file("/n", "-1\n");
	assert_true(peek_number(fake_root, &value, "/n"));
	assert_near(value, -1);
	fake_file("/n", "0.25 0.5 1/83");
	assert_true(peek_number(fake_root, &value, "/n"));
	assert_near(value, .25);
}

static void fields_are_found_by_whole_keys(void **state)
{
	static const char text[] = "model name\t: fast\nmodel\t\t: 7\n"
				   "cpu0 1 2\ncpu  3 4\nempty\t:\nlast: end";
	char value[16];
	double number;

	assert_true(field_find(text, "model", ':', value, sizeof value));
	assert_string_equal(value, "7");
	assert_true(field_find(text, "cpu", ' ', value, sizeof value));
	assert_string_equal(value, "3 4");
	assert_true(field_number(text, "cpu0", ' ', &number));
	assert_near(number, 1);
	assert_false(field_find(text, "empty", ':', value, sizeof value));
	assert_true(field_find(text, "last", ':', value, sizeof value));
	assert_string_equal(value, "end");
	assert_false(field_find(text, "name", ':', value, sizeof value));
	assert_string_equal(value, "");
}

static void words_are_whole(void **state)
{
	assert_true(words_have("tsc constant_tsc", "tsc"));
	assert_true(words_have(" a\tb", "b"));
	assert_false(words_have("constant_tsc", "tsc"));
	assert_false(words_have("", "tsc"));
	assert_false(words_have("a b", ""));
}

static void processor_lists_go_both_ways(void **state)
{
	struct processors set;
	char list[32], small[12];

	assert_int_equal(processors_read("0-3,8,10-11", &set), 7);
	processors_write(&set, list, sizeof list);
	assert_string_equal(list, "0-3,8,10-11");
	assert_int_equal(processors_read("0,2,4,6,8,10", &set), 6);
	processors_write(&set, small, sizeof small);
	assert_string_equal(small, "0,2,4,6,8..");
	assert_int_equal(processors_read("", &set), 0);
	assert_int_equal(processors_read("x", &set), 0);
	assert_int_equal(processors_read("3-1", &set), 0);
	assert_int_equal(processors_read("0-99999999999999999999", &set),
		PROCESSORS_MAX);
	assert_int_equal(processors_read("99999999999999999999", &set), 0);
}

static void folders_are_sorted_and_bounded(void **state)
{
	struct folder folder;

	fake_file("/f/b", "");
	fake_file("/f/a", "");
	fake_file("/f/.hidden", "");
	peek_folder(fake_root, &folder, "/f");
	assert_int_equal(folder.count, 2);
	assert_string_equal(folder.name[0], "a");
	assert_string_equal(folder.name[1], "b");
	for (int i = 0; i < 2 * FOLDER_ENTRIES; i++) {
		char path[32];

		snprintf(path, sizeof path, "/f/%d", i);
		fake_file(path, "");
	}
	peek_folder(fake_root, &folder, "/f");
	assert_int_equal(folder.count, FOLDER_ENTRIES);
	peek_folder(fake_root, &folder, "/missing");
	assert_int_equal(folder.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_trimmed_and_safe),
		cmocka_unit_test(long_lines_are_cut_at_a_whole_character),
		cmocka_unit_test(a_path_that_is_too_long_is_no_file),
		cmocka_unit_test(numbers_are_read_or_left_alone),
		cmocka_unit_test(fields_are_found_by_whole_keys),
		cmocka_unit_test(words_are_whole),
		cmocka_unit_test(processor_lists_go_both_ways),
		cmocka_unit_test(folders_are_sorted_and_bounded),
	};

	return cmocka_run_group_tests(tests, fake_open, fake_close);
}
