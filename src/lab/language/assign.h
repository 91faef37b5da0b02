/*
 * Parses NAME=VALUE words and sets the parameters.
 */
#ifndef BENCHTOP_ASSIGN_H
#define BENCHTOP_ASSIGN_H

#include "command.h"
#include "param.h"

struct experiment;

/* Applies the words from `first` on to the set that has the parameter (`second`
 * may be NULL). On error the sets are partly changed and the error points into
 * the word. *asked_budget is set if budget= is among the words (may be
 * NULL). */
int assign_words(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* Like assign_words(), for `ab`: one parameter of `set` has two values to
 * compare. It has a list of both, or occurs twice with one each. Each other
 * parameter occurs once. */
int assign_ab(const struct call *, size_t first, struct param_set *,
	struct param_set *second, bool *asked_budget, struct error *);

/* Is it NAME=VALUE? */
bool is_assignment(const char *word);

/* Applies the options --wait-quiet=TIME and --trials=none, if given. */
int assign_options(const struct call *, struct param_set *common,
	struct error *);
/* Applies the value of --trials=: `none` is keep=figures. */
int assign_trials(struct param_set *common, const char *typed, struct error *);

#endif
