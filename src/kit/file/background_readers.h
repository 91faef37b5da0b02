/*
 * Background readers: processes that read files continuously while another
 * reader is measured.
 *
 * background_begin() wakes them, waits until each has read a block, and records
 * their counters. background_end() waits until each has read one more block,
 * and reports what they read in between. So by its own counter each reader was
 * reading before, during and after the trial. Between begin and end they only
 * read, and evict their own files if those must be cold; otherwise they sleep.
 *
 * They run on the processors to which the lab was moved. These exclude the
 * processor of the measured reader, if there is another. They end with their
 * parent.
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

/* Work of a reader: blocks, and the ticks of the probe's clock spent on
 * them. */
struct background_count {
	uint64_t blocks, ticks;
};

struct background_readers {
	struct background_shared *shared; /* NULL: no readers */
	pid_t pids[BACKGROUND_MOST];
	size_t count;
	struct background_count begun[BACKGROUND_MOST];
};

/* Starts `count` readers. `evicts`: a cold reader evicts its own file before
 * each pass. Returns 0, or -1 after probe_unavailable() or probe_fail(). */
int background_start(struct background_readers *,
	const struct background_seat *, size_t count,
	enum file_caching, size_t block_bytes, bool evicts, struct probe *);
/* Wakes the readers. False if one has ended or does not read; see
 * background_failed(). */
bool background_begin(struct background_readers *, struct probe *);
/* True if every reader has read a block since. A short pass may end before
 * that. */
bool background_has_read(const struct background_readers *);
bool background_end(struct background_readers *, struct probe *,
	struct background_count *counts);
/* Reports the failed reader and the cause to the probe. */
void background_failed(const struct background_readers *, struct probe *);
void background_stop(struct background_readers *);

#endif
