/*
 * Rulers: work of known length in core cycles, kept in registers.
 *
 * A chain of `add register, register` takes one cycle a link, a chain of
 * multiplications its latency a link (three on every x86-64 core of the last
 * decade), and neither touches memory. The add takes a register operand on
 * purpose: recent cores execute `add register, constant` at rename, in no
 * time, and a ruler made of it reads three to six times too fast.
 */
#ifndef BENCHTOP_RULER_H
#define BENCHTOP_RULER_H

#include <stdint.h>

#include "tick.h"

enum { RULER_ROUND = 100 }; /* links a round */

/* A chain of `rounds` times RULER_ROUND dependent additions. */
void ruler_adds(uint64_t rounds);
/* The same of multiplications. */
void ruler_multiplies(uint64_t rounds);
/* Four independent chains of additions, `rounds` times RULER_ROUND additions
 * in all: as many as a core with four units retires in a quarter of that. */
void ruler_parallel_adds(uint64_t rounds);
/* A loop of `n` iterations, n > 0, that decrements and branches back: one
 * cycle each, since a core takes one branch a cycle at most. */
void ruler_branches(uint64_t n);
/* A chain of `n` additions, n a multiple of 64, for the linearity test. */
void ruler_links(uint64_t n);
/* Ticks per link of a ruler: the slope between long and short chains, each the
 * least of `tries`. */
double ruler_link_ticks(enum tick_source, void (*ruler)(uint64_t rounds),
	unsigned tries);

/* Ticks per link of additions and multiplications, measured right behind each
 * other, because the core's frequency moves. */
struct ruler_look {
	double add, multiply;
};
struct ruler_look ruler_look(enum tick_source, unsigned tries);
/* Cycles of a multiplication, which are whole; 0 where the two do not agree on
 * that within 1 %: a co-runner slows additions by up to a half, and
 * multiplications only where he multiplies all the time. */
double ruler_agree(const struct ruler_look *);
/* The same where no look agrees: what additions that were slowed make a
 * multiplication look, rounded up, but no less than any core takes. */
double ruler_assume(const struct ruler_look *);

/* One moment on both clocks: ticks in the middle of the narrowest of fifteen
 * brackets [ticks, CLOCK_MONOTONIC_RAW, ticks], its half-width the
 * uncertainty. */
struct moment {
	double ticks, half_width;
	uint64_t raw_ns;
};
struct moment moment_now(enum tick_source);

/* Additions of a constant, for the test that such a ruler is refused. */
void ruler_constant_adds(uint64_t rounds);

#endif
