/* Whatever happens to the index, readers get what the files have: damage, other
 * versions, no room, other labs. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "indexed_sessions.h"

/* ---- indexes that fail ------------------------------------------------ */

static void overwrite(long from, long to)
{
	FILE *file = fopen(index_path(), "r+");

	assert_non_null(file);
	fseek(file, from, SEEK_SET);
	for (long at = from; at < to; at++)
		fputc("garbage"[at % 7], file);
	assert_int_equal(fclose(file), 0);
}

/* Readers get what the files have. The next one repairs the index, which is
 * then in use. */
static void assert_repaired(void)
{
	assert_read("123");
	assert_read("123");
	assert_int_equal(whole("SELECT count(*) FROM sessions"), 3);
	assert_int_equal(whole("SELECT count(*) FROM points"), 3);
	assert_int_equal(whole("PRAGMA user_version"), INDEX_VERSION);
	mark_index();
	assert_read("000");
	assert_int_equal(unlink(index_path()), 0);
}

static void test_damaged(void **state)
{
	struct stat is;

	make_three();
	assert_int_equal(stat(index_path(), &is), 0);
	overwrite(0, is.st_size);
	assert_repaired();
	make_three();
	overwrite(4096, is.st_size);
	assert_repaired();
	make_three();
	assert_int_equal(truncate(index_path(), is.st_size / 2), 0);
	assert_repaired();
	make_three();
	assert_int_equal(truncate(index_path(), 0), 0);
	assert_repaired();
	make_three();
	write_file(index_path(), "text", 4);
	assert_repaired();
}

static void test_other_version(void **state)
{
	make_three();
	run_sql("DROP TABLE points; ALTER TABLE sessions ADD COLUMN more;"
	    "PRAGMA user_version = 99");
	assert_repaired();
	/* Values of this version that have another meaning. */
	make_three();
	run_sql("UPDATE points SET unit = 99");
	assert_repaired();
	make_three();
	run_sql("DROP TABLE surroundings");
	assert_repaired();
}

/* No file can be made in place of the index. */
static void test_no_file(void **state)
{
	char name[200];

	snprintf(name, sizeof name, "%s", index_path());
	mkdir(name, 0700);
	keep(1, 1);
	age();
	assert_read("1");
	assert_read("1");
	assert_int_equal(rmdir(name), 0);
}

/* Something else in place of a file that SQLite opens: it would wait for the
 * writer of a pipe, and write to where a link points. */
static void assert_bypassed(const char *name)
{
	struct text remark = { 0 };

	alarm(30);
	assert_read("123");
	alarm(0);
	index_remark(&remark);
	assert_non_null(strstr(text_chars(&remark), name));
	assert_non_null(strstr(remark.chars, " is not a regular file, so "));
	text_free(&remark);
	assert_int_equal(unlink(name), 0);
}

static void test_not_regular(void **state)
{
	static const char *const endings[] = { "", "-journal", "-wal",
		"-shm" };
	char name[200];
	struct text remark = { 0 };

	make_three();
	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "%s%s", index_path(), endings[i]);
		unlink(name);
		assert_int_equal(mkfifo(name, 0600), 0);
		assert_bypassed(name);
		unlink(name);
		assert_int_equal(symlink("victim", name), 0);
		assert_bypassed(name);
		assert_int_equal(access(in_folder("benchtop/victim"), F_OK),
			-1);
	}
	assert_read("123");
	index_remark(&remark);
	assert_int_equal(remark.length, 0);
}

/* The disk has room for a part of the index. */
static void test_full(void **state)
{
	for (int i = 1; i <= 100; i++)
		keep(i, 1);
	age();
	for (rlim_t most = 4096; most < 60000; most += 9000) {
		pid_t child = fork();

		if (child == 0) {
			const struct rlimit limit = { most, most };
			char heads[200], points[200];

			signal(SIGXFSZ, SIG_IGN);
			setrlimit(RLIMIT_FSIZE, &limit);
			read_all(heads, points);
			_exit(strspn(heads, "1") != 100 ||
				strspn(points, "1") != 100);
		}
		int status;
		waitpid(child, &status, 0);
		assert_int_equal(status, 0);
	}
	char heads[200], points[200];
	read_all(heads, points);
	assert_int_equal(strspn(points, "1"), 100);
	assert_int_equal(whole("SELECT count(*) FROM points"), 100);
}

/* ---- several labs ----------------------------------------------------- */

static void test_locked(void **state)
{
	make_three();
	keep(2, 9);
	age();
	sqlite3 *other = index_open();
	assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL,
				 NULL),
		SQLITE_OK);
	assert_read("193");
	sqlite3_close(other);
	/* A writer that has not written yet lets others read. */
	other = index_open();
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL,
				 NULL),
		SQLITE_OK);
	assert_read("193");
	sqlite3_close(other);
	assert_read("193");
	mark_index();
	assert_read("000");
}

/* Replaces a session as benchtop does, so that a reader never sees a part. */
static void replace(int number, int lab)
{
	char name[60];

	snprintf(name, sizeof name, "benchtop/new-%d", lab);
	char *new = strdup(in_folder(name));
	keep_at(new, 1, "here");
	rename(new, kept_file(number));
	free(new);
}

static size_t ones(const char *chars)
{
	size_t count = 0;

	for (; *chars; chars++)
		count += *chars == '1';
	return count;
}

/* Labs that fill the index at once, while sessions come and go. */
static void test_writers(void **state)
{
	enum { LABS = 4, SESSIONS = 120 };
	pid_t labs[LABS];

	for (int i = 1; i <= SESSIONS; i++)
		keep(i, 1);
	age();
	for (int lab = 0; lab < LABS; lab++) {
		labs[lab] = fork();
		if (labs[lab])
			continue;
		for (int round = 0; round < 10; round++) {
			char heads[200], points[200];

			read_all(heads, points);
			if (ones(heads) < SESSIONS - LABS ||
				ones(points) < SESSIONS - LABS ||
				strchr(points, '?') || strchr(heads, '?'))
				_exit(1);
			if (round % 2)
				unlink(kept_file(1 + lab));
			else
				replace(1 + lab, lab);
		}
		_exit(0);
	}
	for (int lab = 0; lab < LABS; lab++) {
		int status;

		waitpid(labs[lab], &status, 0);
		assert_int_equal(status, 0);
	}
	char heads[200], points[200];
	read_all(heads, points);
	assert_int_equal(ones(points), SESSIONS - LABS);
	assert_int_equal(whole("SELECT count(*) FROM points"),
		SESSIONS - LABS);
	assert_int_equal(
		whole("SELECT count(*) FROM pragma_integrity_check "
		      "WHERE integrity_check = 'ok'"),
		1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_damaged, index_empty),
		cmocka_unit_test_setup(test_other_version, index_empty),
		cmocka_unit_test_setup(test_no_file, index_empty),
		cmocka_unit_test_setup(test_not_regular, index_empty),
		cmocka_unit_test_setup(test_full, index_empty),
		cmocka_unit_test_setup(test_locked, index_empty),
		cmocka_unit_test_setup(test_writers, index_empty),
	};

	return cmocka_run_group_tests(tests, index_prepare, remove_folder);
}
