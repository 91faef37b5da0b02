/* Folders of the user: for sessions, settings and tapes. */
#include "file.h"

#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "check.h"

static char memory[] = "/dev/shm/benchtop-folders-XXXXXX";
/* The current folder, which is on a disk on most machines. */
static char disk[4096 + 32];
static char shared[64];

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", memory, name);
	return path;
}

static void assert_folder(char *made, const char *wanted)
{
	struct stat is;

	assert_non_null(made);
	assert_string_equal(made, wanted);
	assert_int_equal(stat(made, &is), 0);
	assert_true(S_ISDIR(is.st_mode));
	assert_int_equal(is.st_mode & 077, 0);
	free(made);
}

static void folders_follow_the_environment(void **state)
{
	setenv("HOME", in_folder("home"), 1);
	setenv("XDG_STATE_HOME", in_folder("deep/state"), 1);
	setenv("XDG_CONFIG_HOME", in_folder("config"), 1);
	setenv("XDG_RUNTIME_DIR", in_folder("run"), 1);
	assert_folder(folder_state(), in_folder("deep/state/benchtop"));
	assert_folder(folder_config(), in_folder("config/benchtop"));
	assert_folder(folder_runtime(), in_folder("run/benchtop"));
	/* Created once, found twice. */
	assert_folder(folder_state(), in_folder("deep/state/benchtop"));
	/* If the variable is relative, empty or unset, the usual place is
	 * used. */
	setenv("XDG_STATE_HOME", "state", 1);
	setenv("XDG_CONFIG_HOME", "", 1);
	assert_folder(folder_state(), in_folder("home/.local/state/benchtop"));
	assert_folder(folder_config(), in_folder("home/.config/benchtop"));
	unsetenv("XDG_STATE_HOME");
	assert_folder(folder_state(), in_folder("home/.local/state/benchtop"));
}

static void no_folder_where_none_can_be(void **state)
{
	FILE *file = fopen(in_folder("file"), "w");

	assert_non_null(file);
	fclose(file);
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_null(folder_state());
	setenv("HOME", "here", 1);
	assert_null(folder_state());
	setenv("HOME", in_folder("file"), 1);
	assert_null(folder_state());
}

static void tapes_lie_in_memory_without_a_session(void **state)
{
	unsetenv("XDG_RUNTIME_DIR");
	assert_folder(folder_runtime(), shared);
	setenv("XDG_RUNTIME_DIR", "run", 1);
	assert_folder(folder_runtime(), shared);
	setenv("XDG_RUNTIME_DIR", in_folder("file"), 1);
	assert_folder(folder_runtime(), shared);
}

static bool is_disk(const char *path)
{
	struct statfs on;

	return !statfs(path, &on) && on.f_type != TMPFS_MAGIC &&
		(unsigned long)on.f_type != RAMFS_MAGIC;
}

/* Writing a tape back to a disk would cause faults during trials. */
static void tapes_lie_in_memory_beside_a_disk(void **state)
{
	char *folders[RUNTIME_FOLDERS], left[sizeof disk + 16];
	struct stat is;

	if (!is_disk(disk))
		skip_because("no folder on a disk here");
	setenv("XDG_RUNTIME_DIR", disk, 1);
	snprintf(left, sizeof left, "%s/benchtop", disk);
	assert_folder(folder_runtime(), shared);
	assert_int_equal(stat(left, &is), -1);
	assert_int_equal(folders_runtime(folders), 1);
	free(folders[0]);
	/* A folder of an earlier lab on a disk is searched too. */
	assert_int_equal(mkdir(left, 0700), 0);
	assert_folder(folder_runtime(), shared);
	assert_int_equal(folders_runtime(folders), 2);
	assert_string_equal(folders[0], shared);
	assert_string_equal(folders[1], left);
	free(folders[0]);
	free(folders[1]);
	assert_int_equal(rmdir(left), 0);
	/* A folder on a disk that would first have to be created is not used
	 * either. */
	snprintf(left, sizeof left, "%s/new", disk);
	setenv("XDG_RUNTIME_DIR", left, 1);
	assert_folder(folder_runtime(), shared);
}

static void one_folder_is_named_once(void **state)
{
	char *folders[RUNTIME_FOLDERS];

	setenv("XDG_RUNTIME_DIR", in_folder("run"), 1);
	assert_int_equal(folders_runtime(folders), 1);
	assert_string_equal(folders[0], in_folder("run/benchtop"));
	free(folders[0]);
	unsetenv("XDG_RUNTIME_DIR");
	assert_int_equal(folders_runtime(folders), 1);
	assert_string_equal(folders[0], shared);
	free(folders[0]);
}

/* A folder, or a link to one, created by another user. */
static void a_strangers_folder_is_not_trusted(void **state)
{
	char *folders[RUNTIME_FOLDERS];
	uid_t stranger = getuid() == 65534 ? 65533 : 65534;

	setenv("XDG_RUNTIME_DIR", in_folder("laid"), 1);
	assert_folder(folder_runtime(), in_folder("laid/benchtop"));
	/* Only root can change the owner. */
	if (chown(in_folder("laid/benchtop"), stranger, stranger))
		skip_because("not permitted here: another owner");
	assert_folder(folder_runtime(), shared);
	assert_int_equal(folders_runtime(folders), 1);
	free(folders[0]);
	assert_int_equal(rmdir(in_folder("laid/benchtop")), 0);
	assert_int_equal(symlink(in_folder("run"), in_folder("laid/benchtop")),
		0);
	assert_int_equal(
		lchown(in_folder("laid/benchtop"), stranger, stranger), 0);
	assert_folder(folder_runtime(), shared);
}

static int make(void **state)
{
	snprintf(shared, sizeof shared, "/dev/shm/benchtop-%u",
		(unsigned)getuid());
	if (!getcwd(disk, sizeof disk - 32))
		return -1;
	strncat(disk, "/benchtop-folders-XXXXXX",
		sizeof disk - strlen(disk) - 1);
	return mkdtemp(memory) && mkdtemp(disk) ? 0 : -1;
}

static int clear(void **state)
{
	char command[sizeof disk + sizeof memory + 32];

	snprintf(command, sizeof command, "rm -rf '%s' '%s'", memory, disk);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_follow_the_environment),
		cmocka_unit_test(no_folder_where_none_can_be),
		cmocka_unit_test(tapes_lie_in_memory_without_a_session),
		cmocka_unit_test(tapes_lie_in_memory_beside_a_disk),
		cmocka_unit_test(one_folder_is_named_once),
		cmocka_unit_test(a_strangers_folder_is_not_trusted),
	};

	if (access("/dev/shm", W_OK)) {
		print_message("SKIP: not permitted here: /dev/shm\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, make, clear);
}
