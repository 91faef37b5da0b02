/* Value lists: their items, and errors with columns. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sweep_internal.h"

/* ---- errors ----------------------------------------------------------- */

static void point_at(const struct reading *reading, struct piece piece)
{
	size_t typed = strlen(reading->typed);
	size_t at = (size_t)(piece.at - reading->typed);

	/* Text missing at the end is reported at the last character. */
	if (typed && at >= typed)
		at = typed - 1;
	reading->error->column = (int)at + 1;
}

int sweep_refuse(const struct reading *reading, struct piece piece,
	const char *format, ...)
{
	struct text sentence = { 0 };
	va_list list;

	unit_quote(&sentence, piece.at, piece.length);
	text_add_char(&sentence, ' ');
	va_start(list, format);
	text_vadd(&sentence, format, list);
	va_end(list);
	error_set(reading->error, STATUS_USAGE, "%s: %s", reading->row->name,
		text_chars(&sentence));
	text_free(&sentence);
	point_at(reading, piece);
	return -1;
}

int sweep_refuse_count(const struct reading *reading, struct piece piece)
{
	return sweep_refuse(reading, piece,
		"makes more than %d values, the limit",
		PARAM_VALUES_MAX);
}

/* True for a bare number that lacks a unit: a user who types 5 means seconds,
 * or the unit of the limits. */
static bool lacks_unit(const struct param *row, struct piece piece)
{
	char last = piece.length ? piece.at[piece.length - 1] : '\0';

	return row->unit == UNIT_NS && last >= '0' && last <= '9';
}

static int refuse_limits(const struct reading *reading, struct piece piece)
{
	struct text limits = { 0 };

	sweep_write_limits(reading->row, &limits);
	sweep_refuse(reading, piece, "is outside %s%s", text_chars(&limits),
		lacks_unit(reading->row, piece) ?
			" (without a unit it is in ns)" :
			"");
	text_free(&limits);
	return -1;
}

static int refuse_repeated(const struct reading *reading, struct piece piece,
	union param_value value)
{
	struct text text = { 0 }, quoted = { 0 };

	sweep_write(reading->row, value, &text);
	unit_quote(&quoted, text_chars(&text), text.length);
	sweep_refuse(reading, piece, "repeats the value %s",
		text_chars(&quoted));
	text_free(&quoted);
	text_free(&text);
	return -1;
}

/* Adds "getppid, getpid, times". */
static void add_choices(const struct param *row, struct text *text)
{
	for (size_t i = 0; row->choices[i]; i++)
		text_add(text, "%s%s", i ? ", " : "", row->choices[i]);
}

static int refuse_choice(const struct reading *reading, struct piece piece)
{
	const struct param *row = reading->row;
	char *word = xstrndup(piece.at, piece.length);
	const char *nearest = text_nearest(word, row->choices);
	struct text hint = { 0 }, choices = { 0 };

	if (nearest)
		text_add(&hint, " (did you mean '%s'?)", nearest);
	add_choices(row, &choices);
	sweep_refuse(reading, piece, "is not a choice%s: expected one of %s",
		text_chars(&hint), text_chars(&choices));
	text_free(&choices);
	text_free(&hint);
	free(word);
	return -1;
}

/* ---- values ----------------------------------------------------------- */

static bool same_value(const struct param *row, union param_value a,
	union param_value b)
{
	switch (row->type) {
	case PARAM_WHOLE:
		return a.whole == b.whole;
	case PARAM_REAL:
		return a.real == b.real;
	case PARAM_CHOICE:
		return a.choice == b.choice;
	case PARAM_TEXT:
		break;
	}
	return !strcmp(a.text, b.text);
}

int sweep_add(struct reading *reading, struct piece piece,
	union param_value value)
{
	struct param_values *values = reading->values;

	for (size_t i = 0; i < values->count; i++) {
		if (!same_value(reading->row, values->list[i], value))
			continue;
		if (i >= reading->before)
			return 0;
		return refuse_repeated(reading, piece, value);
	}
	if (values->count == PARAM_VALUES_MAX)
		return sweep_refuse_count(reading, piece);
	ARRAY_GROW(values->list, values->count);
	values->list[values->count++] = value;
	return 0;
}

