/* Finds the figure of another session that is nearest to a point of this
 * one. */
#include <math.h>
#include <string.h>

#include "digest.h"
#include "memory_level.h"
#include "report_internal.h"

/* The differences between two points: their sum, and as text. */
struct fit {
	double apart;
	struct text differs;
};

static bool quantity(const char *text, double *value)
{
	struct error error;

	return !unit_parse(UNIT_BYTES, text, strlen(text), value, &error);
}

/* The distance of two values as a logarithm; false: too far for a
 * comparison. */
static bool quantities_near(const char *theirs, const char *ours, double *apart)
{
	enum { TIMES_MOST = 64 };
	double a, b;

	*apart = 1;
	if (!quantity(theirs, &a))
		return false;
	if (!strcmp(ours, "auto"))
		return true;
	if (!quantity(ours, &b) || !(a > 0) || !(b > 0))
		return false;
	*apart = fabs(log(a / b));
	return *apart <= log(TIMES_MOST);
}

/* Whether two values of a parameter can be compared. A quantity may differ, and
 * the difference is added to `fit`. A word must be equal. An empty value in a
 * published report fits every value. */
static bool fits_value(const char *name, const char *theirs, const char *ours,
	bool same_level, struct fit *fit)
{
	double apart;

	if (!*theirs || !ours || !strcmp(theirs, ours))
		return true;
	/* If the level of memory is known for both, sizes need not agree. */
	if (same_level && !strcmp(name, "size"))
		return true;
	if (!quantities_near(theirs, ours, &apart))
		return false;
	fit->apart += apart;
	text_add(&fit->differs, "%s%s=%s", fit->differs.length ? " " : "", name,
		theirs);
	return true;
}

static bool fits(const struct results *theirs, const struct point *published,
	const struct results *ours, const struct point *point, struct fit *fit)
{
	struct serving a, b;
	bool both = point_serving(published, &a) && point_serving(point, &b);

	if (both && !serving_same(&a, &b))
		return false;
	for (size_t i = 0; i < theirs->param_count; i++) {
		const char *name = theirs->param_names[i];

		if (!fits_value(name, published->values[i],
			    point_value(ours, point, name), both, fit))
			return false;
	}
	return true;
}

/* Prefers the metric with the headline's name. Any other metric has a greater
 * distance than all differing quantities. */
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

/* The nearest figure so far. */
struct found {
	double apart;
	struct text *text, *of;
};

static void consider(const struct report_beside *beside, size_t r, size_t p,
	unsigned m, struct fit *fit, struct found *found)
{
	const struct results *theirs = beside->session->runs[r];
	struct digest digest;

	if (fit->apart >= found->apart ||
		!digest_of(theirs, &theirs->points[p], m, &digest) ||
		!isfinite(digest.headline))
		return;
	found->apart = fit->apart;
	text_clear(found->text);
	text_clear(found->of);
	unit_show(found->text, theirs->metrics[m].unit, digest.headline);
	if (fit->differs.length)
		text_add(found->text, " (%s)", fit->differs.chars);
	text_add(found->of, "%s:%zu/%zu/%s/median", beside->name, r, p,
		theirs->metrics[m].name);
}

void report_beside(const struct report_beside *beside,
	const struct results *ours, const struct point *point,
	struct text *text, struct text *of)
{
	struct found found = { INFINITY, text, of };

	for (size_t r = 0; r < beside->session->run_count; r++) {
		const struct results *theirs = beside->session->runs[r];

		if (strcmp(theirs->experiment, ours->experiment) != 0)
			continue;
		for (size_t p = 0; p < theirs->point_count; p++)
			for (unsigned m = 0; m < theirs->metric_count; m++) {
				struct fit fit = { 0 };

				fit.apart = metric_apart(theirs, m, ours, &fit);
				if (fits(theirs, &theirs->points[p], ours,
					    point, &fit))
					consider(beside, r, p, m, &fit, &found);
				text_free(&fit.differs);
			}
	}
}
