/* Runs with many trials, for the benchmarks. */
#ifndef BENCHTOP_MANY_TRIALS_H
#define BENCHTOP_MANY_TRIALS_H

#include "results.h"

/* A finished run of cpu.syscall with one point, `launches` launches of `trials`
 * trials each, canaries beside every second trial, and every twentieth trial
 * preempted. The caller owns it. */
struct results *bench_run(unsigned launches, unsigned trials);

#endif
