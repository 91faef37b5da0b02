/*
 * One place where the lab waits: for its worker, for signals, for time, and
 * for whatever a front end watches. Nothing wakes it while nothing happens.
 */
#ifndef BENCHTOP_LOOP_H
#define BENCHTOP_LOOP_H

#include "lab.h"

struct loop {
	struct lab *lab;
	int signals;         /* signalfd of INT, TERM, HUP */
	int signal;          /* the last one that came; 0 none */
	unsigned interrupts; /* how many came */
	int watched;         /* a descriptor of the front end; -1 none */
	bool readable;       /* the watched one, after a turn */
	bool hung_up;        /* the watched one's other end is gone */
};

/* Blocks the signals and takes them over; restored by loop_release(). */
int loop_init(struct loop *, struct lab *, struct error *);
void loop_release(struct loop *);
/* Waits at most timeout_ms (-1: until something happens; while the lab is
 * busy never longer than a tenth of a second), then steps the lab. The first
 * signal stops the run, keeping what was measured; so does every later one. */
void loop_turn(struct loop *, int timeout_ms);

#endif
