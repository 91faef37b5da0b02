/* Verbs of the form: they change values and the prediction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "commands_internal.h"
#include "digest.h"
#include "slide.h"

static int neighbour_choice(const struct param *row, union param_value value,
	int step)
{
	int choice = 0, count = 0;

	do
		count++;
	while (row->choices[count]);
	while (!param_chosen(row, value, choice))
		choice++;
	return ((choice + step) % count + count) % count;
}

static void write_value(const struct param *row, double value,
	struct text *text)
{
	if (row->type == PARAM_WHOLE)
		unit_write_whole(text, row->unit, (int64_t)value);
	else
		unit_write(text, row->unit, value);
}

/* Writes the next value up or down. Sizes, times and rates double or halve,
 * real numbers change by a factor of 1.25, and counts by 1. */
static void neighbour_number(const struct param *row, double value, int step,
	struct text *text)
{
	bool doubles = row->unit == UNIT_BYTES || row->unit == UNIT_NS ||
		row->unit == UNIT_HZ || row->unit == UNIT_BITS_PER_S ||
		row->unit == UNIT_QUEUE;

	if (row->automatic && value == (double)PARAM_AUTO)
		value = step > 0 ? row->min : row->max;
	else if (doubles)
		value = step > 0 ? value * 2 : value / 2;
	else if (row->type == PARAM_REAL)
		value = step > 0 ? value * 1.25 : value / 1.25;
	else
		value += step;
	if (doubles && step > 0 && value == 0)
		value = 1;
	/* A queue length in packets is a whole number: half of five is two. */
	if (row->unit == UNIT_QUEUE && value >= (double)UNIT_QUEUE_PACKETS / 2)
		value = fmax(floor(value / (double)UNIT_QUEUE_PACKETS), 1) *
			(double)UNIT_QUEUE_PACKETS;
	value = fmin(fmax(value, row->min), row->max);
	write_value(row, value, text);
}

int check_slide(const struct call *call, struct error *error)
{
	char *end;
	double per_mille = strtod(call->arg[0], &end);

	if (end != call->arg[0] && !*end && per_mille >= 0 && per_mille <= 1000)
		return 0;
	error_set(error, STATUS_USAGE,
		"%s is not a slider position: expected 0 .. 1000",
		text_quoted(call->arg[0]).chars);
	return call_fault(call, 0, 0, error);
}

enum outcome exec_slide(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct form *form = screen_form(screen);
	size_t at;
	struct param_set *set = screen_field(form, form->field, &at);
	struct text text = { 0 };

	if (!set || set->rows[at].type == PARAM_CHOICE ||
		set->rows[at].type == PARAM_TEXT)
		return reply_fail(reply, STATUS_USAGE,
			"this row of the form has no slider");
	const struct param row = screen_row(screen, set, at);
	write_value(&row, slide_value(&row, strtod(call->arg[0], NULL) / 1000),
		&text);
	int failed = param_set_values(set, row.name, text.chars, &reply->error);
	text_free(&text);
	form->budget_asked |= !strcmp(row.name, "budget");
	form->edited |= !failed;
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

enum outcome exec_change(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct form *form = screen_form(screen);
	int step = steps_of(call);
	size_t at;
	struct param_set *set = screen_field(form, form->field, &at);
	struct text text = { 0 };

	if (!set)
		return exec_guess(call, reply);
	const struct param here = screen_row(screen, set, at), *row = &here;
	const union param_value *value = &set->values[at].list[0];
	if (row->type == PARAM_TEXT)
		return reply_fail(reply, STATUS_USAGE,
			"'%s' is a text: Enter types another", row->name);
	if (row->type == PARAM_CHOICE)
		text_add(&text, "%s",
			row->choices[neighbour_choice(row, *value, step)]);
	else
		neighbour_number(row,
			row->type == PARAM_WHOLE ? (double)value->whole :
						   value->real,
			step, &text);
	int failed = param_set_values(set, row->name, text_chars(&text),
		&reply->error);
	text_free(&text);
	if (!strcmp(row->name, "budget"))
		form->budget_asked = true;
	form->edited |= !failed;
	return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

int check_edit(const struct call *call, struct error *error)
{
	struct screen *screen = screen_of(call);
	struct form *form = screen_form(screen);
	struct param_set args, common;

	if (!call->count || !strcmp(call->arg[0], "preset"))
		return 0;
	param_set_copy(&args, &form->args);
	param_set_copy(&common, &form->common);
	int failed = assign_words(call, 0, &args, &common, NULL, error);
	if (!failed)
		failed = param_set_check_points(&args, error);
	param_set_free(&args);
	param_set_free(&common);
	return failed;
}

enum outcome exec_edit(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct form *form = screen_form(screen);
	size_t at;
	struct param_set *set = screen_field(form, form->field, &at);
	int failed;

	if (call->count && strcmp(call->arg[0], "preset")) {
		failed = assign_words(call, 0, &form->args, &form->common,
			&form->budget_asked, &reply->error);
		form->edited |= !failed;
		return failed ? OUTCOME_FAILED : OUTCOME_DONE;
	}
	if (!set)
		return exec_guess(call, reply);
	const struct param *row = &set->rows[at];
	if (call->count) {
		failed = param_set_values(set, row->name, row->preset,
			&reply->error);
		return failed ? OUTCOME_FAILED : OUTCOME_DONE;
	}
	struct text label = { 0 };
	text_add(&label, "%s = ", row->name);
	prompt_open(&screen->prompt, PROMPT_FIELD, label.chars,
		set->values[at].typed);
	prompt_select(&screen->prompt);
	text_free(&label);
	return OUTCOME_DONE;
}

static void write_range(struct text *text, const char *name, enum unit unit,
	const struct range *range)
{
	text_add(text, "%s", name);
	unit_write(text, unit, range->low);
	if (range->low == range->high)
		return;
	text_add(text, "..");
	unit_write(text, unit, range->high);
}

/* Writes the hardware and software ranges if both were predicted, else the
 * total. */
static void write_prediction(struct text *line, enum unit unit,
	const struct prediction *own)
{
	bool both = own->software.high != 0 && own->hardware.high != 0;

	if (!both) {
		write_range(line, "", unit, &own->total);
		return;
	}
	write_range(line, "hw=", unit, &own->hardware);
	write_range(line, " sw=", unit, &own->software);
}

enum outcome exec_guess(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	const struct experiment *experiment = screen_descriptor(screen);
	const struct prediction *own = lab_prediction(screen->lab, experiment);
	enum unit unit = prediction_unit(own, experiment->metrics[0].unit);
	struct text label = { 0 }, line = { 0 };

	(void)reply;
	text_add(&label, "predict %s: ", experiment->metrics[0].label);
	if (own->set)
		write_prediction(&line, unit, own);
	prompt_open(&screen->prompt, PROMPT_PREDICT, label.chars,
		text_chars(&line));
	prompt_select(&screen->prompt);
	text_free(&label);
	text_free(&line);
	return OUTCOME_DONE;
}
