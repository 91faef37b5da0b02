/*
 * Conditions in braces behind a name, which choose points:
 * cpu.syscall{call=getppid,via=raw}.
 */
#ifndef BENCHTOP_CONDITIONS_H
#define BENCHTOP_CONDITIONS_H

#include "command.h"
#include "param.h"

struct conditions {
	struct param_set where; /* the values of the conditions, else presets */
	bool *asked;            /* per row: it has a condition; owned */
};

/* Reads the conditions of the call's first argument; without braces there are
 * none. On error the fault points into the argument. The caller releases the
 * conditions in any case. */
int conditions_read(const struct call *, const struct param *rows,
	struct conditions *, struct error *);
void conditions_free(struct conditions *);
/* The length of the first argument up to its braces. */
size_t conditions_name_length(const struct call *);

#endif
