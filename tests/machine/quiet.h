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
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

__attribute__((format(printf, 2, 3))) static inline void wrong(
	struct attempt *attempt, const char *format, ...)
{
	va_list list;

	if (*attempt->wrong)
		return;
	va_start(list, format);
	vsnprintf(attempt->wrong, sizeof attempt->wrong, format, list);
	va_end(list);
}

__attribute__((format(printf, 2, 3))) static inline void noise(
	struct attempt *attempt, const char *format, ...)
{
	va_list list;

	if (*attempt->noise)
		return;
	va_start(list, format);
	vsnprintf(attempt->noise, sizeof attempt->noise, format, list);
	va_end(list);
}

/* Where everything in a program of this folder is measured, and its clock. */
static struct places places;
static struct place place;
static struct clock_facts ruler;

enum { CANARIES = 4000, ATTEMPTS = 3, WRONG_FAILS = 2, WAIT_S = 6 };

static inline void nap(double s)
{
	const struct timespec time = { (time_t)s,
		(long)((s - floor(s)) * 1e9) };

	nanosleep(&time, NULL);
}

/* This process moves to where it measures, and back. */
static inline void move_in(cpu_set_t *home)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof *home, home);
	CPU_ZERO(&set);
	CPU_SET((size_t)place.cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static inline void move_out(const cpu_set_t *home)
{
	sched_setaffinity(0, sizeof *home, home);
}

/* Where a canary is alone without any run that could show a valley: by the
 * ratio that the clock's calibration knows, and the least step above it. */
static inline struct results known_sharing(void)
{
	return (struct results){
		.clock = ruler,
		.sharing = { .cut = ruler.canary_alone * SHARING_STEP },
	};
}

/* Share of canaries that did not have the core to themselves, or that
 * something interrupted. */
static inline double ask_canaries(void)
{
	struct probe probe = { .source = ruler.source };
	struct results known = known_sharing();
	cpu_set_t home;
	size_t bad = 0;

	move_in(&home);
	for (int i = 0; i < CANARIES; i++) {
		struct canary canary = canary_run(&probe, ruler.canary_kind,
			ruler.canary_multiplies);

		bad += canary_state(&known,
			       canary_ratio(&canary, ruler.overhead)) !=
			CANARY_ALONE;
	}
	move_out(&home);
	return (double)bad / CANARIES;
}

/* R7: when it is quiet at least 90 % have the core to themselves. */
static const double loud_most = .1;

static inline bool is_quiet(struct attempt *attempt, const char *when)
{
	double bad = ask_canaries();

	if (bad > loud_most)
		noise(attempt, "%.0f %% of the canaries not alone %s",
			bad * 100, when);
	return bad <= loud_most;
}

static inline void wait_for_quiet(struct attempt *attempt)
{
	struct attempt ignored;

	for (int i = 0; i < WAIT_S * 4; i++) {
		ignored = (struct attempt){ .wrong = "" };
		if (is_quiet(&ignored, ""))
			return;
		nap(.25);
	}
	is_quiet(attempt, "before");
}

struct check {
	const char *name;
	void (*body)(struct attempt *);
};

enum { PASSED = 0, FAILED = 1, SKIPPED = 77 };

static inline int gated(const struct check *check)
{
	struct attempt attempt;
	char reason[sizeof attempt.noise] = "wrong once while it was quiet";
	int wrong_count = 0;

	for (int i = 0; i < ATTEMPTS && wrong_count < WRONG_FAILS; i++) {
		attempt = (struct attempt){ .wrong = "" };
		wait_for_quiet(&attempt);
		/* Nothing is proven by measuring what is known to be loud. */
		if (*attempt.noise) {
			memcpy(reason, attempt.noise, sizeof reason);
			continue;
		}
		check->body(&attempt);
		if (!*attempt.wrong) {
			printf("passed: %s\n", check->name);
			return PASSED;
		}
		is_quiet(&attempt, "after");
		printf("attempt %d of %s: %s (%s)\n", i + 1, check->name,
			attempt.wrong,
			*attempt.noise ? attempt.noise : "quiet");
		wrong_count += !*attempt.noise;
		if (*attempt.noise)
			memcpy(reason, attempt.noise, sizeof reason);
	}
	if (wrong_count == WRONG_FAILS) {
		printf("FAILED: %s\n", check->name);
		return FAILED;
	}
	printf("SKIP: not quiet in three attempts: %s (%s)\n", reason,
		check->name);
	return SKIPPED;
}

static inline int start_quiet(void)
{
	struct error error = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (*BENCHTOP_SANITIZE) {
		puts("SKIP: sanitizers time nothing");
		return SKIPPED;
	}
	places_read(&places);
	if (place_plan(&places, PARAM_AUTO, 0, &place, &error) ||
		clock_measure(place.cpu, &ruler, &error)) {
		printf("FAILED: %s\n", error.message);
		return FAILED;
	}
	return PASSED;
}

/* A failure outweighs a skip, and a skip a pass. */
static inline int run_checks(const struct check *checks, size_t count)
{
	int worst = start_quiet();

	if (worst != PASSED)
		return worst;
	for (size_t i = 0; i < count; i++) {
		int one = gated(&checks[i]);

		if (one == FAILED || worst == PASSED)
			worst = one;
	}
	return worst;
}

#endif
