/* Converts samples to results. */
#include "feed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "disturb.h"

enum { TEXT_LONGEST = 4096 };

void feed_init(struct feed *feed, struct results *results)
{
	*feed = (struct feed){ .results = results };
	feed->sized = xcalloc(results->point_count, sizeof *feed->sized);
}

void feed_release(struct feed *feed)
{
	text_free(&feed->text);
	free(feed->sized);
	feed->sized = NULL;
}

static struct launch *current_launch(const struct feed *feed)
{
	if (!feed->in_launch || !feed->launch)
		return NULL;
	return &feed->results->launches[feed->results->launch_count - 1];
}

/* The visit of a point to which trials are added; NULL in the pilot and between
 * visits. */
static struct visit *visit_of(const struct feed *feed, struct point *point)
{
	if (!point || !point->visit_count || !current_launch(feed))
		return NULL;
	return &point->visits[point->visit_count - 1];
}

static struct visit *current_visit(const struct feed *feed)
{
	return visit_of(feed, feed->point);
}

void feed_broken(struct feed *feed, const char *what)
{
	struct text line = { 0 };

	feed->failed = true;
	if (feed->results->error)
		return;
	text_add(&line, "the worker wrote an invalid record: %s", what);
	feed->results->error = text_take(&line);
}

static void close_launch(struct feed *feed, bool complete)
{
	struct launch *launch = current_launch(feed);

	feed->in_launch = false;
	feed->point = feed->pair[0] = feed->pair[1] = NULL;
	if (!launch)
		return;
	launch->complete = complete;
	disturb_close_launch(feed->results,
		(unsigned)feed->results->launch_count - 1);
}

static void take_launch(struct feed *feed, const struct sample *sample)
{
	struct results *results = feed->results;

	if (feed->in_launch)
		close_launch(feed, false);
	feed->in_launch = true;
	feed->launch = sample->n;
	feed->overheads = 0;
	feed->jitter = 0;
	if (!sample->n)
		return;
	struct launch *launch = results_add_launch(results);
	launch->number = sample->n;
	launch->seed = sample->ticks;
	launch->overhead = results->clock.overhead;
	launch->jitter = results->clock.jitter;
}

static void take_overhead(struct feed *feed, const struct sample *sample)
{
	struct launch *launch = current_launch(feed);

	if (feed->overheads < 2)
		feed->overhead[feed->overheads++] = sample->value;
	feed->jitter = fmax(feed->jitter, sample->value2);
	if (!launch)
		return;
	launch->overhead = feed->overhead[0];
	if (feed->overheads == 2)
		launch->overhead = (feed->overhead[0] + feed->overhead[1]) / 2;
	launch->jitter = feed->jitter;
}

static void take_clock(struct feed *feed, const struct sample *sample)
{
	struct launch *launch = current_launch(feed);
	struct moment point = {
		.ticks = (double)sample->at,
		.raw_ns = sample->ticks,
	};

	if (!feed->clock_first.raw_ns)
		feed->clock_first = point;
	feed->clock_last = point;
	if (launch && launch->at_s == 0)
		launch->at_s =
			(double)(point.raw_ns - feed->clock_first.raw_ns) *
			1e-9;
}

static struct point *point_numbered(struct feed *feed, uint32_t number)
{
	if (number < feed->results->point_count)
		return &feed->results->points[number];
	feed_broken(feed, "unknown point");
	return NULL;
}

static void take_visit(struct feed *feed, const struct sample *sample)
{
	struct results *results = feed->results;

	feed->point = point_numbered(feed, sample->n);
	feed->pair[0] = feed->pair[1] = NULL;
	if (!feed->point || !current_launch(feed))
		return;
	struct visit *visit = point_add_visit(results, feed->point);
	visit->launch = (unsigned)results->launch_count - 1;
	visit->clone = sample->metric;
	visit->canary_every = (unsigned)sample->extra;
}

static void take_pair(struct feed *feed, const struct sample *sample)
{
	const uint64_t numbers[] = { sample->n, sample->extra };

	for (int i = 0; i < 2; i++) {
		feed->pair[i] = numbers[i] > UINT32_MAX ?
			NULL :
			point_numbered(feed, (uint32_t)numbers[i]);
		if (!visit_of(feed, feed->pair[i])) {
			feed_broken(feed, "a pair without a visit");
			return;
		}
	}
	if (feed->pair[0] == feed->pair[1])
		feed_broken(feed, "a pair of one point");
	feed->results->plan.paired = true;
}

/* Selects the point of a record. In a pair of alternating visits each record
 * names its point. */
static bool take_turn(struct feed *feed, uint64_t turn)
{
	if (!turn && !feed->pair[0])
		return true;
	if (turn < 1 || turn > 2 || !feed->pair[0]) {
		feed_broken(feed, "a turn outside a pair");
		return false;
	}
	feed->point = feed->pair[turn - 1];
	return true;
}

