/*
 * The doctor's measurements, an activity of the lab: the clock where it is not
 * known yet, SMT siblings, gaps for a second, two short loops each against
 * itself in turns, whether the machines that were measured with answer; all in
 * children. Then the doctor checks this machine. What is measured here is kept
 * nowhere: the session has the doctor's findings.
 */
#ifndef BENCHTOP_DOCTOR_RUN_H
#define BENCHTOP_DOCTOR_RUN_H

#include "activity.h"
#include "lab.h"

struct doctor_request {
	enum {
		DOCTOR_TABLE,   /* the reply: all findings */
		DOCTOR_FIXES,   /* the commands that would help */
		DOCTOR_SUMMARY, /* one line: a screen shows lab->doctor */
		DOCTOR_MACHINE, /* this machine; only siblings are measured */
	} reply;
	bool json;
};

extern const struct activity doctor_activity;

int doctor_run(struct lab *, const struct doctor_request *, struct error *);
/* Fills in lab->doctor without measuring: some milliseconds, a hundred more on
 * a loaded machine. */
void doctor_glance(struct lab *);

#endif
