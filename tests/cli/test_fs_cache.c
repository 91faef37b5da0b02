/* fs.cache: a small limit shows its knee, and no control group is left, even
 * after the whole lab was killed. */
#include <glob.h>
#include <stdio.h>

#include "disk.h"

static const char *dir(void)
{
	static char word[600];

	snprintf(word, sizeof word, "dir=%s", disk);
	return word;
}

/* The test needs permission to create a memory cgroup, and a disk. */
static bool possible(const struct ran *ran)
{
	if (contains(&ran->out, "which is memory"))
		print_message("SKIP: no folder on a disk here\n");
	else if (contains(&ran->out, "the controller is not mounted"))
		print_message("SKIP: not permitted here: memory cgroups\n");
	else if (contains(&ran->out, "a memory cgroup"))
		print_message("SKIP: not permitted here: a memory cgroup\n");
	else
		return true;
	return false;
}

static void test_knee(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "fs.cache", "limit=64M", dir(),
		"-v");

	if (!possible(&ran)) {
		ran_free(&ran);
		skip();
	}
	assert_status(ran, 0);
	assert_contains(ran.out, "size=16M");
	assert_contains(ran.out, "size=80M");
	assert_contains(ran.out, "the cache holds");
	assert_contains(ran.out,
		"of the 64.00 MiB predicted from the limit (limited");
	ran_free(&ran);
}

static void test_resident(void **state)
{
	char line[2048];

	snprintf(line, sizeof line,
		"run fs.cache limit=64M size=8M,80M order=forward dir=%s; "
		"expect fs.cache.resident{size=8M} min >= 100%%; "
		"expect fs.cache.resident{size=80M} max < 90%%",
		disk);
	struct ran ran = RUN(PROGRAM, "-c", line);
	if (!possible(&ran)) {
		ran_free(&ran);
		skip();
	}
	assert_status(ran, 0);
	ran_free(&ran);
}

/* MemAvailable in bytes; 0 if it is missing. */
static double available_bytes(void)
{
	char line[256];
	unsigned long long kib = 0;
	FILE *file = fopen("/proc/meminfo", "re");

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return (double)kib * 1024;
}

/* Without a limit, a sentence before the run states the size, at least a
 * tenth above available memory. If the disk has no room for it, nothing is
 * written. */
static void test_no_limit(void **state)
{
	double before = available_bytes(), size = 0;
	char unit;

	struct ran ran = RUN(PROGRAM, "run", "fs.cache", "limit=none", dir(),
		"size=10T");
	assert_status(ran, 4);
	assert_contains(ran.out, "without a limit a file of 10.00 TiB");
	assert_contains(ran.out, "evicts the pages of other programs");
	if (!contains(&ran.out, "which is memory"))
		assert_contains(ran.out, " are free, ");
	ran_free(&ran);
	/* A folder in which no file can be created ends the run before it has
	 * begun. */
	ran = RUN(PROGRAM, "run", "fs.cache", "limit=none", "dir=/proc");
	const char *at = strstr(text_chars(&ran.out), "a file of ");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "a file of %lf %ciB", &size, &unit), 2);
	size *= unit == 'G' ? 0x1p30 : unit == 'M' ? 0x1p20 : 0x1p40;
	/* Other processes use and free memory meanwhile, and a cgroup may have
	 * less. */
	double after = available_bytes();
	if (before > 0)
		assert_true(size <
			1.2 * (before > after ? before : after) + 0x1p28);
	assert_contains(ran.out, "unavailable");
	ran_free(&ran);
}

static void test_refusals(void **state)
{
	struct ran ran =
		RUN(PROGRAM, "run", "fs.cache", "limit=30T", "size=8M", dir());

	assert_status(ran, 4);
	assert_contains(ran.out, "limit=30.00 TiB is above the available");
	ran_free(&ran);
}

/* ---- after a crash ---------------------------------------------------- */

/* The cgroup of a process whose parent is `lab`; "" if there is none. Four
 * levels are the depth of the tests' cgroups. */
static void group_of(pid_t lab, char *path, size_t size)
{
	char pattern[64] = "/sys/fs/cgroup";

	path[0] = '\0';
	for (int depth = 0; depth < 5 && !*path; depth++) {
		glob_t found = { 0 };
		char all[128];

		snprintf(all, sizeof all, "%s/benchtop-*", pattern);
		glob(all, 0, NULL, &found);
		for (size_t i = 0; i < found.gl_pathc && !*path; i++) {
			char command[4096];

			snprintf(command, sizeof command,
				"ps -o ppid= -p $(cat %s/cgroup.procs "
				"2>/dev/null | head -1) 2>/dev/null | "
				"grep -qw %d",
				found.gl_pathv[i], (int)lab);
			if (!system(command))
				snprintf(path, size, "%s", found.gl_pathv[i]);
		}
		globfree(&found);
		strncat(pattern, "/*", sizeof pattern - strlen(pattern) - 1);
	}
}

static bool exists(const char *path)
{
	struct stat status;

	return !stat(path, &status);
}

/* Kills a run that uses a cgroup. False if it ended before. */
static bool killed_with_group(char *group, size_t size)
{
	const char *words[] = { "run", "fs.cache", "limit=64M", dir(), NULL };
	int status, null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t lab = start(PROGRAM, words, null, null);

	close(null);
	*group = '\0';
	while (!*group) {
		if (waitpid(lab, &status, WNOHANG))
			return false;
		group_of(lab, group, size);
	}
	kill(lab, SIGKILL);
	waitpid(lab, &status, 0);
	return true;
}

static void test_killed(void **state)
{
	char group[2048];
	int tries = 0;

	struct ran ran =
		RUN(PROGRAM, "run", "fs.cache", "limit=64M", "size=8M", dir());
	bool can = possible(&ran);
	ran_free(&ran);
	if (!can)
		skip();
	while (!killed_with_group(group, sizeof group))
		assert_true(++tries < 5);
	/* The next run removes the cgroup. */
	ran = RUN(PROGRAM, "run", "fs.cache", "limit=64M", "size=8M", dir());
	assert_status(ran, 0);
	assert_false(exists(group));
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_knee),
		cmocka_unit_test(test_resident),
		cmocka_unit_test(test_no_limit),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
