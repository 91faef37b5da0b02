/*
 * The gate of tests that need a quiet machine.
 *
 * The canary is asked before and after each of three attempts. An attempt that
 * holds passes, noise or not. Two that do not are a failure where the machine
 * was quiet in both, by the canary and by what the attempt itself saw: no
 * canary sees who shares the caches only. Else the test skips after the third
 * and says what was measured.
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
	char wrong[200]; /* what does not hold; "" when all does */
	char noise[120]; /* what the attempt saw of noise; "" nothing */
};

void wrong(struct attempt *attempt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void noise(struct attempt *attempt, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Where everything in a program of this folder is measured, and its clock. */
extern struct places places;
extern struct place place;
extern struct clock_facts ruler;

enum { CANARIES = 4000, ATTEMPTS = 3, WRONG_FAILS = 2, WAIT_S = 6 };

/* This process moves to where it measures, and back. */
void move_in(cpu_set_t *home);
void move_out(const cpu_set_t *home);
/* R7: when it is quiet at least 90 % have the core to themselves. */
extern const double loud_most;

struct check {
	const char *name;
	void (*body)(struct attempt *);
};

enum { PASSED = 0, FAILED = 1, SKIPPED = 77 };

int start_quiet(void);
/* A failure outweighs a skip, and a skip a pass. */
int run_checks(const struct check *checks, size_t count);

#endif
