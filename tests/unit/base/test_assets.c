/* Assets are found in the source tree, or in the folder of the environment
 * variable. */
#include "assets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "file.h"

static char folder[] = "/tmp/benchtop-assets-XXXXXX";

static int make(void **state)
{
	char path[64];

	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/scripts", folder);
	mkdir(path, 0700);
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "b.lab", "a.lab", ".c" };

		snprintf(path, sizeof path, "%s/scripts/%s", folder, names[i]);
		fclose(fopen(path, "we"));
	}
	return 0;
}

static int unmake(void **state)
{
	char command[64];

	unsetenv("BENCHTOP_ASSETS");
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

static void test_source_tree(void **state)
{
	unsetenv("BENCHTOP_ASSETS");
	char *path = asset_find("scripts/quick.lab");
	assert_string_equal(path, SOURCE_FOLDER "/assets/scripts/quick.lab");
	free(path);
	path = asset_find("session.schema.json");
	assert_string_equal(path, SOURCE_FOLDER "/assets/session.schema.json");
	free(path);
	assert_null(asset_find("scripts/none.lab"));
}

static void test_told(void **state)
{
	char wanted[64];

	setenv("BENCHTOP_ASSETS", folder, 1);
	snprintf(wanted, sizeof wanted, "%s/scripts/a.lab", folder);
	char *path = asset_find("scripts/a.lab");
	assert_string_equal(path, wanted);
	free(path);
	/* Then no other folder is searched. */
	assert_null(asset_find("scripts/quick.lab"));
	setenv("BENCHTOP_ASSETS", "/nowhere", 1);
	assert_null(asset_find("scripts/quick.lab"));
	/* An empty variable counts as unset. */
	setenv("BENCHTOP_ASSETS", "", 1);
	path = asset_find("scripts/quick.lab");
	assert_non_null(path);
	free(path);
}

static void test_names(void **state)
{
	char **names;

	setenv("BENCHTOP_ASSETS", folder, 1);
	assert_int_equal(asset_names("scripts", &names), 2);
	assert_string_equal(names[0], "a.lab");
	assert_string_equal(names[1], "b.lab");
	free(names[0]);
	free(names[1]);
	free(names);
	assert_int_equal(asset_names("none", &names), 0);
	free(names);
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
		cmocka_unit_test(test_source_tree),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_quick_script),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
