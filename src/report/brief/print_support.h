/*
 * The labelled lines below the figures: the prediction, the number of trials,
 * the findings, and the conditions that limit the figures.
 */
#ifndef BENCHTOP_PRINT_SUPPORT_H
#define BENCHTOP_PRINT_SUPPORT_H

#include "digest.h"
#include "machine.h"
#include "results.h"
#include "text.h"
#include "text_layout.h"

/* A labelled line, wrapped beside its label; label "" for a further line. */
void print_labelled(const struct text_layout *, const char *label,
	const char *sentence, struct text *);
/* The prediction beside the measured figure; prints nothing without a
 * prediction. `machine` (NULL: unknown) gives the possible causes of a wrong
 * prediction. */
void print_predicted(const struct results *, const struct machine *,
	const struct text_layout *, struct text *);
/* Launches, trials and seconds of a single point. */
void print_measured(const struct results *, const struct digest *,
	const struct text_layout *, struct text *);
/* A table of the findings about single points, and a blank line. Prints nothing
 * without such findings. */
void print_found_table(const struct results *, const struct text_layout *,
	struct text *);
/* The sentences of findings, without those for which `skip` (NULL: none)
 * returns true because they are printed elsewhere. */
void print_found(const struct results *,
	bool (*skip)(const struct finding *), const struct text_layout *,
	struct text *);
/* Conditions that limit the figure at a point, each with a cure if there is
 * one. */
void print_conditions(const struct results *, const struct point *,
	const struct digest *, const struct text_layout *, struct text *);
/* The parameter that ended the run: "budget=" or "launches=". More of it gives
 * more data. */
const char *print_limit(const struct results *);
/* How many points are unavailable or invalid, and why the first of them. */
void print_without(const struct results *, enum point_state,
	const struct text_layout *, struct text *);
/* How a run ended, unless it ended normally, and its warnings. */
void print_notes(const struct results *, const struct text_layout *,
	struct text *);

#endif
