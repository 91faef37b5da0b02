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
	double all_ns; /* watched */
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

static const struct column *trace_of(const struct telling *t,
	enum gap_cause cause)
{
	return &t->point->series[t->which->traces + cause].trace;
}

/* A row of the table of causes, and a sentence. */
static void tell_cause(const struct telling *t, enum gap_cause cause)
{
	const char *label = t->results->metrics[t->which->shares + cause].name;
	struct text share = { 0 }, period = { 0 };
	struct gap_profile profile;

	if (!gap_profile_of(trace_of(t, cause), &profile) || !(t->all_ns > 0))
		return;
	bool regular = profile.period_ns > 0;
	double apart_ns = regular ? profile.period_ns :
				    t->all_ns / (double)profile.typical_count;
	const struct {
		const char *name;
		double value;
		enum unit unit;
	} cells[] = {
		{ "share", profile.lost_ns / t->all_ns, UNIT_PERCENT },
		{ "rate", 1e9 / apart_ns, UNIT_HZ },
		{ "typical", profile.typical_ns, UNIT_NS },
		{ "longest", profile.longest_ns, UNIT_NS },
	};
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		char name[40];

		snprintf(name, sizeof name, "%s:%s", label, cells[i].name);
		finding_cell(t->findings, t->results, t->point, name,
			cells[i].value, cells[i].unit);
	}
	finding_add(t->findings, label, "%s: %s of the time, %s%s",
		causes[cause],
		unit_show(&share, UNIT_PERCENT, profile.lost_ns / t->all_ns),
		regular ? "typically every " : "irregularly",
		regular ? unit_show(&period, UNIT_NS, profile.period_ns) : "");
	text_free(&share);
	text_free(&period);
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
