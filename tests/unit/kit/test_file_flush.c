/* Flushes are counted on the disks below a device, in an invented sysfs. */
#include "file_flush.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

static char root[] = "/tmp/benchtop-flush-XXXXXX";

static void shell(const char *format, const char *a, const char *b)
{
	struct text command = { 0 };

	text_add(&command, "set -e; cd %s/sys; ", root);
	text_add(&command, "%s; n=%s; v=%s; ",
		"link() { ln -sfn ../../devices/$1 class/block/${1##*/}; }", a,
		b);
	text_add(&command, "%s", format);
	if (system(text_chars(&command)))
		fail_msg("%s", text_chars(&command));
	text_free(&command);
}

/* A disk with a request queue and this many flushes. */
static void make_disk(const char *name, const char *flushes)
{
	shell("mkdir -p devices/$n/mq devices/$n/queue; link $n; "
	      "echo ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15' $v 17 "
	      ">devices/$n/stat; echo 'write through' "
	      ">devices/$n/queue/write_cache",
		name, flushes);
}

static int make_root(void **state)
{
	char command[200];

	if (!mkdtemp(root))
		return -1;
	snprintf(command, sizeof command, "mkdir -p %s/sys/class/block", root);
	if (system(command))
		return -1;
	make_disk("sda", "70");
	make_disk("sdb", "800");
	return 0;
}

static int remove_root(void **state)
{
	char command[200];

	snprintf(command, sizeof command, "rm -r %s", root);
	return system(command);
}

static void expect(const char *device, int64_t flushes, bool volatile_cache)
{
	struct file_flush flush;

	file_flush_open(&flush, device, root);
	assert_int_equal(flush.counted, flushes >= 0);
	assert_int_equal(file_flush_count(&flush), flushes);
	assert_int_equal(flush.volatile_cache, volatile_cache);
	file_flush_close(&flush);
	assert_int_equal(file_flush_count(&flush), -1);
}

/* The descriptor stays open; the count is read again. */
static void test_disk(void **state)
{
	struct file_flush flush;

	expect("sda", 70, false);
	file_flush_open(&flush, "sda", root);
	make_disk("sda", "73");
	assert_int_equal(file_flush_count(&flush), 73);
	file_flush_close(&flush);
	shell("echo 'write back' >devices/$n/queue/write_cache", "sda", "");
	expect("sda", 73, true);
}

static void test_partition(void **state)
{
	shell("mkdir devices/$n; link $n; echo 1 >devices/$n/partition; "
	      "echo '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0' >devices/$n/stat",
		"sdb/sdb1", "");
	expect("sdb1", 800, false);
}

/* A mirror of a partition and a disk. */
static void test_parts(void **state)
{
	shell("mkdir -p devices/$n/slaves; link $n; "
	      "touch devices/$n/slaves/sda devices/$n/slaves/sdb1",
		"dm-0", "");
	expect("dm-0", 873, true);
}

/* A loop device whose file has this path in the invented root. */
static void make_loop(const char *name, const char *file)
{
	make_disk(name, "5");
	shell("mkdir -p devices/$n/loop; echo $v >devices/$n/loop/backing_file",
		name, file);
}

static void is_in_memory(const char *device, bool memory)
{
	struct file_flush flush;

	file_flush_open(&flush, device, root);
	assert_int_equal(flush.memory, memory);
	file_flush_close(&flush);
}

/* An empty file in a folder, and the disk of that folder by its number. */
static void make_image(char *path, const char *disk)
{
	char device[40];
	struct stat found;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &found), 0);
	snprintf(device, sizeof device, "%u:%u", major(found.st_dev),
		minor(found.st_dev));
	shell("mkdir -p dev/block; ln -sfn ../../devices/$v dev/block/$n",
		device, disk);
	close(fd);
}

/* A loop device counts its flushes. Without its file they prove nothing. */
static void test_loop(void **state)
{
	char image[] = "/var/tmp/benchtop-flush-XXXXXX";

	make_image(image, "sda");
	shell("ln -sfn $v ../$n", "image", image);
	make_loop("loop0", "/image");
	expect("loop0", 5, false);
	is_in_memory("loop0", false);
	make_loop("loop1", "'/image (deleted)'");
	expect("loop1", -1, false);
	unlink(image);
}

/* What is written to a file in memory is not durable, also not through a file
 * system on a loop device. */
static void test_loop_in_memory(void **state)
{
	char image[] = "/var/tmp/benchtop-flush-XXXXXX";
	char shared[] = "/dev/shm/benchtop-flush-XXXXXX";
	struct statfs disk;

	if (statfs("/dev/shm", &disk) || disk.f_type != TMPFS_MAGIC)
		skip_because("no tmpfs in /dev/shm");
	make_image(shared, "none");
	shell("ln -sfn $v ../$n", "shared", shared);
	make_loop("loop2", "/shared");
	is_in_memory("loop2", true);
	make_image(image, "loop2");
	shell("ln -sfn $v ../$n", "image", image);
	make_loop("loop3", "/image");
	is_in_memory("loop3", true);
	is_in_memory("sda", false);
	unlink(shared);
	unlink(image);
}

static void test_uncounted(void **state)
{
	expect("", -1, false);
	expect("nothing", -1, false);
	/* Without a request queue. */
	make_disk("pmem0", "5");
	shell("rmdir devices/$n/mq", "pmem0", "");
	expect("pmem0", -1, false);
	/* An old kernel. */
	make_disk("old", "5");
	shell("echo 1 2 3 4 5 6 7 8 9 10 11 >devices/$n/stat", "old", "");
	expect("old", -1, false);
	/* A part of itself. */
	shell("mkdir -p devices/$n/slaves; link $n; touch devices/$n/slaves/$n",
		"dm-1", "");
	expect("dm-1", -1, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_loop_in_memory),
		cmocka_unit_test(test_uncounted),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
