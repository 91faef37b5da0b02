/*
 * The basis of a prediction: earlier results of the session where there are
 * any, else the clock's rate and typical values; and words for its sources.
 *
 *     struct basis basis = { .facts = facts };
 *     struct range call = { 100, 400 };
 *
 *     basis_take(&basis, QUANTITY_SYSTEM_CALL, NULL, &call);
 *     prediction->software = (struct range){ 4 * call.low, 4 * call.high };
 *     prediction_sum(prediction);
 *     basis_say(&basis, prediction, "four calls of the kernel");
 *
 * says "four calls of the kernel; from cpu.syscall, this session".
 */
#ifndef BENCHTOP_BASIS_H
#define BENCHTOP_BASIS_H

#include "facts.h"

struct basis {
	const struct facts *facts;
	bool cycles;     /* the formula is in cycles: say at which rate */
	char taken[120]; /* "cpu.syscall, mem.bandwidth" */
};

/* The interval of an earlier result, the latest, as facts_measured(). Where it
 * was not measured, or is not above 0, false, and *range stays as it was. */
bool basis_take(struct basis *, enum quantity, const char *where,
	struct range *range);
/* An empty system call, ns: as measured, or a general figure. */
struct range basis_call_ns(struct basis *);
/* A switch between two processes on one processor, ns, likewise. */
struct range basis_switch_ns(struct basis *);
/* Copying so many bytes, ns: one thread's as measured, or 3 to 15 GB/s. */
struct range basis_copy_ns(struct basis *, double bytes);

/* The formula in words, and behind it what it rests on. */
void basis_say(const struct basis *, struct prediction *,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
