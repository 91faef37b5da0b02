/* The experiments with files: what they verify, refuse and leave behind; and
 * their behaviour on file systems that are full, too small, read-only or in
 * memory. */
#include <stdio.h>

#include "disk.h"
#include "namespace.h"

static bool mounts; /* the namespaces are ours */

/* "dir=PATH" in one of a few buffers. */
static const char *dir(const char *path)
{
	static char words[4][800];
	static int next;
	char *word = words[next++ % 4];

	snprintf(word, sizeof words[0], "dir=%s", path);
	return word;
}

/* Folders of a CI machine may themselves be in memory. */
static bool on_disk(void)
{
	struct ran ran = RUN(PROGRAM, "run", "fs.read", "size=4K",
		"order=random", "launches=6", "trials=2", dir(disk));
	bool refused = contains(&ran.out, "which is memory");

	ran_free(&ran);
	if (refused)
		print_message("SKIP: no folder on a disk here\n");
	return !refused;
}

#define READ(...) \
	RUN(PROGRAM, "run", "fs.read", dir(disk), "launches=6", "budget=5s", \
		__VA_ARGS__)

static void test_read(void **state)
{
	static const char *const caches[] = { "cache=cold", "cache=direct",
		"cache=warm" };

	if (!on_disk())
		skip();
	for (size_t i = 0; i < 3; i++) {
		struct ran ran = READ("size=16K,1M", "trials=5",
			"order=sequential,random,backward", caches[i]);

		assert_status(ran, 0);
		/* A file system may lack direct reads; the run then reports
		 * this. */
		if (!contains(&ran.out, "does not support direct reads")) {
			assert_false(contains(&ran.out, "invalid"));
			assert_false(contains(&ran.out, "unavailable"));
			assert_contains(ran.out,
				"times as long as in sequence");
		}
		assert_int_equal(entries_in(disk), 0);
		ran_free(&ran);
	}
}

/* The verified facts are stored with the point. */
static void test_notes(void **state)
{
	char line[8192];

	if (!on_disk())
		skip();
	snprintf(line, sizeof line,
		"run fs.read size=1M order=random dir=%s launches=6 trials=3; "
		"save %s",
		disk, in_folder("notes.json"));
	struct ran ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	ran_free(&ran);
	char *content = read_whole(in_folder("notes.json"));
	assert_non_null(strstr(content, "\"file-system\":\""));
	assert_non_null(strstr(content,
		"\"verified\":\"256 blocks of 4096 bytes, byte for byte\""));
	assert_non_null(
		strstr(content, "\"resident\":\"0 of 256 pages before, "));
	assert_non_null(strstr(content, "\"advice\":\"random\""));
	free(content);
	ran = RUN(PROGRAM, "verify", in_folder("notes.json"));
	assert_status(ran, 0);
	ran_free(&ran);
}

static void test_contention(void **state)
{
	if (!on_disk())
		skip();
	struct ran ran = RUN(PROGRAM, "run", "fs.contention", dir(disk),
		"readers=1,2,3", "pattern=random,sequential-mixed", "size=64K",
		"launches=6", "trials=2", "-v");
	assert_status(ran, 0);
	assert_false(contains(&ran.out, "unavailable"));
	assert_contains(ran.out, "each additional reader adds");
	assert_contains(ran.out, "readers=3 pattern=sequential-mixed");
	assert_int_equal(entries_in(disk), 0);
	assert_int_equal(processes_of(PROGRAM), 0);
	ran_free(&ran);
}

static void refuses(const char *const *words, const char *why)
{
	struct ran ran = run_words(PROGRAM, words);

	assert_status(ran, 4);
	assert_contains(ran.out, why);
	assert_contains(ran.out, "unavailable");
	ran_free(&ran);
}
#define REFUSES(why, ...) \
	refuses((const char *const[]){ "run", __VA_ARGS__, NULL }, (why))

static void test_refusals(void **state)
{
	const char *here = dir(disk);

	/* The state folder of these tests is in memory. */
	REFUSES("which is memory", "fs.read", "size=4K", "order=random");
	REFUSES("which is memory", "fs.read", "size=4K", "order=random",
		"cache=direct");
	REFUSES("No such file or directory", "fs.read", "size=4K",
		"dir=/nowhere");
	REFUSES("is not a multiple of the block", "fs.read", here, "size=6K",
		"block=4K");
	REFUSES(" are free, ", "fs.read", here, "size=1T");
	REFUSES("expected fs.remote", "fs.read", "dir=nfs://nobody/x",
		"size=4K");
	char path[600];
	snprintf(path, sizeof path, "path=%s", disk);
	REFUSES("this path is local", "fs.remote", path, "size=4K");
	REFUSES("no page cache on this machine", "fs.cache",
		"dir=nfs://nobody/x/");
	struct ran ran = RUN(PROGRAM, "run", "fs.remote");
	assert_status(ran, 2);
	assert_contains(ran.err, "path is required");
	ran_free(&ran);
	assert_int_equal(entries_in(disk), 0);
}

