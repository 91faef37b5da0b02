/*
 * One place where the lab waits: for its worker, for signals, for time, and
 * for whatever a front end watches. Nothing wakes it while nothing happens.
 */
#ifndef BENCHTOP_LOOP_H
#define BENCHTOP_LOOP_H

#include <signal.h>

#include "lab.h"

struct loop {
	struct lab *lab;
	int signals;    /* signalfd of INT, TERM, HUP, and loop_listen() */
	sigset_t set;   /* what it watches, all of them blocked */
	uint64_t heard; /* a bit for each signal of loop_listen() that came */
	int signal;     /* the last one that came; 0 none */
	unsigned interrupts; /* how many came */
	int watched;         /* a descriptor of the front end; -1 none */
	bool only_end;       /* of it nothing but its hang-up is of interest */
	bool readable;       /* the watched one, after a turn */
	bool hung_up;        /* the watched one's other end is gone */
};

/* Blocks the signals and takes them over, but those that are ignored: what
 * nohup started shall go on. They stay blocked: whoever releases the loop is
 * leaving, and a second signal must not come between him and the end. */
int loop_init(struct loop *, struct lab *, struct error *);
void loop_release(struct loop *);
/* Takes over one more signal, ignored or not. INT, TERM and HUP interrupt;
 * of others loop_heard() says, once each time, that they came. */
int loop_listen(struct loop *, int number, struct error *);
bool loop_heard(struct loop *, int number);
/* Waits at most timeout_ms (-1: until something happens; while the lab is
 * busy never longer than a tenth of a second), then steps the lab. The first
 * signal stops the run, keeping what was measured; so does every later one. */
void loop_turn(struct loop *, int timeout_ms);

#endif
