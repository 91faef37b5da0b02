/* fs.meta: every operation has figures, and no file is left behind, also when
 * the run or the program is killed. */
#include <sys/mount.h>

#include "disk.h"
#include "namespace.h"

static const char *dir(const char *path)
{
	static char word[800];

	snprintf(word, sizeof word, "dir=%s", path);
	return word;
}

#define META(...) \
	RUN(PROGRAM, "run", "fs.meta", "launches=6", "trials=4", "budget=60s", \
		"-v", __VA_ARGS__)

static void measures(const char *path, const char *files, const char *other)
{
	size_t before = entries_in(path);
	struct ran ran = META("op=create,rename,unlink,mkdir,stat", files, other,
		dir(path));

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_int_equal(before, entries_in(path));
	if (strchr(files, ','))
		assert_contains(ran.out, "times as long with 700 files as");
	if (strchr(other, ','))
		assert_contains(ran.out, "times as long with 3 folders as");
	ran_free(&ran);
}

static void test_every_operation(void **state)
{
	const char *memory = in_folder("here");

	assert_int_equal(mkdir(memory, 0700), 0);
	measures(memory, "files=1,700", "dirs=1");
	measures(memory, "files=20", "dirs=1,3");
	measures(disk, "files=20", "dirs=3");
	measures(disk, "files=20", "size=10K");
}

static void test_refusals(void **state)
{
	static const char *const words[] = { "op=link", "files=0",
		"files=100001", "dirs=0", "dirs=257", "size=2M" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct ran ran = RUN(PROGRAM, "run", "fs.meta", words[i]);

		assert_status(ran, 2);
		ran_free(&ran);
	}
	struct ran ran = META("dir=nfs://nobody/x");
	assert_status(ran, 4);
	assert_contains(ran.out, "expected a folder");
	ran_free(&ran);
	ran = META("dir=/nowhere");
	assert_status(ran, 4);
	assert_contains(ran.out, "No such file or directory");
	ran_free(&ran);
}

static int mount_few_inodes(const void *path)
{
	return own_namespaces(CLONE_NEWNS) ||
		mount("few", path, "tmpfs", 0, "nr_inodes=300");
}

/* 250 files fit, but not the 64 of a trial beside them. The other points are
 * measured. */
static void test_out_of_inodes(void **state)
{
	const char *few = in_folder("few");

	assert_int_equal(mkdir(few, 0700), 0);
	const char *const words[] = { "run", "fs.meta", "op=create,mkdir,stat",
		"files=10,250,1000", "launches=6", "trials=4", "budget=60s",
		"--json", dir(few), NULL };
	struct ran ran = run_after(mount_few_inodes, few, PROGRAM, words);
	if (ran.status == -1) {
		ran_free(&ran);
		skip_because("not permitted here: a mount");
	}
	assert_status(ran, 0);
	const char *at = text_chars(&ran.out);
	size_t measured = 0;
	for (; (at = strstr(at, "\"state\":\"ok\"")); at++)
		measured++;
	assert_int_equal(measured, 4);
	assert_contains(ran.out, "beside 250 files: No space left on device");
	assert_contains(ran.out, "cannot make 1000 files");
	ran_free(&ran);
}

static void test_interrupted(void **state)
{
	assert_tidy_if_interrupted((const char *const[]){ "run", "fs.meta", "op=create",
		"files=3000", dir(disk), "budget=60s", NULL });
}

static void test_killed(void **state)
{
	assert_tidy_if_killed((const char *const[]){ "run", "fs.meta", "op=create",
		"files=3000", dir(disk), "budget=60s", NULL });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_operation),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_out_of_inodes),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
