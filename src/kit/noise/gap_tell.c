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
	double all_ns; /* watched in all launches */
	struct findings *findings;
};

static double watched_ns(const struct telling *t)
{
	double *values, sum = 0;
	size_t count = results_values(t->results, t->point, t->which->watched,
		SCALE_UNIT, &values, NULL);

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	free(values);
	return sum;
}

/* Each trial has a share, and the time that it is of. */
static double lost_ns(const struct telling *t, enum gap_cause cause)
{
	double *watched, *shares, sum = 0;
	size_t count = results_values(t->results, t->point, t->which->watched,
		SCALE_UNIT, &watched, NULL);
	size_t share_count = results_values(t->results, t->point,
		t->which->shares + cause, SCALE_UNIT, &shares, NULL);

	for (size_t i = 0; i < count && i < share_count; i++)
		sum += watched[i] * shares[i];
	free(watched);
	free(shares);
	return sum;
}

static const struct column *trace_of(const struct telling *t,
	enum gap_cause cause)
{
	return &t->point->series[t->which->traces + cause].trace;
}

static const char *name_of(const struct telling *t, enum gap_cause cause)
{
	return t->results->metrics[t->which->shares + cause].name;
}

/* A row of the table of causes. The metrics are medians of the launches. */
static void tell_row(const struct telling *t, enum gap_cause cause,
	double overall, const struct gap_profile *profile)
{
	double apart_ns = profile->every ?
		profile->period_ns :
		t->all_ns / (double)profile->typical_count;
	const struct {
		const char *name;
		double value;
		enum unit unit;
	} cells[] = {
		{ "overall", overall, UNIT_PERCENT },
		{ "rate", 1e9 / apart_ns, UNIT_HZ },
		{ "typical", profile->typical_ns, UNIT_NS },
		{ "longest", profile->longest_ns, UNIT_NS },
	};
	/* Without gaps of its own, a cause has no duration. */
	size_t count = profile->typical_count ? 4 : 1;

	for (size_t i = 0; i < count; i++) {
		char name[40];

		snprintf(name, sizeof name, "%s:%s", name_of(t, cause),
			cells[i].name);
		finding_cell(t->findings, t->results, t->point, name,
			cells[i].value, cells[i].unit);
	}
}

/* "irregularly" */
static void say_times(const struct gap_profile *profile, struct text *text)
{
	if (!profile->typical_count)
		return;
	if (!(profile->period_ns > 0)) {
		text_add(text, ", irregularly");
		return;
	}
	text_add(text, profile->every ? ", typically every " :
					", at multiples of ");
	unit_show(text, UNIT_NS, profile->period_ns);
}

static void tell_cause(const struct telling *t, enum gap_cause cause)
{
	double lost = lost_ns(t, cause);
	struct text said = { 0 };
	struct gap_profile profile;

	gap_profile_of(trace_of(t, cause), &profile);
	if (!(lost > 0))
		return;
	tell_row(t, cause, lost / t->all_ns, &profile);
	unit_show(&said, UNIT_PERCENT, lost / t->all_ns);
	text_add(&said, " of the time of all launches");
	say_times(&profile, &said);
	if (cause == GAP_INTERRUPT && lost > 1.001 * profile.lost_ns) {
		text_add(&said, "; ");
		unit_show(&said, UNIT_PERCENT,
			(lost - profile.lost_ns) / t->all_ns);
		text_add(&said, " is before and after other tasks");
	}
	finding_add(t->findings, name_of(t, cause), "%s: %s", causes[cause],
		said.chars);
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
	static const char *const names[DECADES] = { "below 1 us", "1..10 us",
		"10..100 us", "0.1..1 ms", "1..10 ms", "above 10 ms" };
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
	struct telling t = { results, point, which, 0, findings };

	t.all_ns = watched_ns(&t);
	for (int cause = 0; cause < GAP_CAUSES; cause++)
		tell_cause(&t, (enum gap_cause)cause);
	tell_decades(&t);
}
