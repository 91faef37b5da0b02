/*
 * What a prediction rests on: earlier results of the session where there are
 * any, the clock's rate, general figures else; and words for where it came
 * from, so that nobody has to guess.
 *
 *     struct grounds grounds = { .facts = facts };
 *     struct range call = { 100, 400 };
 *
 *     grounds_take(&grounds, QUANTITY_SYSTEM_CALL, NULL, &call);
 *     prediction->software = (struct range){ 4 * call.low, 4 * call.high };
 *     prediction_sum(prediction);
 *     grounds_say(&grounds, prediction, "four calls of the kernel");
 *
 * says "four calls of the kernel; from cpu.syscall, this session".
 */
#ifndef BENCHTOP_GROUNDS_H
#define BENCHTOP_GROUNDS_H

#include "facts.h"

struct grounds {
	const struct facts *facts;
	bool cycles;     /* the formula is in cycles: say at which rate */
	char taken[120]; /* "cpu.syscall, mem.bandwidth" */
};

/* The interval of an earlier result, the latest, as facts_measured(). Where it
 * was not measured, or is not above 0, false, and *range stays as it was. */
bool grounds_take(struct grounds *, enum quantity, const char *where,
	struct range *range);
/* An empty system call, ns: as measured, or a general figure. */
struct range grounds_call_ns(struct grounds *);
/* A switch between two processes on one processor, ns, likewise. */
struct range grounds_switch_ns(struct grounds *);
/* Copying so many bytes, ns: one thread's as measured, or 3 to 15 GB/s. */
struct range grounds_copy_ns(struct grounds *, double bytes);

/* The formula in words, and behind it what it rests on. */
void grounds_say(const struct grounds *, struct prediction *,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
