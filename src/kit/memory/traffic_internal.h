/* What the parts of traffic share. Private to them. */
#ifndef BENCHTOP_TRAFFIC_INTERNAL_H
#define BENCHTOP_TRAFFIC_INTERNAL_H

#include "traffic.h"

/* Bytes of all last-level caches; a guess where the kernel does not tell. */
uint64_t traffic_cache_bytes(void);

#endif
