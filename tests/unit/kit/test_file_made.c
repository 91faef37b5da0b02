/* Test files: their content is complete and on the disk, and nothing is left
 * behind. Impossible requests are refused with an error. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "file_content.h"
#include "file_folders.h"
#include "file_tree.h"
#include "leftover.h"

/* The content is readable word by word from any offset, and differs between
 * files. */
static void test_content(void **state)
{
	unsigned char whole[4096], part[100];

	file_content(7, 0, whole, sizeof whole);
	for (size_t at = 0; at + sizeof part <= sizeof whole; at += 8) {
		file_content(7, at, part, sizeof part);
		assert_memory_equal(part, whole + at, sizeof part);
		assert_true(file_content_same(7, at, part, sizeof part));
	}
	assert_false(file_content_same(8, 0, whole, sizeof whole));
	for (size_t i = 0; i < sizeof whole; i += 97) {
		whole[i] ^= 1;
		assert_false(file_content_same(7, 0, whole, sizeof whole));
		whole[i] ^= 1;
	}
	/* The first values of splitmix64 with seed 7, by the code of Steele,
	 * Lea and Flood. */
	uint64_t first;
	memcpy(&first, whole, sizeof first);
	assert_int_equal(first, 0x63cbe1e459320dd7);
}

static void test_written(void **state)
{
	static const size_t sizes[] = { 1, 4096, 65536, (1 << 20) + 1,
		5 << 20 };
	const char *folders[] = { shm, disk };

	for (size_t f = 0; f < 2; f++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct file_made file = make_file(folders[f], sizes[i]);
			char *bytes = malloc(sizes[i] + 1);
			struct stat status;

			assert_int_equal(pread(file.fd, bytes, sizes[i] + 1, 0),
				sizes[i]);
			assert_true(file_content_same(file.seed, 0, bytes,
				sizes[i]));
			assert_int_equal(fstat(file.fd, &status), 0);
			/* Its blocks cover all its bytes: the file has no
			 * hole. */
			assert_true((size_t)status.st_blocks * 512 >= sizes[i]);
			free(bytes);
			file_close(&file);
		}
}

/* The file has no name even while it is open. */
static void test_no_file_has_a_name(void **state)
{
	const char *folders[] = { shm, disk };

	for (size_t i = 0; i < 2; i++) {
		struct file_made file = make_file(folders[i], 1 << 20);

		assert_int_equal(entries_in(folders[i]), 0);
		file_close(&file);
		assert_int_equal(entries_in(folders[i]), 0);
	}
}

/* A file that is synced has a link, in a folder that is removed with it. */
static void test_a_named_file_has_a_link(void **state)
{
	struct file_made file;
	struct file_tree tree;
	struct error error;
	struct stat status;

	setenv("XDG_STATE_HOME", shm, 1);
	if (file_tree_make(&tree, disk, &error) ||
		file_make_named(&file, tree.path, 1 << 20, &probe, &error))
		fail_msg("%s", error.message);
	assert_int_equal(entries_in(tree.path), 1);
	assert_int_equal(fstat(file.fd, &status), 0);
	assert_int_equal(status.st_nlink, 1);
	file_close(&file);
	file_tree_remove(&tree, &probe);
	assert_int_equal(entries_in(disk), 0);
}

static void refuses(const char *folder, uint64_t bytes, const char *why)
{
	struct file_made file;
	struct error error = { 0 };

	assert_int_equal(file_make(&file, folder, bytes, &probe, &error), -1);
	if (!strstr(error.message, why))
		fail_msg("no '%s' in: %s", why, error.message);
	assert_int_equal(file.fd, -1);
}

static void test_refusals(void **state)
{
	refuses("/nowhere/at/all", 4096, "No such file or directory");
	/* The same sentence for every size: a run shows it once. */
	refuses("/proc", 4096,
		"no file fits in '/proc': 0 B are free, 64.00 MiB must stay");
	/* The error has the figures, and nothing was written. */
	refuses(disk, (uint64_t)1 << 50, "needs 1024 TiB of disk,");
	refuses(disk, (uint64_t)1 << 50, "64.00 MiB must stay free");
	assert_int_equal(entries_in(disk), 0);
}

static void test_folder(void **state)
{
	struct error error;
	struct text wanted = { 0 };

	setenv("XDG_STATE_HOME", disk, 1);
	char *folder = file_folder("auto", &error);
	text_add(&wanted, "%s/benchtop", disk);
	assert_string_equal(folder, text_chars(&wanted));
	assert_string_equal(file_folder_quoted("auto").chars,
		text_quoted(folder).chars);
	assert_string_equal(file_folder_quoted("/somewhere").chars,
		"'/somewhere'");
	free(folder);
	rmdir(text_chars(&wanted));
	text_free(&wanted);
	folder = file_folder("/somewhere", &error);
	assert_string_equal(folder, "/somewhere");
	free(folder);
}

/* ---- after a crash ---------------------------------------------------- */

static void touch(const char *folder, const char *name)
{
	struct text path = { 0 };

	text_add(&path, "%s/%s", folder, name);
	int fd = open(text_chars(&path), O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	text_free(&path);
}

/* A name for a file made by a child that has ended. */
static void name_of_the_dead(struct text *name)
{
	char chars[512] = "";
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (!child) {
		struct text own = { 0 };

		leftover_name(&own, 3);
		_exit(write(ends[1], own.chars, own.length) < 0);
	}
	close(ends[1]);
	ssize_t got = read(ends[0], chars, sizeof chars - 1);
	close(ends[0]);
	assert_true(got > 0);
	/* The name is an orphan's even if the parent has not reaped the
	 * child. */
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
		0);
	assert_true(leftover_is_orphan(chars));
	assert_int_equal(waitpid(child, &status, 0), child);
	text_add(name, "%s", chars);
}

static void test_leftovers(void **state)
{
	struct text own = { 0 }, dead = { 0 }, again = { 0 };

	leftover_name(&own, 1);
	name_of_the_dead(&dead);
	assert_false(leftover_is_orphan(text_chars(&own)));
	assert_true(leftover_is_orphan(text_chars(&dead)));
	/* The process id of this test, but with another start time. */
	text_add_chars(&again, own.chars, own.length);
	for (int i = 0; i < 3; i++)
		again.length = (size_t)((char *)memrchr(again.chars, '-',
						again.length) -
			again.chars);
	text_add(&again, "-%d-1-1", (int)getpid());
	assert_true(leftover_is_orphan(text_chars(&again)));
	/* Names that only look similar. */
	assert_false(leftover_is_orphan(".benchtop-"));
	assert_false(leftover_is_orphan(".benchtop-other.1-1-1-1"));
	assert_false(leftover_is_orphan("session.json"));
	touch(disk, text_chars(&own));
	touch(disk, text_chars(&dead));
	touch(disk, "session.json");
	leftover_sweep_files(disk);
	assert_int_equal(entries_in(disk), 2);
	text_free(&own);
	text_free(&dead);
	text_free(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_content),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_no_file_has_a_name),
		cmocka_unit_test(test_a_named_file_has_a_link),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_leftovers),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