static void take_sized(struct feed *feed, const struct sample *sample)
{
	struct point *point = point_numbered(feed, sample->n);

	if (!point)
		return;
	point->trial_ns = sample->value2;
	feed->sized[sample->n].ops = sample->ticks;
	feed->sized[sample->n].setup_ns = (double)sample->at;
	feed->sized[sample->n].found = sample->flags;
}

/* The series for a sample of this kind, or NULL. */
static struct series *series_of(struct feed *feed, const struct sample *sample,
	enum metric_kind kind)
{
	if (sample->metric >= feed->results->metric_count) {
		feed_broken(feed, "unknown metric");
		return NULL;
	}
	if (feed->results->metrics[sample->metric].kind != kind) {
		feed_broken(feed, "a metric of another kind");
		return NULL;
	}
	return &feed->point->series[sample->metric];
}

static void keep_trial(struct feed *feed, struct series *series,
	const struct sample *sample)
{
	struct slice *slice = &series->slices[feed->point->visit_count - 1];

	*(uint64_t *)column_add(&series->raw) = sample->ticks;
	*(uint16_t *)column_add(&series->flags) = sample->flags;
	slice->count++;
}

/* Rejects unknown flags: figures count trials by their flags. */
static bool are_flags(struct feed *feed, uint32_t flags)
{
	if (flags >> FLAG_COUNT)
		feed_broken(feed, "unknown flag");
	return !(flags >> FLAG_COUNT);
}

static void take_trial(struct feed *feed, const struct sample *sample)
{
	struct visit *visit =
		take_turn(feed, sample->extra) ? current_visit(feed) : NULL;
	struct series *series;

	if (!visit || !(series = series_of(feed, sample, METRIC_TIMED)) ||
		!are_flags(feed, sample->flags))
		return;
	if (!series->ops)
		series->ops = sample->n;
	if (series->ops != sample->n || !sample->n) {
		feed_broken(feed, "the operations of a trial changed");
		return;
	}
	keep_trial(feed, series, sample);
	size_t count = series->slices[feed->point->visit_count - 1].count;
	if (count > visit->trials)
		visit->trials = (unsigned)count;
}

static void take_value(struct feed *feed, const struct sample *sample)
{
	struct series *series;

	if (take_turn(feed, sample->extra) && current_visit(feed) &&
		(series = series_of(feed, sample, METRIC_VALUE)) &&
		are_flags(feed, sample->flags))
		keep_trial(feed, series, sample);
}

static void take_trace(struct feed *feed, const struct sample *sample)
{
	struct series *series;

	if (!current_visit(feed) ||
		!(series = series_of(feed, sample, METRIC_TRACE)))
		return;
	struct trace_point *trace = column_add(&series->trace);
	trace->x = sample->value;
	trace->y = sample->value2;
	trace->visit = (uint32_t)(feed->point->visit_count - 1);
}

/* Samples beside the trials of a pair belong to both points. */
static size_t points_visited(const struct feed *feed, struct point *points[2])
{
	points[0] = feed->pair[0] ? feed->pair[0] : feed->point;
	points[1] = feed->pair[1];
	return points[1] ? 2 : 1;
}

static void take_canary(struct feed *feed, const struct sample *sample)
{
	struct point *points[2];
	size_t count = points_visited(feed, points);

	for (size_t i = 0; i < count; i++) {
		struct visit *visit = visit_of(feed, points[i]);

		if (!visit)
			return;
		struct canary *canary = column_add(&points[i]->canary);
		canary->latency = (uint32_t)sample->ticks;
		canary->throughput = (uint32_t)sample->extra;
		visit->canary_count++;
	}
}

static void take_ruler(struct feed *feed, const struct sample *sample)
{
	struct visit *visit = current_visit(feed);

	if (!visit)
		return;
	*(struct ruler_reading *)column_add(&feed->point->ruler) =
		(struct ruler_reading){ sample->n, (uint32_t)sample->ticks };
	visit->ruler_count++;
}

static void flag_last(struct feed *feed, struct point *point, uint64_t trials,
	unsigned flags)
{
	const struct visit *visit = visit_of(feed, point);

	if (!visit)
		return;
	size_t back = trials < visit->trials ? trials : visit->trials;
	for (size_t i = visit->trials - back; i < visit->trials; i++)
		disturb_flag(feed->results,
			(size_t)(point - feed->results->points),
			point->visit_count - 1, i, flags);
}

static void take_usage(struct feed *feed, const struct sample *sample)
{
	struct point *points[2];
	size_t count = points_visited(feed, points);

	if (!sample->n || !are_flags(feed, sample->n))
		return;
	for (size_t i = 0; i < count; i++)
		flag_last(feed, points[i], sample->extra, sample->n);
}

static void take_note(struct feed *feed, char *line)
{
	char *value = strchr(line, '=');

	if (!value || !feed->point)
		return;
	*value++ = '\0';
	point_add_note(feed->point, line, value);
}

