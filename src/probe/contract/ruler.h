/*
 * Rulers: work of known length in core cycles, in registers only.
 *
 * A chain of `add register, register` takes one cycle per link. A chain of
 * multiplications takes its latency per link (three cycles on every x86-64 core
 * of the last decade). Neither accesses memory. The addition has a register
 * operand on purpose: recent cores execute `add register, constant` at rename,
 * in no time. A ruler made of it would show a frequency three to six times too
 * high.
 */
#ifndef BENCHTOP_RULER_H
#define BENCHTOP_RULER_H

#include <stdint.h>

#include "tick.h"

enum { RULER_ROUND = 100 }; /* links per round */

/* A chain of `rounds` times RULER_ROUND dependent additions. */
void ruler_adds(uint64_t rounds);
/* A chain of `rounds` times RULER_ROUND dependent multiplications. */
void ruler_multiplies(uint64_t rounds);
/* `rounds` times RULER_ROUND instructions that do nothing. They use no
 * execution unit, so a core executes as many per cycle as it can decode and
 * dispatch. */
void ruler_nops(uint64_t rounds);
/* A loop of `n` iterations, n > 0, that decrements and branches back. One cycle
 * per iteration, because each depends on the one before. */
void ruler_branches(uint64_t n);
/* A chain of `n` additions, n a multiple of 64, for the linearity test. */
void ruler_links(uint64_t n);
/* Ticks per link of a ruler: the slope between long and short chains, with the
 * minimum of `tries` for each. */
double ruler_link_ticks(enum tick_source, void (*ruler)(uint64_t rounds),
	unsigned tries);

/* Ticks per link of additions and multiplications, measured one after the
 * other, because the core's frequency changes. */
struct ruler_look {
	double add, multiply;
};
struct ruler_look ruler_look(enum tick_source, unsigned tries);
/* Cycles per multiplication, a whole number; 0 if the measured ratio is not
 * whole within 1 %, or a number that no core has. A co-runner slows additions
 * by up to a half, but multiplications only if it multiplies all the time. */
double ruler_agree(const struct ruler_look *);
/* Estimate for the case that no measurement agrees: the ratio rounded up, which
 * slowed additions may make too small, within the limits of any core. */
double ruler_assume(const struct ruler_look *);

/* One moment on both clocks. Of fifteen brackets [ticks, CLOCK_MONOTONIC_RAW,
 * ticks] the narrowest is used. `ticks` is its middle, its half-width the
 * uncertainty. */
struct moment {
	double ticks, half_width;
	uint64_t raw_ns;
};
struct moment moment_now(enum tick_source);

/* Additions of a constant, for the test that such a ruler is rejected. */
void ruler_constant_adds(uint64_t rounds);

#endif
