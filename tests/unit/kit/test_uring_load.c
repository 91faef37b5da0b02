/* Requests that keep a ring busy: every read is complete and of its block, for
 * any depth and batch; what is wrong is noticed. */
#include "file_folders.h"
#include "uring_load.h"

enum { BLOCK = 1024, BLOCKS = 64 };

static struct uring_load load;
static struct file_made file;

static void begin(unsigned depth, unsigned batch, bool reads)
{
	struct error error;

	load = (struct uring_load){ .depth = depth, .batch = batch,
		.fd = reads ? file.fd : -1, .block_bytes = BLOCK };
	if (uring_open(&load.ring, depth, URING_NO_POLLER, &error)) {
		print_message("SKIP: not permitted here: %s\n", error.message);
		skip();
	}
	load.buffers = calloc(depth, BLOCK);
	file_order_draw(&load.order, FILE_SHUFFLED, BLOCKS, &probe.random);
	uring_load_begin(&load);
}

static void end(void)
{
	assert_int_equal(load.waiting, 0);
	assert_int_equal(uring_lost(&load.ring), 0);
	uring_close(&load.ring);
	file_order_free(&load.order);
	free(load.buffers);
}

static const struct {
	unsigned depth, batch;
} shapes[] = { { 1, 1 }, { 7, 1 }, { 7, 3 }, { 7, 7 }, { 64, 64 },
	{ 100, 33 }, { URING_DEPTH_MOST, 5 } };
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_nops(void **state)
{
	for (size_t i = 0; i < SHAPES; i++) {
		unsigned batch = shapes[i].batch;

		begin(shapes[i].depth, batch, false);
		for (uint64_t count = 1; count < 300; count += 41) {
			uint64_t calls = load.ring.calls;

			assert_int_equal(uring_load_run(&load, count), 0);
			/* A request is answered while it is submitted. */
			assert_int_equal(load.ring.calls - calls,
				(count + batch - 1) / batch);
		}
		end();
	}
}

static void test_reads(void **state)
{
	for (size_t i = 0; i < SHAPES; i++) {
		begin(shapes[i].depth, shapes[i].batch, true);
		for (uint64_t count = 1; count < 300; count += 41) {
			size_t at = load.order.at;

			assert_int_equal(uring_load_run(&load, count), 0);
			assert_int_equal(load.order.at, (at + count) % BLOCKS);
			assert_true(uring_load_same(&load, file.seed, BLOCK));
			/* Of another file, all of it would be wrong. */
			assert_false(uring_load_same(&load, file.seed + 1, 8));
		}
		end();
	}
}

/* Every buffer must hold the block that was asked for last. */
static void test_changed(void **state)
{
	begin(7, 7, true);
	assert_int_equal(uring_load_run(&load, 7), 0);
	load.buffers[3 * BLOCK + 100] ^= 1;
	assert_false(uring_load_same(&load, file.seed, BLOCK));
	assert_true(uring_load_same(&load, file.seed, 64));
	end();
}

static void test_end_of_file(void **state)
{
	begin(7, 3, true);
	assert_int_equal(ftruncate(file.fd, BLOCK * BLOCKS / 2 + 1), 0);
	assert_int_equal(uring_load_run(&load, BLOCKS), -EIO);
	assert_true(load.wrong > 0);
	uring_close(&load.ring);
	file_order_free(&load.order);
	free(load.buffers);
}

static int make(void **state)
{
	if (make_folders(state))
		return -1;
	file = make_file(disk, BLOCK * BLOCKS);
	return 0;
}

static int remove_all(void **state)
{
	file_close(&file);
	return remove_folders(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nops),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_end_of_file),
	};

	return cmocka_run_group_tests(tests, make, remove_all);
}
