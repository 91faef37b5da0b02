/*
 * Blocking calls that may take longer than the time after which a silent worker
 * is ended. The call runs in a thread of its own while this function calls
 * probe_alive(). Do not use it in a timed region.
 */
#ifndef BENCHTOP_ALONGSIDE_H
#define BENCHTOP_ALONGSIDE_H

#include <stdbool.h>

#include "probe.h"

/* Calls work(context) in a thread and waits until it returns. Returns false if
 * it has not returned within `most_s` seconds (0: no limit). The thread then
 * continues, so `context` must stay valid for the rest of the process. */
bool alongside(struct probe *, void (*work)(void *context), void *context,
	unsigned most_s);

#endif
