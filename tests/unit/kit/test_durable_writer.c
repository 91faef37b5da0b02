/* The file that durable writes overwrite was filled by writes of their size:
 * the size of the folios in the page cache follows from it, and the time of a
 * sync from that. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "durable_writer.h"
#include "file_folders.h"
#include "file_tree.h"

/* The write calls of this process so far. */
static uint64_t write_calls(void)
{
	FILE *file = fopen("/proc/self/io", "r");
	char line[80];
	uint64_t calls = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "syscw: %" SCNu64, &calls) == 1)
			break;
	fclose(file);
	return calls;
}

static void test_filled_by_writes_of_its_size(void **state)
{
	static const size_t sizes[] = { 512, 2300, 8192, 1 << 20 };
	struct file_tree tree;
	struct error error;

	if (file_tree_make(&tree, disk, &error))
		fail_msg("%s", error.message);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t count = DURABLE_FILE_BYTES / sizes[i];
		struct durable_writer w;
		struct stat status;
		uint64_t before = write_calls();

		assert_int_equal(durable_open(&w, DURABLE_O_DSYNC,
					 DURABLE_OVERWRITE, sizes[i], tree.path,
					 disk, &probe),
			0);
		assert_int_equal(write_calls() - before, count);
		assert_int_equal(fstat(w.fd, &status), 0);
		assert_int_equal(status.st_size, count * sizes[i]);
		/* The first timed write is at the start of the full file. */
		assert_int_equal(w.at, 0);
		assert_int_equal(w.number, count);
		assert_int_equal(durable_prepare(&w), 0);
		assert_int_equal(durable_write(&w), 0);
		assert_int_equal(durable_verify(&w, &probe), 0);
		durable_close(&w);
	}
	file_tree_remove(&tree, &probe);
}

static void test_rewrites_one_block(void **state)
{
	struct durable_writer w;
	struct file_tree tree;
	struct error error;
	struct stat status;

	if (file_tree_make(&tree, disk, &error))
		fail_msg("%s", error.message);
	assert_int_equal(durable_open(&w, DURABLE_FDATASYNC, DURABLE_REWRITE,
				 8192, tree.path, disk, &probe),
		0);
	for (int i = 0; i < 3; i++) {
		uint64_t number = w.number, found;

		assert_int_equal(durable_prepare(&w), 0);
		assert_int_equal(durable_write(&w), 0);
		assert_int_equal(durable_sync(&w), 0);
		assert_int_equal(pread(w.fd, &found, sizeof found, 0),
			sizeof found);
		assert_int_equal(found, number);
	}
	assert_int_equal(fstat(w.fd, &status), 0);
	assert_int_equal(status.st_size, 8192);
	assert_int_equal(durable_verify(&w, &probe), 0);
	durable_close(&w);
	file_tree_remove(&tree, &probe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filled_by_writes_of_its_size),
		cmocka_unit_test(test_rewrites_one_block),
	};

	return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
