/* Sessions: everything is preserved in a file. With a path as argument it
 * writes the sample session there, for a check against the schema. */
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "digest.h"
#include "sample_session.h"
#include "version.h"

static void same_text(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_column(const struct column *a, const struct column *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->element_bytes, b->element_bytes);
	if (a->count)
		assert_memory_equal(a->data, b->data,
			a->count * a->element_bytes);
}

static void same_series(const struct series *a, const struct series *b,
	size_t visits)
{
	assert_int_equal(a->ops, b->ops);
	assert_int_equal(a->derived, b->derived);
	assert_memory_equal(a->weight, b->weight, sizeof a->weight);
	same_column(&a->raw, &b->raw);
	same_column(&a->flags, &b->flags);
	assert_int_equal(a->trace.count, b->trace.count);
	for (size_t i = 0; i < a->trace.count; i++) {
		const struct trace_point *x = a->trace.data, *y = b->trace.data;

		assert_true(x[i].x == y[i].x && x[i].y == y[i].y);
		assert_int_equal(x[i].visit, y[i].visit);
	}
	if (visits)
		assert_memory_equal(a->slices, b->slices,
			visits * sizeof *a->slices);
}

static void same_prediction(const struct prediction *a,
	const struct prediction *b)
{
	assert_int_equal(a->set, b->set);
	assert_int_equal(a->by, b->by);
	assert_string_equal(a->locked_at, b->locked_at);
	assert_int_equal(a->post_hoc, b->post_hoc);
	assert_int_equal(a->in_cycles, b->in_cycles);
	assert_memory_equal(&a->hardware, &b->hardware, sizeof a->hardware);
	assert_memory_equal(&a->software, &b->software, sizeof a->software);
	assert_memory_equal(&a->total, &b->total, sizeof a->total);
	assert_string_equal(a->why, b->why);
}

static void same_launch(const struct launch *a, const struct launch *b)
{
	assert_int_equal(a->number, b->number);
	assert_true(a->seed == b->seed);
	assert_true(a->at_s == b->at_s);
	assert_true(a->overhead == b->overhead);
	assert_true(a->jitter == b->jitter);
	assert_true(a->canary == b->canary);
	assert_int_equal(a->complete, b->complete);
}

static void same_visit(const struct visit *a, const struct visit *b)
{
	assert_int_equal(a->launch, b->launch);
	assert_int_equal(a->clone, b->clone);
	assert_int_equal(a->canary_every, b->canary_every);
	assert_int_equal(a->canary_first, b->canary_first);
	assert_int_equal(a->canary_count, b->canary_count);
	assert_int_equal(a->trials, b->trials);
	assert_int_equal(a->warmup, b->warmup);
	assert_int_equal(a->unsteady, b->unsteady);
	assert_true(a->usual == b->usual);
}

static void same_point(const struct results *r, const struct point *a,
	const struct point *b)
{
	for (size_t i = 0; i < r->param_count; i++)
		assert_string_equal(a->values[i], b->values[i]);
	assert_null(b->args);
	assert_int_equal(a->state, b->state);
	same_text(a->why, b->why);
	assert_true(a->trial_ns == b->trial_ns);
	same_prediction(&a->model, &b->model);
	assert_int_equal(a->visit_count, b->visit_count);
	for (size_t v = 0; v < a->visit_count; v++)
		same_visit(&a->visits[v], &b->visits[v]);
	for (size_t m = 0; m < r->metric_count; m++)
		same_series(&a->series[m], &b->series[m], a->visit_count);
	same_column(&a->canary, &b->canary);
	assert_int_equal(a->note_count, b->note_count);
	for (size_t i = 0; i < a->note_count; i++) {
		assert_string_equal(a->notes[i].key, b->notes[i].key);
		assert_string_equal(a->notes[i].value, b->notes[i].value);
	}
}

