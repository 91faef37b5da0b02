/*
 * The pictures of the README equal the program's present output: they are drawn
 * again from their sessions and compared. To update a picture:
 *     cmake --build --preset release --target pictures
 */
#include <dirent.h>

#include "run.h"

#define PICTURES SOURCE_FOLDER "/assets/pictures"

static void copy_sessions(void)
{
	struct text command = { 0 };

	text_add(&command, "cp '%s'/*.json %s", PICTURES, folder);
	assert_int_equal(system(command.chars), 0);
	text_free(&command);
}

/* The text elements of a picture to the right of the list of experiments, one
 * per line. The list grows with every file in probes/. The number of processors
 * is that of the machine that draws, so it is left out. */
static struct text said(const char *svg)
{
	enum { LIST_ENDS = 250 };
	struct text all = { 0 };

	for (const char *at = svg; (at = strstr(at, "<text class="));) {
		const char *end = strchr(at, '\n');
		const char *x = strstr(at, " x=\"");

		assert_non_null(end);
		bool cpus = memmem(at, (size_t)(end - at), ">or 0 .. ", 9);
		if (x && x < end && strtol(x + 4, NULL, 10) >= LIST_ENDS &&
			!cpus)
			text_add_chars(&all, at, (size_t)(end - at) + 1);
		at = end;
	}
	assert_true(all.length > 0);
	return all;
}

static void compare(const char *name)
{
	struct text path = { 0 };

	text_add(&path, "%s/%s", PICTURES, name);
	char *kept = read_whole(path.chars);
	text_clear(&path);
	text_add(&path, "%s/%s", folder, name);
	char *drawn = read_whole(path.chars);
	struct text was = said(kept), is = said(drawn);
	if (strcmp(was.chars, is.chars))
		fail_msg("assets/pictures/%s is not what is drawn today: see "
			 "the target `pictures`",
			name);
	text_free(&was);
	text_free(&is);
	free(kept);
	free(drawn);
	text_free(&path);
}

static void test_pictures_are_fresh(void **state)
{
	const char *words[] = { "--script",
		SOURCE_FOLDER "/assets/scripts/pictures.lab", NULL };
	int compared = 0;

	copy_sessions();
	assert_int_equal(chdir(folder), 0);
	struct ran ran = run_words(PROGRAM, words);
	assert_int_equal(chdir("/"), 0);
	if (ran.status)
		fail_msg("%s", text_chars(&ran.err));
	ran_free(&ran);
	DIR *list = opendir(PICTURES);
	assert_non_null(list);
	for (struct dirent *entry; (entry = readdir(list));) {
		const char *ending = strrchr(entry->d_name, '.');

		if (ending && !strcmp(ending, ".svg")) {
			compare(entry->d_name);
			compared++;
		}
	}
	closedir(list);
	assert_int_equal(compared, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pictures_are_fresh),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
