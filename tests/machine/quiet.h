/*
 * The gate of tests that need a quiet machine.
 *
 * The canary is measured before and after each of three attempts, and the
 * processor time that others use. An attempt that succeeds passes the test,
 * with or without noise. Two failed attempts fail the test if the machine was
 * quiet in both, by these two and by what the attempt itself observed: no
 * canary detects load that only shares the caches.
 * Otherwise the test is skipped after the third attempt and prints the measured
 * values.
 */
#ifndef BENCHTOP_QUIET_H
#define BENCHTOP_QUIET_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "canary.h"
#include "clock.h"
#include "disturb.h"
#include "place.h"
#include "probe.h"
#include "sharing.h"

struct attempt {
	char wrong[200]; /* what is wrong; "" if nothing is */
	char noise[120]; /* noise that the attempt observed; "" if none */
};

void wrong(struct attempt *attempt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void noise(struct attempt *attempt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The place and the clock of all measurements in a program of this folder. */
extern struct places places;
extern struct place place;
extern struct clock_facts ruler;

enum { CANARIES = 4000, ATTEMPTS = 3, WRONG_FAILS = 2, WAIT_S = 2 };

/* Move this process to the measured processor, and back. */
void move_in(cpu_set_t *home);
void move_out(const cpu_set_t *home);
/* R7: on a quiet machine, at least 90 % of the canaries are alone. */
extern const double loud_most;

struct check {
	const char *name;
	void (*body)(struct attempt *);
};

enum { PASSED = 0, FAILED = 1, SKIPPED = 77 };

int start_quiet(void);
/* A failure has priority over a skip, and a skip over a pass. */
int run_checks(const struct check *checks, size_t count);

#endif
