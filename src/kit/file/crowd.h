/*
 * A crowd: processes that read files over and over, as neighbours of a reader
 * that is measured.
 *
 * crowd_begin() wakes them all, waits until each has read a block, and notes
 * where their counters stand; crowd_end() waits until each has read one more,
 * and says what they read in between. So each was reading before, during and
 * after what lies between the two, by its own counter. In between begin and
 * end they do nothing else but evict their own files where those are to be
 * cold; outside of it they sleep.
 *
 * They run on the processors that the lab was moved to, which is where the
 * measured reader is not, if there is another; they die with their parent.
 */
#ifndef BENCHTOP_CROWD_H
#define BENCHTOP_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file_source.h"

enum { CROWD_MOST = 31 };

struct crowd_seat {
	const struct file_source *source;
	enum file_ordering ordering;
};

/* What a reader has done: blocks, and ticks of the probe's clock in them. */
struct crowd_count {
	uint64_t blocks, ticks;
};

struct crowd {
	struct crowd_shared *shared; /* NULL: nobody */
	pid_t pids[CROWD_MOST];
	size_t count;
	struct crowd_count begun[CROWD_MOST];
};

/* Starts `count` of them. `evicts`: a cold reader evicts its own file before
 * each pass. 0, or -1 after the probe was told. */
int crowd_start(struct crowd *, const struct crowd_seat *, size_t count,
	enum file_caching, size_t block_bytes, bool evicts, struct probe *);
/* False: one of them has ended, or reads nothing; see crowd_failed(). */
bool crowd_begin(struct crowd *, struct probe *);
/* Has everyone read a block since? A short pass may be over before. */
bool crowd_has_read(const struct crowd *);
bool crowd_end(struct crowd *, struct probe *, struct crowd_count *counts);
/* Tells the probe which one, and why. */
void crowd_failed(const struct crowd *, struct probe *);
void crowd_stop(struct crowd *);

#endif
