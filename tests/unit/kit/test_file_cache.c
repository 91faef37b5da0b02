/* Files in the page cache, evicted, read around it, in an order; and their file
 * systems. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "file_direct.h"
#include "file_folders.h"
#include "file_order.h"
#include "file_system.h"

static void test_eviction_is_proven(void **state)
{
	struct error error = { 0 };
	size_t pages = 300;

	if (!on_disk())
		skip_because("no folder on a disk here");
	struct file_made file = make_file(disk, pages * page_bytes() - 1);
	assert_int_equal(file_warm(file.fd, file.size_bytes, NULL, &error), 0);
	assert_int_equal(file_resident(file.fd, file.size_bytes), pages);
	assert_int_equal(file_evict(file.fd, file.size_bytes, &error), 0);
	assert_int_equal(file_resident(file.fd, file.size_bytes), 0);
	/* A mapped page remains in the cache, and the error states this. */
	char *view =
		mmap(NULL, page_bytes(), PROT_READ, MAP_SHARED, file.fd, 0);
	assert_ptr_not_equal(view, MAP_FAILED);
	(void)*(volatile char *)view;
	assert_int_equal(file_evict(file.fd, file.size_bytes, &error), -1);
	assert_non_null(strstr(error.message, "stay in the cache"));
	munmap(view, page_bytes());
	file_close(&file);
}

/* Dirty pages are written back first, because the kernel does not evict
 * them. */
static void test_dirty_pages(void **state)
{
	struct error error = { 0 };

	if (!on_disk())
		skip_because("no folder on a disk here");
	struct file_made file = make_file(disk, 64 * page_bytes());
	assert_int_equal(pwrite(file.fd, "x", 1, 0), 1);
	if (file_dirty(file.fd, file.size_bytes) >= 0)
		assert_true(file_dirty(file.fd, file.size_bytes) > 0);
	assert_int_equal(file_evict(file.fd, file.size_bytes, &error), 0);
	assert_int_equal(file_resident(file.fd, file.size_bytes), 0);
	assert_true(file_dirty(file.fd, file.size_bytes) <= 0);
	file_close(&file);
}

static void test_memory_is_refused(void **state)
{
	struct error error = { 0 };
	struct file_direct direct;
	struct file_made file = make_file(shm, 1 << 20);

	assert_true(file_lives_in_memory(file.fd));
	assert_int_equal(file_evict(file.fd, file.size_bytes, &error), -1);
	assert_non_null(strstr(error.message, "is on tmpfs, which is memory"));
	assert_int_equal(file_direct_open(&direct, file.fd, 4096, &error), -1);
	assert_non_null(strstr(error.message, "is on tmpfs, which is memory"));
	assert_int_equal(file_warm(file.fd, file.size_bytes, NULL, &error), 0);
	file_close(&file);
}

static void test_direct(void **state)
{
	struct error error = { 0 };
	struct file_direct direct;
	void *buffer = NULL;

	if (!on_disk())
		skip_because("no folder on a disk here");
	struct file_made file = make_file(disk, 1 << 20);
	assert_int_equal(file_evict(file.fd, file.size_bytes, &error), 0);
	if (file_direct_open(&direct, file.fd, 4096, &error)) {
		/* Some file systems have no direct reads, and the error states
		 * this. */
		assert_non_null(
			strstr(error.message, "not support direct reads"));
		file_close(&file);
		return;
	}
	assert_int_equal(4096 % direct.offset_bytes, 0);
	assert_int_equal(posix_memalign(&buffer, 4096, 4096), 0);
	assert_int_equal(pread(direct.fd, buffer, 4096, 8192), 4096);
	assert_int_equal(file_resident(file.fd, file.size_bytes), 0);
	free(buffer);
	close(direct.fd);
	/* A block size that is not a multiple of the required alignment. */
	assert_int_equal(file_direct_open(&direct, file.fd,
				 direct.offset_bytes + 8, &error),
		-1);
	assert_non_null(strstr(error.message, "needs multiples of"));
	file_close(&file);
}

