/*
 * NAME=VALUE words: where they point, what they set.
 */
#ifndef BENCHTOP_ASSIGN_H
#define BENCHTOP_ASSIGN_H

#include "command.h"
#include "param.h"

struct experiment;

/* Applies words `first` .. of a call to up to two sets, whichever has the
 * row (`second` may be NULL). On error the sets are half-done and
 * the error points into the word. *asked_budget is set where budget= was
 * among them (may be NULL). */
int assign_words(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* The same of words among which one parameter of `set` stands twice, with the
 * two values that `ab` compares, and everything else once. */
int assign_ab(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* Is it NAME=VALUE? */
bool is_assignment(const char *word);

/* The time of the option --wait-quiet=TIME, where it is given. */
int assign_wait(const struct call *, struct param_set *common, struct error *);

#endif
