/*
 * A launch's job as one block of bytes: all that a worker needs to know, for
 * one that is not forked from the lab and so does not inherit it.
 *
 * The block holds copies of the schedule, the place, the clock, the arguments
 * of every point and the texts in them. It is read where it lies, by a process
 * that runs the same program at the same addresses: experiments are named by
 * their address.
 */
#ifndef BENCHTOP_LAUNCH_PARCEL_H
#define BENCHTOP_LAUNCH_PARCEL_H

#include "worker.h"

struct parcel;
struct text;

/* Appends the block of a job to an empty text. */
void launch_pack(const struct launch_job *, struct text *);
/* Makes the block, at any address that malloc() or mmap() may give and free to
 * be written to, a job again, which lies in the block. The tape is not mapped
 * yet: *tape_bytes is how much of its file is to be, by tape_attach(). */
struct launch_job *launch_unpack(struct parcel *, struct tape **tape,
	size_t *tape_bytes);

#endif
