/*
 * The doctor's measurements, an activity of the lab. Children measure the clock
 * if it is unknown, SMT siblings, gaps for a second, and the noise floor of two
 * short loops. They also test whether known remote hosts answer. Then the
 * doctor checks this machine. The session keeps the findings, not these
 * measurements.
 */
#ifndef BENCHTOP_DOCTOR_RUN_H
#define BENCHTOP_DOCTOR_RUN_H

#include "activity.h"
#include "lab.h"

struct doctor_request {
	enum {
		DOCTOR_TABLE,   /* the reply: all findings */
		DOCTOR_FIXES,   /* the commands that correct the findings */
		DOCTOR_SUMMARY, /* one line: a screen shows lab->doctor */
		DOCTOR_MACHINE, /* this machine; only siblings are measured */
	} reply;
	bool json;
	bool verbose;
};

extern const struct activity doctor_activity;

int doctor_run(struct lab *, const struct doctor_request *, struct error *);
/* Fills in lab->doctor without measuring, for the processor on which the next
 * run measures. Takes some milliseconds, on a loaded machine a hundred more. */
void doctor_glance(struct lab *);

#endif
