/* The experiments of this program, by file name: a generated table that ends
 * with NULL. Adding an experiment is adding a file to probes/. */
#ifndef BENCHTOP_PROBE_LIST_H
#define BENCHTOP_PROBE_LIST_H

#include "probe.h"

extern const struct experiment *const probe_list[];

#endif