static void same_tables(const struct results *a, const struct results *b)
{
	assert_int_equal(a->param_count, b->param_count);
	for (size_t i = 0; i < a->param_count; i++)
		assert_string_equal(a->param_names[i], b->param_names[i]);
	assert_int_equal(a->metric_count, b->metric_count);
	for (size_t i = 0; i < a->metric_count; i++) {
		const struct metric_info *x = &a->metrics[i];
		const struct metric_info *y = &b->metrics[i];

		assert_string_equal(x->name, y->name);
		assert_string_equal(x->label, y->label);
		assert_int_equal(x->unit, y->unit);
		assert_int_equal(x->better, y->better);
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->rate, y->rate);
		assert_int_equal(x->steady, y->steady);
		assert_int_equal(x->user_only, y->user_only);
	}
	assert_int_equal(a->findings.count, b->findings.count);
	for (size_t i = 0; i < a->findings.count; i++) {
		const struct finding *x = &a->findings.list[i];
		const struct finding *y = &b->findings.list[i];

		assert_string_equal(x->name, y->name);
		assert_string_equal(x->sentence, y->sentence);
		assert_int_equal(x->has_value, y->has_value);
		assert_int_equal(x->has_interval, y->has_interval);
		assert_true(x->value == y->value);
		assert_memory_equal(&x->interval, &y->interval,
			sizeof x->interval);
		assert_int_equal(x->point, y->point);
		assert_int_equal(x->unit, y->unit);
	}
}

static void same_results(const struct results *a, const struct results *b)
{
	assert_string_equal(a->experiment, b->experiment);
	same_text(a->title, b->title);
	assert_int_equal(a->state, b->state);
	assert_string_equal(stop_word(&a->stopped), stop_word(&b->stopped));
	same_text(a->error, b->error);
	assert_string_equal(a->started, b->started);
	assert_true(a->took_s == b->took_s);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->recovered, b->recovered);
	same_text(a->asked, b->asked);
	assert_memory_equal(&a->clock, &b->clock, sizeof a->clock);
	assert_memory_equal(&a->place, &b->place, sizeof a->place);
	assert_memory_equal(&a->sharing, &b->sharing, sizeof a->sharing);
	assert_int_equal(a->plan.launches, b->plan.launches);
	assert_int_equal(a->plan.trials, b->plan.trials);
	assert_true(a->plan.precision == b->plan.precision);
	assert_int_equal(a->plan.budget_ns, b->plan.budget_ns);
	assert_int_equal(a->plan.fifo, b->plan.fifo);
	assert_int_equal(a->plan.clones, b->plan.clones);
	assert_int_equal(a->plan.traits, b->plan.traits);
	same_prediction(&a->prediction, &b->prediction);
	same_tables(a, b);
	assert_int_equal(a->launch_count, b->launch_count);
	for (size_t i = 0; i < a->launch_count; i++)
		same_launch(&a->launches[i], &b->launches[i]);
	assert_int_equal(a->warning_count, b->warning_count);
	for (size_t i = 0; i < a->warning_count; i++)
		assert_string_equal(a->warnings[i], b->warnings[i]);
	assert_int_equal(a->point_count, b->point_count);
	for (size_t i = 0; i < a->point_count; i++)
		same_point(a, &a->points[i], &b->points[i]);
}

static void everything_survives(void **state)
{
	struct session *a = sample_session();
	struct text text = written(a);
	struct session *b = read_text(&text);
	struct text again = written(b);

	assert_string_equal(text.chars, again.chars);
	assert_memory_equal(&a->machine, &b->machine, sizeof a->machine);
	assert_string_equal(b->tool_version, benchtop_version);
	assert_int_equal(b->unknown_count, 0);
	assert_false(b->newer || b->changed);
	assert_int_equal(a->check_count, b->check_count);
	for (size_t i = 0; i < a->check_count; i++) {
		assert_string_equal(a->checks[i].check, b->checks[i].check);
		assert_string_equal(a->checks[i].verdict, b->checks[i].verdict);
		assert_string_equal(a->checks[i].found, b->checks[i].found);
	}
	assert_int_equal(a->note_count, b->note_count);
	for (size_t i = 0; i < a->note_count; i++) {
		assert_string_equal(a->notes[i].at, b->notes[i].at);
		assert_string_equal(a->notes[i].text, b->notes[i].text);
	}
	assert_int_equal(a->run_count, b->run_count);
	for (size_t i = 0; i < a->run_count; i++)
		same_results(a->runs[i], b->runs[i]);
	assert_ptr_equal(session_last(b, "mem.latency"), b->runs[1]);
	assert_null(session_last(b, "mem"));
	text_free(&text);
	text_free(&again);
	session_free(a);
	session_free(b);
}

