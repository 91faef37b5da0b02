/* What a published machine has to say to a point of this one. */
#include <math.h>
#include <string.h>

#include "report_own.h"

/* What differs: how far, and in words. */
struct fit {
	double apart;
	struct text differs;
};

static bool quantity(const char *text, double *value)
{
	struct error error;

	return !unit_parse(UNIT_BYTES, text, strlen(text), value, &error);
}

/* Machines differ in what they can be asked for: a quantity may be another
 * one, which is said; what is a word must be the same. A value that a report
 * leaves open fits all. */
static bool fits_value(const char *name, const char *theirs, const char *ours,
	bool same_level, struct fit *fit)
{
	double a, b;

	if (!*theirs || !ours || !strcmp(theirs, ours))
		return true;
	/* Where both say which level of memory it was, sizes need not agree. */
	if (same_level && !strcmp(name, "size"))
		return true;
	if (!quantity(theirs, &a) ||
		(!quantity(ours, &b) && strcmp(ours, "auto") != 0))
		return false;
	fit->apart +=
		quantity(ours, &b) && a > 0 && b > 0 ? fabs(log(a / b)) : 1;
	text_add(&fit->differs, "%s%s=%s", fit->differs.length ? " " : "", name,
		theirs);
	return true;
}

static bool fits(const struct results *theirs, const struct point *published,
	const struct results *ours, const struct point *point, struct fit *fit)
{
	const char *a = point_note(published, "level");
	const char *b = point_note(point, "level");

	if (a && b && strcmp(a, b) != 0)
		return false;
	for (size_t i = 0; i < theirs->param_count; i++) {
		const char *name = theirs->param_names[i];

		if (!fits_value(name, published->values[i],
			    point_value(ours, point, name), a && b, fit))
			return false;
	}
	return true;
}

/* The headline's namesake where it was published, else another metric: it is
 * farther than any that differs in quantities. */
static double metric_apart(const struct results *theirs, unsigned metric,
	const struct results *ours, struct fit *fit)
{
	enum { OTHER = 1000 };
	const char *name = theirs->metrics[metric].name;

	if (!ours->metric_count || !strcmp(name, ours->metrics[0].name))
		return 0;
	text_add(&fit->differs, "%s%s", fit->differs.length ? " " : "", name);
	return OTHER + metric;
}

/* Of the figures that fit, the nearest. */
static void nearest(const struct results *theirs, const struct results *ours,
	const struct point *point, double *best, struct text *text)
{
	for (size_t p = 0; p < theirs->point_count; p++)
		for (unsigned m = 0; m < theirs->metric_count; m++) {
			const struct point *like = &theirs->points[p];
			struct fit fit = { 0 };
			struct digest digest;

			if (digest_of(theirs, like, m, &digest) &&
				isfinite(digest.headline) &&
				fits(theirs, like, ours, point, &fit)) {
				fit.apart +=
					metric_apart(theirs, m, ours, &fit);
				if (fit.apart < *best) {
					*best = fit.apart;
					text_clear(text);
					unit_show(text, theirs->metrics[m].unit,
						digest.headline);
					if (fit.differs.length)
						text_add(text, " (%s)",
							fit.differs.chars);
				}
			}
			text_free(&fit.differs);
		}
}

void report_beside(const struct session *published, const struct results *ours,
	const struct point *point, struct text *text)
{
	double best = INFINITY;

	for (size_t r = 0; r < published->run_count; r++)
		if (!strcmp(published->runs[r]->experiment, ours->experiment))
			nearest(published->runs[r], ours, point, &best, text);
}
