/*
 * What /proc/cpuinfo says of a processor.
 */
#ifndef BENCHTOP_CPUINFO_H
#define BENCHTOP_CPUINFO_H

#include <stdbool.h>

#include "text.h"

/* True if the kernel has enabled this feature (x86: the line "flags"). Of the
 * first processor: the kernel requires that all have the same. */
bool cpuinfo_has(const char *flag);
/* True if a word is among the flags of such a line. For cpuinfo_has() and
 * tests. */
bool cpuinfo_flag_in(const char *line, const char *flag);

/* Adds what identifies the design of processor `cpu`: vendor, family, model,
 * its name and stepping, or on arm64 implementer, variant and part. Adds
 * nothing if the kernel does not describe it. */
void cpuinfo_design(int cpu, struct text *);

#endif
