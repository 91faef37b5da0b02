/* The experiments of this program, by file name: a generated table that ends
 * with NULL. A new file in probes/ adds an experiment. */
#ifndef BENCHTOP_PROBE_LIST_H
#define BENCHTOP_PROBE_LIST_H

#include "probe.h"

extern const struct experiment *const probe_list[];

#endif
