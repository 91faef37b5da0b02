/* Findings about what took the processor away. */
#include "gap_tell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
#include "gap_cause.h"
#include "gap_profile.h"
#include "text.h"
#include "unit.h"

static const char *const causes[] = { "another task", "timer interrupt",
	"other interrupt", "host or firmware" };

struct telling {
	const struct results *results;
	const struct point *point;
	const struct gap_metrics *which;
	double watched_ns, lost_ns, longest_ns; /* in all launches together */
	struct findings *findings;
};

static size_t values_of(const struct telling *t, unsigned metric,
	double **values)
{
	return results_values(t->results, t->point, metric, SCALE_UNIT, values,
		NULL);
}

/* Each trial has a share, and the time that it is of. */
static double lost_ns(const struct telling *t, enum gap_cause cause)
{
	double *watched, *shares, sum = 0;
	size_t count = values_of(t, t->which->watched, &watched);
	size_t share_count = values_of(t, t->which->shares + cause, &shares);

	for (size_t i = 0; i < count && i < share_count; i++)
		sum += watched[i] * shares[i];
	free(watched);
	free(shares);
	return sum;
}

static void add_up(struct telling *t)
{
	double *values;
	size_t count = values_of(t, t->which->watched, &values);

	for (size_t i = 0; i < count; i++)
		t->watched_ns += values[i];
	free(values);
	count = values_of(t, t->which->longest, &values);
	for (size_t i = 0; i < count; i++)
		t->longest_ns = fmax(t->longest_ns, values[i]);
	free(values);
	for (int cause = 0; cause < GAP_CAUSES; cause++)
		t->lost_ns += lost_ns(t, (enum gap_cause)cause);
}

static const struct column *trace_of(const struct telling *t,
	enum gap_cause cause)
{
	return &t->point->series[t->which->traces + cause].trace;
}

static void tell_cell(const struct telling *t, unsigned metric,
	const char *column, double value, enum unit unit)
{
	char name[40];

	snprintf(name, sizeof name, "%s:%s", t->results->metrics[metric].name,
		column);
	finding_cell(t->findings, t->results, t->point, name, value, unit);
}

/* The first row: the sum of the others. */
static void tell_sum(const struct telling *t)
{
	double share = t->lost_ns / t->watched_ns;
	struct text lost = { 0 }, watched = { 0 };

	tell_cell(t, t->which->lost, "overall", share, UNIT_PERCENT);
	tell_cell(t, t->which->lost, "longest", t->longest_ns, UNIT_NS);
	finding_add(t->findings, t->results->metrics[t->which->lost].name,
		"all launches together: %s of %s is lost; the metrics are "
		"medians of the launches",
		unit_show(&lost, UNIT_PERCENT, share),
		unit_show(&watched, UNIT_NS, t->watched_ns));
	text_free(&lost);
	text_free(&watched);
}

/* "; typical gaps of 50.2 us, every 10.00 ms". Where most of the loss is in
 * others: "; 0.502 % in typical gaps of 50.2 us, every 10.00 ms" */
static void say_typical(const struct telling *t,
	const struct gap_profile *profile, double per_s, struct text *text)
{
	text_add(text, "; ");
	if (profile->typical_lost_ns < profile->lost_ns / 2) {
		unit_show(text, UNIT_PERCENT,
			profile->typical_lost_ns / t->watched_ns);
		text_add(text, " in ");
	}
	text_add(text, "typical gaps of ");
	unit_show(text, UNIT_NS, profile->typical_ns);
	if (profile->every) {
		text_add(text, ", every ");
	} else {
		text_add(text, per_s >= 100 ? ", %.0f" : ", %.3g", per_s);
		text_add(text, " per second, %s",
			profile->period_ns > 0 ? "at multiples of " :
						 "irregularly");
	}
	if (profile->period_ns > 0)
		unit_show(text, UNIT_NS, profile->period_ns);
}

static void tell_cause(const struct telling *t, enum gap_cause cause)
{
	unsigned metric = t->which->shares + cause;
	double lost = lost_ns(t, cause);
	struct text said = { 0 };
	struct gap_profile profile;

	gap_profile_of(trace_of(t, cause), t->watched_ns, &profile);
	if (!(lost > 0))
		return;
	tell_cell(t, metric, "overall", lost / t->watched_ns, UNIT_PERCENT);
	unit_show(&said, UNIT_PERCENT, lost / t->watched_ns);
	text_add(&said, " of the time of all launches");
	if (cause == GAP_INTERRUPT && lost > 1.001 * profile.lost_ns) {
		text_add(&said, ", including ");
		unit_show(&said, UNIT_PERCENT,
			(lost - profile.lost_ns) / t->watched_ns);
		text_add(&said, " in gaps with another task");
	}
	/* Without gaps of its own, a cause has no duration. */
	if (profile.typical_count) {
		double apart_ns = profile.every ?
			profile.period_ns :
			t->watched_ns / (double)profile.typical_count;

		tell_cell(t, metric, "longest", profile.longest_ns, UNIT_NS);
		tell_cell(t, metric, "typical", profile.typical_ns, UNIT_NS);
		tell_cell(t, metric, "rate", 1e9 / apart_ns, UNIT_HZ);
		say_typical(t, &profile, 1e9 / apart_ns, &said);
	}
	finding_add(t->findings, t->results->metrics[metric].name, "%s: %s",
		causes[cause], said.chars);
	text_free(&said);
}

enum { DECADES = 6 };

/* Their bounds are 1 us, 10 us, .. */
static void count_decades(const struct column *trace, size_t *decades)
{
	const struct trace_point *gaps = trace->data;

	for (size_t i = 0; i < trace->count; i++) {
		size_t decade = 0;

		while (decade < DECADES - 1 &&
			gaps[i].y >= 1000 * pow(10, (double)decade))
			decade++;
		decades[decade]++;
	}
}

static void tell_decades(const struct telling *t)
{
	static const char *const names[DECADES] = { "below 1 us", "of 1..10 us",
		"of 10..100 us", "of 0.1..1 ms", "of 1..10 ms",
		"above 10 ms" };
	size_t decades[DECADES] = { 0 };
	struct text listed = { 0 };

	for (int cause = 0; cause < GAP_CAUSES; cause++)
		count_decades(trace_of(t, (enum gap_cause)cause), decades);
	for (size_t i = 0; i < DECADES; i++)
		if (decades[i])
			text_add(&listed, "%s%zu %s", listed.length ? ", " : "",
				decades[i], names[i]);
	finding_add(t->findings, "gaps", "gaps: %s",
		listed.length ? listed.chars : "none");
	text_free(&listed);
}

void gaps_tell(const struct results *results, const struct point *point,
	const struct gap_metrics *which, struct findings *findings)
{
	struct telling t = { .results = results,
		.point = point,
		.which = which,
		.findings = findings };

	add_up(&t);
	if (!(t.watched_ns > 0))
		return;
	tell_sum(&t);
	for (int cause = 0; cause < GAP_CAUSES; cause++)
		tell_cause(&t, (enum gap_cause)cause);
	tell_decades(&t);
}
