/* What a command, or an activity that it began, answers. */
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
