/*
 * NAME=VALUE words: finding the parameter and setting it.
 */
#ifndef BENCHTOP_ASSIGN_H
#define BENCHTOP_ASSIGN_H

#include "command.h"
#include "param.h"

struct experiment;

/* Applies words `first` .. of a call to the set that has the row (`second` may
 * be NULL). On error the sets are partly changed and the error points into the
 * word. *asked_budget is set if budget= is among the words (may be NULL). */
int assign_words(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* The same for `ab`: one parameter of `set` occurs twice, with the two values
 * to compare, and each other parameter once. */
int assign_ab(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* Is it NAME=VALUE? */
bool is_assignment(const char *word);

/* The time of the option --wait-quiet=TIME, where it is given. */
int assign_wait(const struct call *, struct param_set *common, struct error *);

#endif
