/* Chooses the form of a result as plain text. */
#include "print_results.h"

#include "print_compare.h"
#include "print_curve.h"
#include "print_full.h"
#include "print_head.h"
#include "print_one.h"
#include "print_sweep.h"
#include "print_support.h"

/* Prints the verdict for a run of `ab`. Without a verdict, for instance if a
 * setting is unavailable, prints the rows, which show the reason. */
static void print_two(const struct results *results,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	struct text verdict = { 0 };

	if (!print_ab(results, layout, &verdict)) {
		print_sweep(results, machine, layout, text);
		return;
	}
	print_sweep_head(results, layout, text);
	text_add_chars(text, verdict.chars, verdict.length);
	text_free(&verdict);
	print_predicted(results, machine, layout, text);
	print_found_table(results, layout, text);
	print_found(results, NULL, layout, text);
	print_notes(results, layout, text);
}

void print_results(const struct results *results,
	const struct machine *machine, const struct text_layout *layout,
	struct text *text)
{
	bool curve = is_curve(results);

	/* A published figure has no trials to shorten. */
	if (layout->verbose || results_published(results)) {
		print_full(results, machine, layout, text);
		if (curve)
			print_curve(results, machine, layout, text);
	} else if (results->plan.abba && results->point_count == 2) {
		print_two(results, machine, layout, text);
	} else if (results->point_count == 1) {
		print_one(results, machine, layout, text);
	} else if (curve) {
		print_long_sweep(results, machine, layout, text);
	} else {
		print_sweep(results, machine, layout, text);
	}
}