static void condemn(struct point *point, enum point_state state,
	const char *line)
{
	point->state = state;
	free(point->why);
	point->why = xstrdup(line);
}

/* Invalidates the trials of one visit; in the pilot, the point. disturb.c
 * decides the rest when the launch is complete. */
static void take_unverified(struct feed *feed, const char *line)
{
	struct point *point = feed->point;
	struct visit *visit = current_visit(feed);

	if (!visit) {
		condemn(point, POINT_INVALID, line);
		return;
	}
	visit->unverified = true;
	free(point->why);
	point->why = xstrdup(line);
}

static void take_failure(struct feed *feed, const char *line)
{
	feed->failed = true;
	feed->lost = feed->text_kind == TEXT_LOST;
	if (!feed->results->error)
		feed->results->error = xstrdup(line);
}

/* What was measured in an earlier launch stays: the run fails then, since
 * something has gone, like a mounted file system. */
static void take_verdict(struct feed *feed, const char *line)
{
	if (!feed->point)
		return;
	if (feed->text_kind == TEXT_INVALID)
		take_unverified(feed, line);
	else if (feed->point->visit_count > 1)
		take_failure(feed, line);
	else
		condemn(feed->point, POINT_UNAVAILABLE, line);
}

static void take_text(struct feed *feed)
{
	struct text safe = { 0 };

	text_add_safe(&safe, text_chars(&feed->text), feed->text.length);
	text_clear(&feed->text);
	char *line = text_take(&safe);
	if (feed->text_kind == TEXT_NOTE)
		take_note(feed, line);
	else if (feed->text_kind == TEXT_WARNING)
		results_warn(feed->results, "%s", line);
	else if (feed->text_kind == TEXT_FAILED || feed->text_kind == TEXT_LOST)
		take_failure(feed, line);
	else
		take_verdict(feed, line);
	free(line);
}

static void take_text_head(struct feed *feed, const struct sample *sample)
{
	if (!sample->n || sample->n > TEXT_LONGEST) {
		feed_broken(feed, "a text of invalid length");
		return;
	}
	if (sample->metric > TEXT_WARNING) {
		feed_broken(feed, "a text of unknown kind");
		return;
	}
	if (sample->metric != TEXT_WARNING && !take_turn(feed, sample->extra))
		return;
	feed->text_kind = sample->metric;
	feed->text_left = sample->n;
}

static void take_text_piece(struct feed *feed, const struct sample *sample)
{
	size_t length = feed->text_left < sizeof *sample ? feed->text_left :
							   sizeof *sample;

	text_add_chars(&feed->text, (const char *)sample, length);
	feed->text_left -= length;
	if (!feed->text_left)
		take_text(feed);
}

/* Values of a point that this launch has not visited are ignored. */
static void take_count(struct feed *feed, const struct sample *sample)
{
	const struct visit *visit;

	feed->point = point_numbered(feed, sample->n);
	feed->pair[0] = feed->pair[1] = NULL;
	visit = current_visit(feed);
	if (visit && visit->launch + 1 != feed->results->launch_count)
		feed->point = NULL;
}

static void take_end(struct feed *feed, const struct sample *sample)
{
	(void)sample;
	close_launch(feed, true);
}

typedef void taker(struct feed *, const struct sample *);

static taker *const takers[SAMPLE_KINDS] = {
	[SAMPLE_LAUNCH] = take_launch,
	[SAMPLE_OVERHEAD] = take_overhead,
	[SAMPLE_CLOCK] = take_clock,
	[SAMPLE_SIZED] = take_sized,
	[SAMPLE_VISIT] = take_visit,
	[SAMPLE_TRIAL] = take_trial,
	[SAMPLE_VALUE] = take_value,
	[SAMPLE_TRACE] = take_trace,
	[SAMPLE_CANARY] = take_canary,
	[SAMPLE_USAGE] = take_usage,
	[SAMPLE_TEXT] = take_text_head,
	[SAMPLE_PAIR] = take_pair,
	[SAMPLE_RULER] = take_ruler,
	[SAMPLE_COUNT] = take_count,
	[SAMPLE_END] = take_end,
};

void feed_samples(struct feed *feed, const struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count && !feed->failed; i++) {
		const struct sample *sample = &samples[i];

		if (feed->text_left)
			take_text_piece(feed, sample);
		else if (sample->kind < SAMPLE_KINDS && takers[sample->kind])
			takers[sample->kind](feed, sample);
		else
			feed_broken(feed, "unknown kind");
	}
	if (count)
		feed->results->version++;
}

void feed_end(struct feed *feed)
{
	if (feed->in_launch)
		close_launch(feed, false);
	/* An incomplete text must not continue in the next launch. */
	feed->text_left = 0;
	text_clear(&feed->text);
	feed->results->version++;
}
