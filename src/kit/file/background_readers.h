/*
 * Background readers: processes that read files over and over beside a reader
 * that is measured.
 *
 * background_begin() wakes them all, waits until each has read a block, and
 * records their counters; background_end() waits until each has read one more
 * block, and reports what they read in between. So each reader was reading
 * before, during and after the trial, by its own counter. Between begin and end
 * they do nothing else but evict their own files where those are to be cold;
 * otherwise they sleep.
 *
 * They run on the processors that the lab was moved to, which is where the
 * measured reader is not, if there is another; they die with their parent.
 */
#ifndef BENCHTOP_BACKGROUND_READERS_H
#define BENCHTOP_BACKGROUND_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file_source.h"

enum { BACKGROUND_MOST = 31 };

struct background_seat {
	const struct file_source *source;
	enum file_ordering ordering;
};

/* What a reader has done: blocks, and ticks of the probe's clock in them. */
struct background_count {
	uint64_t blocks, ticks;
};

struct background_readers {
	struct background_shared *shared; /* NULL: nobody */
	pid_t pids[BACKGROUND_MOST];
	size_t count;
	struct background_count begun[BACKGROUND_MOST];
};

/* Starts `count` of them. `evicts`: a cold reader evicts its own file before
 * each pass. 0, or -1 after the probe was told. */
int background_start(struct background_readers *,
	const struct background_seat *, size_t count,
	enum file_caching, size_t block_bytes, bool evicts, struct probe *);
/* False: one of them has ended, or reads nothing; see background_failed(). */
bool background_begin(struct background_readers *, struct probe *);
/* Has everyone read a block since? A short pass may be over before. */
bool background_has_read(const struct background_readers *);
bool background_end(struct background_readers *, struct probe *,
	struct background_count *counts);
/* Tells the probe which one, and why. */
void background_failed(const struct background_readers *, struct probe *);
void background_stop(struct background_readers *);

#endif
