/* Results in every state that a printed result can have. */
#ifndef BENCHTOP_TEXT_MADE_H
#define BENCHTOP_TEXT_MADE_H

#include "results.h"

struct made {
	const char *name;
	struct results *(*make)(void);
};
/* The last entry has no name. */
extern const struct made made_states[];

#endif
