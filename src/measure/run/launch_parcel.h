/*
 * A launch's job as one block of bytes: everything that a worker needs if it is
 * not forked from the lab.
 *
 * The block contains copies of the schedule, the place, the clock, the
 * arguments of every point and their texts. A process that executes the same
 * program reads it in place. Its addresses differ, so the experiment, which is
 * a constant, is identified by its distance from another constant.
 */
#ifndef BENCHTOP_LAUNCH_PARCEL_H
#define BENCHTOP_LAUNCH_PARCEL_H

#include "worker.h"

struct parcel;
struct text;

/* Appends the block of a job to an empty text. */
void launch_pack(const struct launch_job *, struct text *);
/* Converts the block, in writable memory with the alignment of malloc() or
 * mmap(), to a job in place. The tape is not mapped yet: map *tape_bytes of its
 * file with tape_attach(). */
struct launch_job *launch_unpack(struct parcel *, struct tape **tape,
	size_t *tape_bytes);

#endif
