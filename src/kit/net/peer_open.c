/* Encoding of the experiment and its arguments, and their validation by the far
 * end. */
#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KIND_WHOLE, KIND_REAL, KIND_TEXT };
enum { NAME_SIZE = 64 };

static const char *field_of(const struct param *row, const void *args)
{
	return (const char *)args + row->offset;
}

static void put_value(struct wire_out *out, const struct param *row,
	const void *args)
{
	int64_t whole;
	double real;
	int choice;

	wire_put_text(out, row->name);
	switch (row->type) {
	case PARAM_WHOLE:
		memcpy(&whole, field_of(row, args), sizeof whole);
		wire_put_u8(out, KIND_WHOLE);
		wire_put_u64(out, (uint64_t)whole);
		break;
	case PARAM_REAL:
		memcpy(&real, field_of(row, args), sizeof real);
		wire_put_u8(out, KIND_REAL);
		wire_put_f64(out, real);
		break;
	case PARAM_CHOICE:
		memcpy(&choice, field_of(row, args), sizeof choice);
		wire_put_u8(out, KIND_TEXT);
		wire_put_text(out, row->choices[choice]);
		break;
	case PARAM_TEXT:
		break;
	}
}

static uint16_t count_rows(const struct experiment *experiment)
{
	uint16_t count = 0;

	for (const struct param *row = experiment->params; row->name; row++)
		if (row->type != PARAM_TEXT)
			count++;
	return count;
}

void peer_put_open(struct wire_out *out, const struct experiment *experiment,
	const void *args)
{
	wire_put_text(out, experiment->name);
	wire_put_u16(out, count_rows(experiment));
	for (const struct param *row = experiment->params; row->name; row++)
		if (row->type != PARAM_TEXT)
			put_value(out, row, args);
}

/* ---- the far end ------------------------------------------------------ */

static bool within(const struct param *row, double value)
{
	if (row->automatic && value == (double)PARAM_AUTO)
		return true;
	return value >= row->min && value <= row->max;
}

static bool get_whole(struct wire_in *in, const struct param *row, void *field)
{
	int64_t whole = (int64_t)wire_get_u64(in);

	memcpy(field, &whole, sizeof whole);
	return within(row, (double)whole);
}

static bool get_real(struct wire_in *in, const struct param *row, void *field)
{
	double real = wire_get_f64(in);

	memcpy(field, &real, sizeof real);
	return isfinite(real) && within(row, real);
}

static bool get_choice(struct wire_in *in, const struct param *row, void *field)
{
	char word[NAME_SIZE];

	wire_get_text(in, word, sizeof word);
	for (int i = 0; row->choices[i]; i++)
		if (!strcmp(row->choices[i], word)) {
			memcpy(field, &i, sizeof i);
			return true;
		}
	return false;
}

static bool get_value(struct wire_in *in, const struct param *row, void *args)
{
	char *field = (char *)args + row->offset;
	unsigned kind = wire_get_u8(in);

	if (kind == KIND_WHOLE && row->type == PARAM_WHOLE)
		return get_whole(in, row, field);
	if (kind == KIND_REAL && row->type == PARAM_REAL)
		return get_real(in, row, field);
	if (kind == KIND_TEXT && row->type == PARAM_CHOICE)
		return get_choice(in, row, field);
	return false;
}

static const struct experiment *find(const struct experiment *const *list,
	const char *name)
{
	for (; *list; list++)
		if (!strcmp((*list)->name, name) && (*list)->peer)
			return *list;
	return NULL;
}

static void empty_texts(const struct experiment *experiment, void *args)
{
	static const char *const empty = "";

	memset(args, 0, PEER_ARGS_MAX);
	for (const struct param *row = experiment->params; row->name; row++)
		if (row->type == PARAM_TEXT)
			memcpy((char *)args + row->offset, &empty,
				sizeof empty);
}

/* Reads every row exactly once, in any order. */
static bool get_values(struct wire_in *in, const struct experiment *experiment,
	void *args, char *sentence, size_t size)
{
	uint64_t seen = 0;

	for (unsigned left = wire_get_u16(in); left && !in->bad; left--) {
		char name[NAME_SIZE];

		wire_get_text(in, name, sizeof name);
		if (in->bad)
			break;
		const struct param *row = param_row(experiment->params, name);
		if (!row || row->type == PARAM_TEXT ||
			!get_value(in, row, args)) {
			snprintf(sentence, size,
				"%s: the remote end does not know parameter "
				"'%s' with this value: its version differs",
				experiment->name, name);
			return false;
		}
		seen |= UINT64_C(1) << (row - experiment->params);
	}
	for (const struct param *row = experiment->params; row->name; row++)
		if (row->type != PARAM_TEXT &&
			!(seen >> (row - experiment->params) & 1)) {
			snprintf(sentence, size,
				"%s: parameter '%s' was not sent to the remote "
				"end",
				experiment->name, row->name);
			return false;
		}
	return !in->bad;
}

const struct experiment *peer_get_open(struct wire_in *in,
	const struct experiment *const *experiments, void *args,
	enum wire_refusal *why, char *sentence, size_t size)
{
	char name[NAME_SIZE];

	*why = WIRE_UNKNOWN;
	wire_get_text(in, name, sizeof name);
	const struct experiment *experiment =
		in->bad ? NULL : find(experiments, name);
	if (!experiment || experiment->args_size > PEER_ARGS_MAX) {
		snprintf(sentence, size, "the remote end does not know "
			"experiment '%s'",
			in->bad ? "" : name);
		return NULL;
	}
	empty_texts(experiment, args);
	struct error error;
	if (!get_values(in, experiment, args, sentence, size))
		return NULL;
	if (experiment->check && experiment->check(args, &error)) {
		snprintf(sentence, size, "%s", error.message);
		return NULL;
	}
	return experiment;
}
