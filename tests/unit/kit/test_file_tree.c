/* Folders for tests with names: they are removed with their contents, also
 * after their process was killed, and nothing else is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "file_folders.h"
#include "file_tree.h"
#include "leftover.h"

static char state_folder[4096 + 64];

static void make_contents(const struct file_tree *tree)
{
	char name[64];

	assert_int_equal(mkdirat(tree->fd, "d", 0700), 0);
	assert_int_equal(mkdirat(tree->fd, "d/e", 0700), 0);
	assert_int_equal(symlinkat(disk, tree->fd, "link"), 0);
	for (int i = 0; i < 600; i++) {
		snprintf(name, sizeof name, "%s%d", i % 2 ? "d/f" : "f", i);
		int fd = openat(tree->fd, name, O_CREAT | O_WRONLY, 0600);
		assert_true(fd >= 0);
		close(fd);
	}
}

static struct file_tree make_tree(const char *folder)
{
	struct file_tree tree;
	struct error error;

	if (file_tree_make(&tree, folder, &error))
		fail_msg("%s", error.message);
	return tree;
}

static void test_removed(void **state)
{
	const char *folders[] = { shm, disk, state_folder };

	for (size_t i = 0; i < 3; i++) {
		size_t before = entries_in(folders[i]);
		struct file_tree tree = make_tree(folders[i]);

		make_contents(&tree);
		assert_int_equal(entries_in(folders[i]), before + 1);
		/* Only a folder elsewhere needs the link. */
		assert_int_equal(entries_in(state_folder), 1);
		file_tree_sweep();
		assert_int_equal(entries_in(folders[i]), before + 1);
		file_tree_remove(&tree, &probe);
		file_tree_remove(&tree, &probe);
		assert_int_equal(entries_in(folders[i]), before);
		assert_int_equal(entries_in(state_folder), 0);
	}
}

static void test_folders(void **state)
{
	struct file_tree tree = make_tree(disk);
	int fds[5];

	assert_int_equal(file_tree_folders(&tree, fds, 3), 0);
	assert_int_equal(file_tree_entries(tree.fd), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(mkdirat(fds[i], "e", 0700), 0);
		assert_int_equal(close(fds[i]), 0);
	}
	/* Their names exist. */
	assert_int_equal(file_tree_folders(&tree, fds, 1), -1);
	assert_int_equal(errno, EEXIST);
	file_tree_remove(&tree, &probe);
}

static void leave(const char *folder)
{
	pid_t child = fork();

	if (!child) {
		struct file_tree tree = make_tree(folder);

		make_contents(&tree);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_killed(void **state)
{
	const char *folders[] = { shm, disk, state_folder };

	for (size_t i = 0; i < 3; i++) {
		size_t before = entries_in(folders[i]);

		leave(folders[i]);
		assert_int_equal(entries_in(folders[i]), before + 1);
		/* A save in the state folder must not remove the link. */
		leftover_sweep_files(state_folder);
		assert_int_equal(entries_in(state_folder), 1);
		file_tree_sweep();
		assert_int_equal(entries_in(folders[i]), before);
		assert_int_equal(entries_in(state_folder), 0);
	}
}

/* A link of such a name that leads elsewhere is not followed. */
static void test_other_links(void **state)
{
	struct text link = { 0 };
	char other[4096 + 64], name[300] = "";

	snprintf(other, sizeof other, "%s/other", disk);
	assert_int_equal(mkdir(other, 0700), 0);
	leave(shm);
	DIR *entries = opendir(state_folder);
	for (struct dirent *entry; (entry = readdir(entries));)
		if (leftover_is_orphan(entry->d_name))
			snprintf(name, sizeof name, "%s", entry->d_name);
	closedir(entries);
	text_add(&link, "%s/%s", state_folder, name);
	file_tree_sweep();
	assert_int_equal(symlink(other, text_chars(&link)), 0);
	file_tree_sweep();
	assert_int_equal(access(other, F_OK), 0);
	assert_int_equal(unlink(text_chars(&link)), 0);
	assert_int_equal(rmdir(other), 0);
	text_free(&link);
}

static void test_refusals(void **state)
{
	struct file_tree tree;
	struct error error;

	assert_int_equal(file_tree_make(&tree, "/nowhere", &error), -1);
	assert_non_null(strstr(error.message, "No such file or directory"));
	assert_int_equal(file_tree_make(&tree, "/proc", &error), -1);
	assert_non_null(strstr(error.message, "'/proc'"));
	assert_int_equal(tree.fd, -1);
	assert_int_equal(entries_in(state_folder), 0);
}

static int make_state(void **state)
{
	if (make_folders(state))
		return -1;
	snprintf(state_folder, sizeof state_folder, "%s/benchtop", disk);
	return setenv("XDG_STATE_HOME", disk, 1) || mkdir(state_folder, 0700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_other_links),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, make_state, remove_folders);
}