union param_value sweep_value(const struct param *row, long double number)
{
	if (row->type == PARAM_WHOLE)
		return (union param_value){ .whole = (int64_t)number };
	return (union param_value){ .real = (double)number };
}

int sweep_number(const struct reading *reading, struct piece piece,
	long double *number)
{
	const struct param *row = reading->row;
	struct error why;
	int64_t whole = 0;
	double real = 0;
	int wrong;

	if (row->type == PARAM_WHOLE)
		wrong = unit_parse_whole(row->unit, piece.at, piece.length,
			&whole, &why);
	else
		wrong = unit_parse(row->unit, piece.at, piece.length, &real,
			&why);
	if (wrong) {
		error_set(reading->error, STATUS_USAGE, "%s: %s%s%s", row->name,
			why.message, row->automatic ? ", or " : "",
			row->automatic ? param_word(row) : "");
		point_at(reading, piece);
		return -1;
	}
	*number = row->type == PARAM_WHOLE ? (long double)whole : real;
	return 0;
}

static int refuse_bare(const struct reading *reading, struct piece piece)
{
	error_set(reading->error, STATUS_USAGE,
		"%s: %s names no unit: expected %s", reading->row->name,
		text_quoted_part(piece.at, piece.length).chars,
		unit_expected(reading->row->unit));
	point_at(reading, piece);
	return -1;
}

int sweep_limited(const struct reading *reading, struct piece piece,
	long double *number)
{
	const struct param *row = reading->row;

	/* -0 is refused too if the range starts at 0. */
	if (row->min >= 0 && piece.length && piece.at[0] == '-')
		return refuse_limits(reading, piece);
	if (sweep_number(reading, piece, number))
		return -1;
	if (*number != 0 &&
		unit_is_bare(row->unit, piece.at, piece.length))
		return refuse_bare(reading, piece);
	if (*number < row->min || *number > row->max)
		return refuse_limits(reading, piece);
	return 0;
}

/* ---- items ------------------------------------------------------------ */

static int read_quantity(struct reading *reading, struct piece piece)
{
	const struct param *row = reading->row;
	const char *dots = memmem(piece.at, piece.length, "..", 2);
	long double number;

	if (dots)
		return sweep_add_range(reading, piece,
			(size_t)(dots - piece.at));
	if (row->automatic && piece_is(piece, param_word(row)))
		number = (long double)PARAM_AUTO;
	else if (sweep_limited(reading, piece, &number))
		return -1;
	return sweep_add(reading, piece, sweep_value(row, number));
}

/* Adds a choice to the set of a row that combines. */
static int combine(struct reading *reading, struct piece piece, int choice)
{
	const struct param *row = reading->row;
	struct param_values *values = reading->values;
	union param_value added = { .choice = 1 << choice };
	int alone = (1 << row->combines) - 1;

	if (!values->count)
		return sweep_add(reading, piece, added);
	union param_value *set = &values->list[0];
	if (set->choice & added.choice)
		return refuse_repeated(reading, piece, added);
	if ((set->choice | added.choice) & alone)
		return sweep_refuse(reading, piece,
			"cannot be combined with %s",
			row->choices[__builtin_ctz((unsigned)set->choice)]);
	set->choice |= added.choice;
	return 0;
}

static int read_choice(struct reading *reading, struct piece piece)
{
	const struct param *row = reading->row;
	const char *const *choices = row->choices;

	for (int i = 0; choices[i]; i++) {
		if (!piece_is(piece, choices[i]))
			continue;
		if (row->combines)
			return combine(reading, piece, i);
		return sweep_add(reading, piece,
			(union param_value){ .choice = i });
	}
	if (memmem(piece.at, piece.length, "..", 2))
		return sweep_refuse(reading, piece,
			"is a range, and choices have none: list them");
	return refuse_choice(reading, piece);
}

static int check_characters(const struct reading *reading, struct piece piece)
{
	size_t at = 0;

	while (at < piece.length) {
		unsigned code;
		size_t size =
			utf8_read(piece.at + at, piece.length - at, &code);

		if (!size)
			return sweep_refuse(reading, piece,
				"is not valid UTF-8: expected plain text");
		if (code < 0x20 || (code >= 0x7f && code < 0xa0))
			return sweep_refuse(reading, piece,
				"has a control character: expected plain text");
		at += size;
	}
	return 0;
}

