/* The assets of the program are the files of the source tree. */
#include "assets.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "file.h"

static void same_as_file(const struct asset *asset)
{
	struct text path = { 0 }, file = { 0 };
	struct error error;

	text_add(&path, SOURCE_FOLDER "/assets/%s", asset->name);
	assert_int_equal(file_read(path.chars, 1 << 20, &file, &error), 0);
	assert_int_equal(asset->end - asset->text, file.length);
	assert_string_equal(asset->text, text_chars(&file));
	text_free(&path);
	text_free(&file);
}

static size_t count_files(const char *folder, const char *ending)
{
	DIR *dir = opendir(folder);
	size_t count = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		const char *dot = strrchr(entry->d_name, '.');

		count += dot && !strcmp(dot, ending);
	}
	closedir(dir);
	return count;
}

static void test_all_are_inside(void **state)
{
	size_t count = 0;

	for (; assets[count].name; count++) {
		same_as_file(&assets[count]);
		if (count)
			assert_true(strcmp(assets[count - 1].name,
					    assets[count].name) < 0);
	}
	assert_int_equal(count,
		count_files(SOURCE_FOLDER "/assets/scripts", ".lab") +
			count_files(SOURCE_FOLDER "/sessions", ".json") +
			count_files(SOURCE_FOLDER "/assets/ssh", ".sh") + 1);
	assert_non_null(asset_find("slurm/node.sh"));
}

static void test_find(void **state)
{
	const struct asset *quick = asset_find("scripts/quick.lab");

	assert_string_equal(quick->name, "scripts/quick.lab");
	assert_non_null(asset_find("sessions/e.json"));
	assert_null(asset_find("scripts/none.lab"));
	assert_null(asset_find("quick.lab"));
	assert_null(asset_find(""));
}

/* It may take two minutes. Budgets end its runs, not a number of launches,
 * because launches that a co-runner disturbed must be repeated. */
static void test_quick_script(void **state)
{
	struct text script = { 0 };
	struct error error;
	unsigned seconds = 0;

	assert_int_equal(file_read(SOURCE_FOLDER "/assets/scripts/quick.lab",
				 1 << 16, &script, &error),
		0);
	assert_null(strstr(script.chars, "launches="));
	for (const char *at = script.chars; (at = strstr(at, " budget="));) {
		at += strlen(" budget=");
		seconds += (unsigned)strtoul(at, NULL, 10);
	}
	assert_true(seconds > 60 && seconds <= 120);
	text_free(&script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_inside),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_quick_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