/* The URL of a host without a server. */
static void test_no_server(void **state)
{
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", "size=4K",
		"path=nfs://127.0.0.1/export/?nfsport=1&mountport=1");

	if (contains(&ran.out, "built without")) {
		ran_free(&ran);
		return;
	}
	assert_status(ran, 6);
	assert_contains(ran.err, "cannot mount");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "fs.remote", "size=4K",
		"path=nfs://nobody.invalid/export/");
	assert_status(ran, 6);
	assert_contains(ran.err, "cannot find 'nobody.invalid'");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "fs.remote", "size=4K", "path=nfs://nobody");
	assert_contains(ran.out, "expected nfs://server/export/");
	ran_free(&ran);
}

/* ---- file systems of the test's own ----------------------------------- */

static bool may_mount(void)
{
	if (!mounts)
		print_message("SKIP: not permitted here: mounting\n");
	return mounts;
}

static void shell(const char *command)
{
	if (system(command))
		fail_msg("%s", command);
}

/* An ext4 in a file, mounted at a folder; false where there is no loop
 * device. */
static bool mount_small(const char *at, const char *size)
{
	char command[8192];

	snprintf(command, sizeof command,
		"mkdir -p %s && truncate -s %s %s.img && "
		"mkfs.ext4 -q -m 0 %s.img && mount -o loop %s.img %s",
		at, size, at, at, at, at);
	if (!system(command))
		return true;
	print_message("SKIP: not permitted here: a loop device\n");
	return false;
}

static void unmount(const char *at)
{
	char command[8192];

	snprintf(command, sizeof command, "umount %s && rm %s.img", at, at);
	shell(command);
}

static void test_small_disks(void **state)
{
	char at[600], command[8192];

	snprintf(at, sizeof at, "%s/small", disk);
	if (!may_mount() || !on_disk() || !mount_small(at, "128M"))
		skip();
	/* Too small for one size, large enough for the other. */
	struct ran ran = RUN(PROGRAM, "run", "fs.read", dir(at),
		"size=64K,256M", "order=random", "launches=6", "trials=2",
		"-v");
	assert_status(ran, 0);
	assert_contains(ran.out, "needs 320.0 MiB of disk,");
	assert_contains(ran.out, "size=64K");
	assert_int_equal(entries_in(at), 0);
	ran_free(&ran);
	/* Full. */
	snprintf(command, sizeof command,
		"dd if=/dev/zero of=%s/full bs=1M 2>/dev/null; true", at);
	shell(command);
	REFUSES(" are free, ", "fs.read", dir(at), "size=64K");
	assert_int_equal(entries_in(at), 1);
	unmount(at);
	rmdir(at);
}

static void test_read_only(void **state)
{
	char at[600], command[8192];

	snprintf(at, sizeof at, "%s/ro", disk);
	if (!may_mount() || !mount_small(at, "128M"))
		skip();
	snprintf(command, sizeof command, "mount -o remount,ro %s", at);
	shell(command);
	REFUSES("Read-only file system", "fs.read", dir(at), "size=64K",
		"order=random");
	unmount(at);
	rmdir(at);
}

/* The alignment that a disk of 4K sectors needs is queried, and reported. */
static void test_sectors(void **state)
{
	char at[600], command[8192];

	snprintf(at, sizeof at, "%s/sectors", disk);
	snprintf(command, sizeof command,
		"mkdir -p %s && truncate -s 192M %s.img && "
		"d=$(losetup -f --show -b 4096 %s.img 2>/dev/null) && "
		"mkfs.ext4 -q -m 0 -b 4096 $d && mount $d %s && losetup -d $d",
		at, at, at, at);
	if (!may_mount() || !on_disk())
		skip();
	if (system(command))
		skip_because("not permitted here: a loop device");
	REFUSES("needs multiples of", "fs.read", dir(at), "size=64K",
		"block=512", "cache=direct", "order=random");
	struct ran ran = RUN(PROGRAM, "run", "fs.read", dir(at), "size=64K",
		"block=4K", "cache=direct", "order=random", "launches=6",
		"trials=2");
	assert_status(ran, 0);
	assert_contains(ran.out, "time per block");
	assert_false(contains(&ran.out, "unavailable"));
	assert_int_equal(entries_in(at), 0);
	ran_free(&ran);
	unmount(at);
	rmdir(at);
}