static int read_text(struct reading *reading, struct piece piece)
{
	enum { BYTES_MOST = 1024 };
	const char *typed = reading->typed;

	if (piece.length > BYTES_MOST)
		return sweep_refuse(reading, piece,
			"is too long: expected at most %d bytes", BYTES_MOST);
	/* An empty text is valid only if it is the preset. */
	if (!piece.length && (typed[0] || reading->row->preset[0]))
		return sweep_refuse(reading, piece, "is empty: expected text%s",
			typed[0] ? " on both sides of a comma" : "");
	if (check_characters(reading, piece))
		return -1;
	/* The copy that is split at its commas follows the typed text. */
	const char *cut = reading->values->typed + strlen(typed) + 1;
	return sweep_add(reading, piece,
		(union param_value){ .text = cut + (piece.at - typed) });
}

static int read_item(struct reading *reading, struct piece piece)
{
	reading->before = reading->values->count;
	if (reading->row->type == PARAM_CHOICE)
		return read_choice(reading, piece);
	if (reading->row->type == PARAM_TEXT)
		return read_text(reading, piece);
	return read_quantity(reading, piece);
}

/* ---- lists ------------------------------------------------------------ */

bool piece_is(struct piece piece, const char *word)
{
	return piece.length == strlen(word) &&
		!memcmp(piece.at, word, piece.length);
}

/* Two copies of the text: as typed, and with its commas replaced by zeros. */
static char *copy_twice(const char *typed)
{
	size_t size = strlen(typed) + 1;
	char *copy = xmalloc(2 * size);

	memcpy(copy, typed, size);
	memcpy(copy + size, typed, size);
	for (size_t i = size; i < 2 * size; i++)
		if (copy[i] == ',')
			copy[i] = '\0';
	return copy;
}

int sweep_read(const struct param *row, const char *typed,
	struct param_values *values, struct error *error)
{
	struct param_values made = { .typed = copy_twice(typed) };
	struct reading reading = {
		.row = row,
		.typed = typed,
		.values = &made,
		.error = error,
	};
	struct piece piece = { .at = typed };

	for (;; piece.at += piece.length + 1) {
		piece.length = strcspn(piece.at, ",");
		if (read_item(&reading, piece)) {
			sweep_free(&made);
			return -1;
		}
		if (!piece.at[piece.length])
			break;
	}
	*values = made;
	return 0;
}

void sweep_free(struct param_values *values)
{
	free(values->typed);
	free(values->list);
	*values = (struct param_values){ 0 };
}

bool sweep_same(const struct param *row, const struct param_values *a,
	const struct param_values *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!same_value(row, a->list[i], b->list[i]))
			return false;
	return true;
}

/* ---- writing ---------------------------------------------------------- */

static void write_choices(const struct param *row, union param_value value,
	struct text *text)
{
	const char *gap = "";

	for (int i = 0; row->choices[i]; i++)
		if (param_chosen(row, value, i)) {
			text_add(text, "%s%s", gap, row->choices[i]);
			gap = ",";
		}
}

void sweep_write(const struct param *row, union param_value value,
	struct text *text)
{
	bool number = row->type == PARAM_WHOLE || row->type == PARAM_REAL;
	union param_value automatic = sweep_value(row, (long double)PARAM_AUTO);

	if (row->automatic && number && same_value(row, value, automatic))
		text_add(text, "%s", param_word(row));
	else if (row->type == PARAM_WHOLE)
		unit_write_whole(text, row->unit, value.whole);
	else if (row->type == PARAM_REAL)
		unit_write(text, row->unit, value.real);
	else if (row->type == PARAM_CHOICE)
		write_choices(row, value, text);
	else
		text_add(text, "%s", value.text);
}

void sweep_write_limits(const struct param *row, struct text *text)
{
	if (isfinite(row->min))
		unit_write(text, row->unit, row->min);
	text_add(text, "..");
	if (isfinite(row->max))
		unit_write(text, row->unit, row->max);
}
