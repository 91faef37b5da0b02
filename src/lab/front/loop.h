/*
 * The only place where the lab waits: for its worker, for signals, for time,
 * and for a front end's descriptor. Without events it does not wake up.
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

/* Blocks the signals and reads them from a signalfd, except ignored signals, so
 * that nohup works. They stay blocked after the release: the program is about
 * to exit, and a second signal must not interrupt that. */
int loop_init(struct loop *, struct lab *, struct error *);
void loop_release(struct loop *);
/* Handles one more signal, ignored or not. INT, TERM and HUP interrupt;
 * loop_heard() reports others, once per arrival. */
int loop_listen(struct loop *, int number, struct error *);
bool loop_heard(struct loop *, int number);
/* Waits at most timeout_ms (-1: until an event; while the lab is busy at most a
 * tenth of a second), then steps the lab. Each signal stops the run and keeps
 * its data. */
void loop_turn(struct loop *, int timeout_ms);

#endif
