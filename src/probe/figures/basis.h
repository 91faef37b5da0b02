/*
 * The basis of a prediction: earlier results of the session if available, else
 * the clock's rate and typical values; and the text that names these sources.
 *
 *     struct basis basis = { .facts = facts };
 *     struct range call = { 100, 400 };
 *
 *     basis_take(&basis, QUANTITY_SYSTEM_CALL, NULL, &call);
 *     prediction->software = (struct range){ 4 * call.low, 4 * call.high };
 *     prediction_sum(prediction);
 *     basis_say(&basis, prediction, "four calls of the kernel");
 *
 * The text is "four calls of the kernel; from cpu.syscall, this session".
 */
#ifndef BENCHTOP_BASIS_H
#define BENCHTOP_BASIS_H

#include "facts.h"

struct basis {
	const struct facts *facts;
	bool cycles;     /* the formula is in cycles, so the text includes the
			  * rate */
	char taken[120]; /* "cpu.syscall, mem.bandwidth" */
};

/* The interval of the latest earlier result, like facts_measured(). Returns
 * false, without changing *range, if there is none or it is not above 0. */
bool basis_take(struct basis *, enum quantity, const char *where,
	struct range *range);
/* Time of an empty system call, ns: measured, or a typical value. */
struct range basis_call_ns(struct basis *);
/* Time of a switch between two processes on one processor, ns; likewise. */
struct range basis_switch_ns(struct basis *);
/* Time of copying `bytes`, ns: measured for one thread, or at 3 to 15 GB/s. */
struct range basis_copy_ns(struct basis *, double bytes);

/* Sets the prediction's text: the formula in words, followed by its sources. */
void basis_say(const struct basis *, struct prediction *,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
