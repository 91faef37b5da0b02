/* Shared by the parts of the counters; private to them. */
#ifndef BENCHTOP_COUNTERS_INTERNAL_H
#define BENCHTOP_COUNTERS_INTERNAL_H

#include "counters.h"

/* Why a counter could not be opened. */
struct refusal {
	int number; /* of the error; 0: none */
	unsigned counter;
	bool user_only; /* although the kernel's work was excluded */
	unsigned fits;  /* ENOSPC: counters of the processor in the group */
};
/* Adds the cause and the cure. */
void counters_say_refusal(const struct refusal *, struct text *);

/* Opens those counters of the mask that can be opened, with the calls of the
 * struct. Returns their mask, and the refusal of the first that cannot. */
unsigned counters_open_group(struct counters *, unsigned mask, bool user_only,
	struct refusal *);
void counters_close_group(struct counters *);

#endif