static void digests_survive(void **state)
{
	struct session *a = sample_session();
	struct text text = written(a);
	struct session *b = read_text(&text);

	for (unsigned m = 0; m < 5; m++) {
		const struct results *x = a->runs[0], *y = b->runs[0];
		struct digest one, other;

		assert_true(digest_of(x, &x->points[0], m, &one));
		assert_true(digest_of(y, &y->points[0], m, &other));
		assert_int_equal(one.trials, other.trials);
		assert_true(one.shared == other.shared);
		assert_true(one.excluded == other.excluded);
		assert_int_equal(one.regime, other.regime);
		assert_int_equal(one.quality, other.quality);
		assert_true(one.summary.median == other.summary.median);
		assert_true(one.summary.mean == other.summary.mean);
		assert_true(
			one.summary.interval.low == other.summary.interval.low);
		assert_true(one.median_all == other.median_all);
		assert_true(one.floor == other.floor);
		assert_int_equal(one.has_cycles, other.has_cycles);
		assert_true(one.cycles.median == other.cycles.median);
	}
	text_free(&text);
	session_free(a);
	session_free(b);
}

/* Text that is not UTF-8 in memory is UTF-8 in the file, and not longer. */
static void broken_texts_can_be_read(void **state)
{
	struct session *a = sample_session();

	memset(a->machine.hostname, 0xff, sizeof a->machine.hostname - 1);
	memset(a->machine.mitigations, 'm', sizeof a->machine.mitigations - 2);
	a->machine.mitigations[sizeof a->machine.mitigations - 2] = (char)0xc3;
	struct text text = written(a);
	struct session *b = read_text(&text);
	assert_int_equal(strspn(b->machine.hostname, "?"), 64);
	assert_int_equal(strlen(b->machine.mitigations), 599);
	text_free(&text);
	session_free(a);
	session_free(b);
}

/* Terminal control characters are never written, whatever their source. */
static void controls_are_not_written(void **state)
{
	static const char evil[] = "a\x1b[2J\tb\nc\x07\xc2\x9b\xe2\x80\xae";
	struct session *a = sample_session();

	snprintf(a->machine.hostname, sizeof a->machine.hostname, "%s", evil);
	results_warn(a->runs[0], "%s", evil);
	point_add_note(&a->runs[0]->points[0], "key", evil);
	session_add_note(a, evil);
	struct text text = written(a);
	struct session *b = read_text(&text);
	assert_string_equal(b->machine.hostname, "a?[2J?b?c???");
	assert_string_equal(b->runs[0]->warnings[2], "a?[2J?b?c???");
	assert_string_equal(b->runs[0]->points[0].notes[2].value,
		"a?[2J?b?c???");
	assert_string_equal(b->notes[2].text, "a?[2J\tb\nc???");
	text_free(&text);
	session_free(a);
	session_free(b);
}

static void numbers_that_are_none(void **state)
{
	struct session *a = sample_session();
	struct point *point = &a->runs[0]->points[0];

	((double *)point->series[4].raw.data)[1] = NAN;
	((struct trace_point *)point->series[5].trace.data)[1].y = INFINITY;
	a->runs[0]->took_s = NAN;
	a->runs[0]->prediction.total.high = INFINITY;
	struct text text = written(a);
	struct session *b = read_text(&text);
	struct text again = written(b);
	assert_string_equal(text.chars, again.chars);
	point = &b->runs[0]->points[0];
	assert_true(isnan(((double *)point->series[4].raw.data)[1]));
	assert_true(isnan(b->runs[0]->took_s));
	text_free(&text);
	text_free(&again);
	session_free(a);
	session_free(b);
}

static int write_sample(const char *path)
{
	struct session *session = sample_session();
	struct error error;
	int failed = session_save(session, path, false, &error);

	if (failed)
		fprintf(stderr, "%s\n", error.message);
	session_free(session);
	return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_survives),
		cmocka_unit_test(digests_survive),
		cmocka_unit_test(broken_texts_can_be_read),
		cmocka_unit_test(controls_are_not_written),
		cmocka_unit_test(numbers_that_are_none),
	};

	if (argc == 2)
		return write_sample(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
