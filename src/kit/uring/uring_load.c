/* Requests that keep a ring busy. */
#include "uring_load.h"

#include "file_content.h"

void uring_load_begin(struct uring_load *load)
{
	for (uint32_t i = 0; i < load->depth; i++)
		load->free[i] = i;
}

static char *buffer_of(const struct uring_load *load, uint32_t slot)
{
	return load->buffers + (size_t)slot * load->block_bytes;
}

static uint32_t take_slot(struct uring_load *load)
{
	uint32_t slot = load->free[load->first];

	load->first = load->first + 1 == load->depth ? 0 : load->first + 1;
	load->slots[slot].waiting = true;
	load->waiting++;
	return slot;
}

static void give_slot(struct uring_load *load, uint32_t slot)
{
	uint32_t last = load->first + load->depth - load->waiting--;

	load->free[last >= load->depth ? last - load->depth : last] = slot;
	load->slots[slot].waiting = false;
}

static void request(struct uring_load *load)
{
	struct io_uring_sqe *entry = uring_request(&load->ring);
	uint32_t slot = take_slot(load);

	entry->user_data = slot;
	entry->opcode = IORING_OP_NOP;
	if (load->fd < 0)
		return;
	uint32_t block = file_order_next(&load->order);
	entry->opcode = IORING_OP_READ;
	entry->fd = load->fd;
	entry->addr = (uint64_t)(uintptr_t)buffer_of(load, slot);
	entry->len = (uint32_t)load->block_bytes;
	entry->off = (uint64_t)block * load->block_bytes;
	load->slots[slot].block = block;
	load->slots[slot].filled = true;
}

/* Takes all answers that are there. */
static unsigned take_answers(struct uring_load *load)
{
	int expected = load->fd < 0 ? 0 : (int)load->block_bytes;
	const struct io_uring_cqe *answer;
	unsigned count = 0;

	while ((answer = uring_answer(&load->ring))) {
		uint64_t slot = answer->user_data;

		if (slot < load->depth && load->slots[slot].waiting &&
			answer->res == expected)
			give_slot(load, (uint32_t)slot);
		else
			load->wrong++;
		uring_seen(&load->ring);
		count++;
	}
	return count;
}

static unsigned least(uint64_t a, uint64_t b)
{
	return (unsigned)(a < b ? a : b);
}

int uring_load_run(struct uring_load *load, uint64_t count)
{
	uint64_t made = 0, answered = 0;

	while (answered < count) {
		unsigned some = least(load->batch,
			least(load->depth - load->waiting, count - made));
		int failed = 0;

		for (unsigned i = 0; i < some; i++)
			request(load);
		made += some;
		bool full = made == count ||
			load->depth - load->waiting < load->batch;
		if (some || !load->ring.polled)
			failed = uring_submit(&load->ring, some,
				full ? least(load->batch, load->waiting) : 0);
		if (failed)
			return failed;
		answered += take_answers(load);
		if (load->wrong)
			return -EIO;
	}
	return 0;
}

bool uring_load_same(const struct uring_load *load, uint64_t seed,
	size_t most_bytes)
{
	size_t bytes = load->block_bytes;

	for (uint32_t i = 0; i < load->depth; i++)
		if (load->slots[i].filled &&
			!file_content_same(seed, load->slots[i].block * bytes,
				buffer_of(load, i),
				bytes < most_bytes ? bytes : most_bytes))
			return false;
	return true;
}
