/*
 * The canary's ratio on an unshared core, remembered from lab to lab.
 *
 * A co-runner can be active during a whole calibration. The loop may not show
 * it (canary.h), and then the ratio of the nops that counts as alone is that of
 * a shared core: on a Zen 5, 1.06 instead of 0.69, and calls that took 40 %
 * longer were called alone. Or the loop shows it in most samples, and is kept,
 * although the nops show more. But on an unshared core the ratio of the nops is
 * a property of the processor's design. So the least that a calibration has
 * found on it is kept, in the file `canary` of the state folder, with one line
 * per processor:
 *
 *	0.6940 cpu 1 AuthenticAMD 26 2 AMD EPYC 1
 *
 * the ratio, the number of the processor (cores of one machine can be of
 * different designs), and what /proc/cpuinfo says of it. An error of the kept
 * ratio matters only beyond SHARING_STEP, because a calibration within that
 * step uses its own ratio.
 */
#ifndef BENCHTOP_CANARY_KNOWN_H
#define BENCHTOP_CANARY_KNOWN_H

#include "results.h"

/* Compares a calibration of processor `cpu` with the file `path`. If its ratio
 * is that of a shared core, or of the loop, canary_kind becomes CANARY_NOPS and
 * canary_alone the kept ratio. A lower ratio of the nops is kept in the file.
 * Does nothing if `path` is NULL, if /proc/cpuinfo does not describe the
 * processor, or if the file cannot be read or written. */
void canary_recall(const char *path, int cpu, struct clock_facts *);

#endif