/* Every block is read once per round, in each order. */
static void test_orders(void **state)
{
	enum { BLOCKS = 1000 };

	for (enum file_ordering o = FILE_ASCENDING; o <= FILE_DESCENDING; o++) {
		struct file_order order;
		uint64_t random = 5;
		unsigned char seen[BLOCKS] = { 0 };
		size_t ascending = 0, descending = 0;
		uint32_t last = 0;

		file_order_draw(&order, o, BLOCKS, &random);
		uint32_t first = order.blocks[0];
		for (size_t i = 0; i < BLOCKS; i++) {
			uint32_t block = file_order_next(&order);

			assert_in_range(block, 0, BLOCKS - 1);
			assert_int_equal(seen[block]++, 0);
			ascending += i && block == last + 1;
			descending += i && block + 1 == last;
			last = block;
		}
		/* The next round. */
		assert_int_equal(file_order_next(&order), first);
		if (o == FILE_ASCENDING)
			assert_int_equal(ascending, BLOCKS - 1);
		else if (o == FILE_DESCENDING)
			assert_int_equal(descending, BLOCKS - 1);
		else
			assert_true(ascending + descending < 20);
		file_order_free(&order);
	}
}

/* ---- file systems and disks ------------------------------------------- */

static void test_this_system(void **state)
{
	struct file_system system;
	struct file_made file = make_file(shm, 4096);

	file_system_read(&system, file.fd, "");
	assert_string_equal(system.type, "tmpfs");
	assert_false(system.remote);
	assert_true(strlen(system.options) > 0);
	file_close(&file);
	file = make_file(disk, 4096);
	file_system_read(&system, file.fd, "");
	assert_string_not_equal(system.type, "unknown");
	file_close(&file);
}

static void put(const char *name, const char *content)
{
	struct text path = { 0 }, folder = { 0 };

	text_add(&path, "%s/%s", shm, name);
	text_add(&folder, "mkdir -p $(dirname %s)", text_chars(&path));
	assert_int_equal(system(folder.chars), 0);
	FILE *file = fopen(path.chars, "we");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
	text_free(&path);
	text_free(&folder);
}

static void link_device(const char *numbers)
{
	struct text command = { 0 };

	text_add(&command,
		"mkdir -p %s/sys/dev/block && ln -s ../../devices/sda/sda1 "
		"%s/sys/dev/block/%s",
		shm, shm, numbers);
	assert_int_equal(system(command.chars), 0);
	text_free(&command);
}

/* The tree of a different machine: a partition uses the queue of its disk. */
static void test_another_system(void **state)
{
	struct file_system found;
	struct file_made file = make_file(disk, 4096);
	struct stat status;
	char name[128];

	snprintf(name, sizeof name, "proc/self/fdinfo/%d", file.fd);
	put(name, "pos:\t0\nflags:\t0100002\nmnt_id:\t77\nino:\t5\n");
	put("proc/self/mountinfo",
		"7 1 0:5 / /proc rw - proc proc rw\n"
		"77 1 8:1 / /data rw,noatime shared:1 master:2 - xfs "
		"host:/data rw,inode64\n");
	assert_int_equal(fstat(file.fd, &status), 0);
	put("sys/devices/sda/sda1/partition", "1\n");
	put("sys/devices/sda/queue/scheduler", "none [bfq] kyber\n");
	put("sys/devices/sda/queue/read_ahead_kb", "128\n");
	snprintf(name, sizeof name, "%u:%u", major(status.st_dev),
		minor(status.st_dev));
	link_device(name);
	file_system_read(&found, file.fd, shm);
	assert_string_equal(found.type, "xfs");
	assert_string_equal(found.source, "host:/data");
	assert_string_equal(found.options, "rw,noatime; rw,inode64");
	assert_false(found.remote);
	assert_string_equal(found.device, "sda");
	assert_string_equal(found.scheduler, "bfq");
	assert_int_equal(found.read_ahead_bytes, 128 << 10);
	file_close(&file);
}

static void test_remote(void **state)
{
	static const struct {
		const char *mount;
		bool remote;
	} cases[] = {
		{ "nfs4 host:/export", true },
		{ "cifs //host/share", true },
		{ "ext4 /dev/sda1", false },
		{ "fuse.sshfs root@host:/", true },
		{ "fuse.unheard host:/", true },
		{ "fuse.unheard //host/share", true },
		{ "fuse.unheard local", false },
		{ "fuseblk /dev/sdb1", false },
	};
	struct file_system found;
	char mounts[128];

	put("proc/self/fdinfo/3", "mnt_id:\t77\n");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(mounts, sizeof mounts, "77 1 0:9 / /far rw - %s rw\n",
			cases[i].mount);
		put("proc/self/mountinfo", mounts);
		file_system_read(&found, 3, shm);
		assert_int_equal(found.remote, cases[i].remote);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eviction_is_proven),
		cmocka_unit_test(test_dirty_pages),
		cmocka_unit_test(test_memory_is_refused),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_this_system),
		cmocka_unit_test(test_another_system),
		cmocka_unit_test(test_remote),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
