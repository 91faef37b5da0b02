/*
 * Reads a capture file again for the packets of one connection, if the log of
 * the first reading has no room for all of them. The screen sets which
 * (capture_file_log()). This is no activity: nobody waits for it, commands are
 * executed meanwhile, and an activity ends it, so that it disturbs no
 * measurement. Afterwards it begins again.
 */
#ifndef BENCHTOP_READ_AGAIN_H
#define BENCHTOP_READ_AGAIN_H

#include "lab.h"

/* Is there anything to read? */
bool read_again_is_due(const struct lab *);
/* Could the packets that the screen wants not be read? */
bool read_again_failed(const struct lab *);
/* Descriptor to poll for reading; -1: none. */
int read_again_descriptor(const struct lab *);
/* Reads for about 20 ms. */
void read_again_step(struct lab *);
/* Reads to the end. False if there was nothing to read. */
bool read_again_wait(struct lab *);
/* The part of the file that was read, 0 .. 1. */
double read_again_share(const struct capture_file *);

#endif
