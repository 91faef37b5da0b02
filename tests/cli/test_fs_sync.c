/* fs.sync: every way has figures, and the finding tells a device that
 * acknowledges without flushing. */
#include "disk.h"
#include "namespace.h"

static const char *dir(const char *path)
{
	static char word[800];

	snprintf(word, sizeof word, "dir=%s", path);
	return word;
}

#define SYNC(...) \
	RUN(PROGRAM, "run", "fs.sync", "launches=6", "trials=4", \
		"budget=60s", "-v", __VA_ARGS__)

static void test_every_way(void **state)
{
	struct ran ran = SYNC("how=fdatasync,fsync,o_dsync,o_sync",
		"size=512,2300,1M", dir(disk));

	assert_status(ran, 0);
	assert_verified(ran);
	assert_lacks(ran.out, "unavailable");
	assert_contains(ran.out, "how=o_sync pattern=prealloc size=1M");
	assert_int_equal(entries_in(disk), 0);
	ran_free(&ran);
}

static void test_threads(void **state)
{
	struct ran ran = SYNC("how=fdatasync", "pattern=append",
		"threads=1,2,16", dir(disk));

	assert_status(ran, 0);
	assert_verified(ran);
	assert_contains(ran.out, "threads=16");
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

/* The percentile of 1000 syncs is a figure that a gate can decide, also by a
 * wide interval. */
static void test_gate(void **state)
{
	static const struct {
		const char *bound;
		int status;
	} gates[] = { { "100s", 0 }, { "1ns", 1 } };
	char line[1200];

	for (size_t i = 0; i < 2; i++) {
		snprintf(line, sizeof line,
			"run fs.sync how=fdatasync pattern=append dir=%s "
			"launches=6 trials=1000 budget=100s; "
			"expect fs.sync.tail ci_high < %s",
			folder, gates[i].bound);
		struct ran ran = RUN(PROGRAM, "-c", line);
		assert_status(ran, gates[i].status);
		ran_free(&ran);
	}
}

static void test_memory(void **state)
{
	struct ran ran = SYNC(dir(folder));

	assert_status(ran, 0);
	assert_contains(ran.out, " is memory: no sync makes a write durable");
	ran_free(&ran);
}

/* A gate on durability. */
static struct ran gate(const char *threads, const char *path)
{
	char line[1600];

	snprintf(line, sizeof line,
		"run fs.sync how=fdatasync pattern=append threads=%s dir=%s "
		"launches=6 trials=4 budget=60s; "
		"expect fs.sync.durable mean > 0.999",
		threads, path);
	return RUN(PROGRAM, "-c", line);
}

/* What lives in memory fails, with the cause after the failed bound. */
static void test_memory_gate(void **state)
{
	struct ran ran = gate("1", folder);

	assert_status(ran, 1);
	const char *failed = strstr(text_chars(&ran.out),
		"FAIL fs.sync.durable mean 0 > 0.999");
	assert_non_null(failed);
	assert_non_null(
		strstr(failed, " is memory: no sync makes a write durable"));
	ran_free(&ran);
}

/* The script of the question, in a folder in memory. No other disk than that of
 * the folder is described, as `doctor` would. */
static void test_etcd(void **state)
{
	char command[1600];

	snprintf(command, sizeof command,
		"cd %s && %s --script " SOURCE_FOLDER
		"/assets/scripts/etcd.lab >etcd.txt 2>&1; [ $? = 1 ] && "
		"grep -q 'FAIL fs.sync.durable mean 0 > 0.999' etcd.txt && "
		"head -n 1 etcd.txt | grep -q '^Durable writes' && "
		"! grep -q '^ *disk ' etcd.txt",
		folder, PROGRAM);
	assert_int_equal(system(command), 0);
}

static void test_refusals(void **state)
{
	static const char *const words[] = { "how=sync", "pattern=random",
		"size=511", "size=2M", "threads=0", "threads=17" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct ran ran = RUN(PROGRAM, "run", "fs.sync", words[i]);

		assert_status(ran, 2);
		ran_free(&ran);
	}
	struct ran ran = SYNC("dir=nfs://nobody/x");
	assert_status(ran, 4);
	assert_contains(ran.out, "expected a folder");
	ran_free(&ran);
	ran = SYNC("dir=/nowhere");
	assert_status(ran, 4);
	assert_contains(ran.out, "No such file or directory");
	ran_free(&ran);
}

/* ---- the proof, on a loop device of the test's own -------------------- */

static char image[700], mounted[700];

static bool make_loop(const char *mkfs)
{
	char command[8192];

	if (own_namespaces(CLONE_NEWNS))
		return false;

	snprintf(image, sizeof image, "%s/loop.img", disk);
	snprintf(mounted, sizeof mounted, "%s/loop", disk);
	snprintf(command, sizeof command,
		"mkdir -p %s && rm -f %s && truncate -s 512M %s && %s %s "
		">/dev/null && "
		"mount -o loop %s %s",
		mounted, image, image, mkfs, image, image, mounted);
	return !system(command);
}

static bool has_btrfs(void)
{
	return !system("command -v mkfs.btrfs >/dev/null && "
		       "grep -qw btrfs /proc/filesystems");
}

static void write_cache_is(const char *words)
{
	char command[8192];

	snprintf(command, sizeof command,
		"d=$(findmnt -no SOURCE %s); "
		"echo '%s' >/sys/block/${d#/dev/}/queue/write_cache",
		mounted, words);
	if (system(command))
		fail_msg("%s", command);
}

/* With a gate on durability, and what its line shows. */
static void expect_finding(const char *threads, const char *words,
	const char *gated)
{
	struct ran ran = gate(threads, mounted);

	assert_status(ran, *gated == 'o' ? 0 : 1);
	assert_contains(ran.out, words);
	assert_contains(ran.out, gated);
	ran_free(&ran);
}

static void test_flushes(void **state)
{
	char command[8192];

	if (!make_loop("mkfs.ext4 -q -m 0"))
		skip_because("not permitted here: a loop device");
	write_cache_is("write back");
	expect_finding("1",
		" has a volatile write cache, and completed a flush ",
		"ok   fs.sync.durable mean 1.000 ");
	expect_finding("2", " counts the flushes of all threads ",
		"(no such figure)");
	write_cache_is("write through");
	expect_finding("1", " reports no volatile write cache: ",
		"ok   fs.sync.durable mean 1.000 ");
	write_cache_is("write back");
	snprintf(command, sizeof command, "mount -o remount,nobarrier %s",
		mounted);
	assert_int_equal(system(command), 0);
	expect_finding("1", " acknowledges without flushing: ",
		"FAIL fs.sync.durable mean 0 ");
	assert_int_equal(umount2(mounted, MNT_DETACH), 0);
}

/* Before Linux 6.17 btrfs skipped the sync of a file without a link. */
static void test_flushes_of_btrfs(void **state)
{
	if (!has_btrfs())
		skip_because("no btrfs here");
	if (!make_loop("mkfs.btrfs -q"))
		skip_because("not permitted here: a loop device");
	write_cache_is("write back");
	expect_finding("1",
		" has a volatile write cache, and completed a flush ",
		"ok   fs.sync.durable mean 1.000 ");
	assert_int_equal(entries_in(mounted), 0);
	assert_int_equal(umount2(mounted, MNT_DETACH), 0);
}

/* ---- nothing is left behind ------------------------------------------- */

static void test_interrupted(void **state)
{
	assert_tidy_if_interrupted((const char *const[]){ "run", "fs.sync", dir(disk),
		"budget=60s", NULL });
}

static void test_killed(void **state)
{
	assert_tidy_if_killed((const char *const[]){ "run", "fs.sync", dir(disk),
		"budget=60s", NULL });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_gate),
		cmocka_unit_test(test_etcd),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_flushes_of_btrfs),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
