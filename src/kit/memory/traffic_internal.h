/* Shared by the parts of traffic; private to them. */
#ifndef BENCHTOP_TRAFFIC_INTERNAL_H
#define BENCHTOP_TRAFFIC_INTERNAL_H

#include "traffic.h"

/* Bytes of all last-level caches; a guess if the kernel does not report
 * them. */
uint64_t traffic_cache_bytes(void);

#endif
