/* The reply of a command, or of an activity that a command began. */
#ifndef BENCHTOP_REPLY_H
#define BENCHTOP_REPLY_H

#include "error.h"
#include "text.h"

struct reply {
	struct text text;   /* for standard output */
	struct text remark; /* for standard error */
	struct error error; /* status 0: none */
};

void reply_free(struct reply *);

#endif