/* An overlay on memory: no read from it is cold or direct. */
static void test_overlay(void **state)
{
	char at[600], command[8192];

	snprintf(at, sizeof at, "%s/overlay", disk);
	snprintf(command, sizeof command,
		"mkdir -p %s && mount -t tmpfs none %s && cd %s && "
		"mkdir lower upper work over && mount -t overlay overlay -o "
		"lowerdir=lower,upperdir=upper,workdir=work over 2>/dev/null",
		at, at, at);
	if (!may_mount())
		skip();
	if (system(command)) {
		print_message("SKIP: not permitted here: an overlay\n");
		umount2(at, MNT_DETACH);
		rmdir(at);
		skip();
	}
	char over[620];
	snprintf(over, sizeof over, "%s/over", at);
	REFUSES("does not evict on demand", "fs.read", dir(over), "size=64K",
		"order=random");
	struct ran ran = RUN(PROGRAM, "run", "fs.read", dir(over), "size=64K",
		"order=random", "cache=direct");
	/* Older file systems refuse O_DIRECT. */
	assert_true(contains(&ran.out, "does not evict on demand") ||
		contains(&ran.out, "does not support direct reads"));
	assert_int_equal(entries_in(over), 0);
	ran_free(&ran);
	umount2(over, MNT_DETACH);
	umount2(at, MNT_DETACH);
	rmdir(at);
}

/* Starts a run, executes a shell command once a launch has its file, and
 * collects the output of the run. */
static struct ran meddle(const char *const *words, const char *command)
{
	struct ran ran = { 0 };
	int out[2], err[2], status;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid = start(PROGRAM, words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	shell(command);
	collect(out[0], err[0], &ran);
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	ran.status = WEXITSTATUS(status);
	return ran;
}

/* Waits until a process has an unnamed file of the folder open, and its trials
 * have begun. */
#define AWAIT_FILE \
	"i=0; while [ $i -lt 600 ] && ! ls -l /proc/[0-9]*/fd 2>/dev/null | " \
	"grep -q '%s/#'; do sleep .05; i=$((i+1)); done; sleep .5; "

/* If the folder changes during a run: one sentence and the exit code of a
 * failed run. Samples are stored, flagged where the launch was interrupted.
 * Which step of a launch meets the change is a matter of chance, so the
 * sentence is one of those listed, up to NULL. */
static void ended_early(struct ran *ran, const char *const *whys)
{
	while (whys[1] && !contains(&ran->err, whys[0]))
		whys++;
	assert_status(*ran, 5);
	assert_contains(ran->err, whys[0]);
	assert_int_equal(lines_beginning(&ran->err, "benchtop:"), 1);
	assert_contains(ran->out, "ended by a fault");
	ran_free(ran);
}

/* Another process fills the file system. */
static void test_fills_up(void **state)
{
	char at[600], command[8192];

	snprintf(at, sizeof at, "%s/fills", disk);
	if (!may_mount() || !on_disk() || !mount_small(at, "192M"))
		skip();
	const char *words[] = { "run", "fs.read", dir(at), "size=16M",
		"order=random", "cache=direct", "launches=30", "trials=2000",
		"budget=60s", NULL };
	snprintf(command, sizeof command,
		AWAIT_FILE "dd if=/dev/zero of=%s/full bs=1M 2>/dev/null; true",
		at, at);
	struct ran ran = meddle(words, command);
	/* It is full before the next file is begun, or while it is written. */
	ended_early(&ran,
		(const char *const[]){ " are free, ", "No space left on device",
			NULL });
	assert_int_equal(entries_in(at), 1);
	unmount(at);
	rmdir(at);
}

/* Another process truncates the file; later the folder is removed. */
static void test_vanishes(void **state)
{
	char at[600], command[8192];

	if (!on_disk())
		skip();
	snprintf(at, sizeof at, "%s/gone", disk);
	assert_int_equal(mkdir(at, 0755), 0);
	const char *words[] = { "run", "fs.read", dir(at), "size=16M",
		"order=random", "cache=direct", "launches=30", "trials=2000",
		"budget=60s", NULL };
	snprintf(command, sizeof command,
		AWAIT_FILE "for i in 1 2 3 4 5 6 7 8; do "
			   "for fd in $(find /proc/[0-9]*/fd -lname '%s/#*' "
			   "2>/dev/null); do (: >\"$fd\") 2>/dev/null || "
			   "true; done; sleep .1; done",
		at, at);
	struct ran ran = meddle(words, command);
	/* The file is truncated while it is read, or after it was written, at
	 * the check of its size or of its holes. */
	if (contains(&ran.out, "does not support direct reads"))
		ran_free(&ran);
	else
		ended_early(&ran,
			(const char *const[]){ "unexpected end of file",
				"the file has 0 bytes", "stored a hole",
				NULL });
	assert_int_equal(entries_in(at), 0);
	snprintf(command, sizeof command, AWAIT_FILE "rmdir %s", at, at);
	words[5] = "cache=cold";
	words[7] = "trials=5";
	ran = meddle(words, command);
	ended_early(&ran,
		(const char *const[]){ "No such file or directory", NULL });
}

static int make_all(void **state)
{
	mounts = !own_namespaces(CLONE_NEWNS);
	return make_folders(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_no_server),
		cmocka_unit_test(test_small_disks),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_sectors),
		cmocka_unit_test(test_overlay),
		cmocka_unit_test(test_fills_up),
		cmocka_unit_test(test_vanishes),
	};

	return cmocka_run_group_tests(tests, make_all, remove_folders);
}
