/*
 * The only place where the lab waits: for its worker, signals, timeouts and a
 * front end's descriptor. Without events it does not wake up.
 */
#ifndef BENCHTOP_LOOP_H
#define BENCHTOP_LOOP_H

#include <signal.h>

#include "lab.h"

struct loop {
	struct lab *lab;
	int signals;    /* signalfd of INT, TERM, HUP, and loop_listen() */
	sigset_t set;   /* the signals in `signals`, all blocked */
	uint64_t heard; /* bits of the loop_listen() signals that arrived */
	int signal;     /* the last signal that arrived; 0: none */
	unsigned interrupts; /* number of signals that arrived */
	int watched;         /* a descriptor of the front end; -1 none */
	bool only_end;       /* watch the descriptor only for its hang-up */
	bool readable;       /* `watched` is readable, after a turn */
	bool hung_up;        /* the other end of `watched` is closed */
};

/* Blocks the signals and reads them from a signalfd. Ignored signals stay
 * ignored, so that nohup works. The signals stay blocked after the release: the
 * program is about to exit, and a second signal must not interrupt that. */
int loop_init(struct loop *, struct lab *, struct error *);
void loop_release(struct loop *);
/* Handles one more signal, ignored or not. INT, TERM and HUP interrupt;
 * loop_heard() reports others, once per arrival. */
int loop_listen(struct loop *, int number, struct error *);
bool loop_heard(struct loop *, int number);
/* Waits for an event, at most timeout_ms (-1: no limit), or a tenth of a second
 * while the lab is busy. Then it steps the lab. Each signal stops the run and
 * keeps its data. */
void loop_turn(struct loop *, int timeout_ms);

#endif
