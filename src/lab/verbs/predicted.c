#include "predicted.h"

#include <stdio.h>
#include <string.h>

#include "lab.h"

/* One range: what was typed in one word or in several. */
struct typed {
	const struct call *call;
	size_t first, end; /* of the words */
	struct text text;  /* without blanks */
};

/* Where the range of a prediction begins in its word: a range alone is the
 * hardware's. -1: the word is none. */
static int range_at(const char *word)
{
	if (!strncmp(word, "hw=", 3) || !strncmp(word, "sw=", 3))
		return 3;
	return *word && strchr("0123456789.", *word) ? 0 : -1;
}

bool is_predicted(const struct call *call)
{
	for (size_t i = 1; i < call->count; i++)
		if (range_at(call->arg[i]) >= 0)
			return true;
	return false;
}

/* Does a range go on in the next word? */
static bool goes_on(const struct text *so_far, const char *next)
{
	char last = so_far->length ? so_far->chars[so_far->length - 1] : '=';

	if (!strncmp(next, "..", 2))
		return true;
	if (!strchr("0123456789.", last) || strchr(next, '='))
		return false;
	return last == '.' || !strchr("0123456789", *next);
}

static void join_words(struct typed *typed)
{
	char **arg = typed->call->arg;

	text_add_chars(&typed->text, arg[typed->first],
		strlen(arg[typed->first]));
	typed->end = typed->first + 1;
	while (typed->end < typed->call->count &&
		goes_on(&typed->text, arg[typed->end]))
		text_add(&typed->text, "%s", arg[typed->end++]);
}

/* Points the error at a place in the text. */
static int fault_at(const struct typed *typed, size_t at, struct error *error)
{
	size_t i = typed->first;

	while (i + 1 < typed->end && at >= strlen(typed->call->arg[i]))
		at -= strlen(typed->call->arg[i++]);
	return call_fault(typed->call, i, at, error);
}

/* The sentence of unit_parse() with the part it is about in front. */
static int fault_in_range(const struct typed *typed, size_t at,
	struct error *error)
{
	char why[sizeof error->message];
	size_t column = error->column ? (size_t)error->column - 1 : 0;

	snprintf(why, sizeof why, "%s", error->message);
	error_set(error, STATUS_USAGE, "%.*sLO..HI: %.200s",
		range_at(typed->text.chars), typed->text.chars, why);
	return fault_at(typed, at + column, error);
}

/* The low end: a bare number has the unit that the high end is given in, as in
 * 5..9us. */
static int parse_low(enum unit unit, const char *word, size_t length,
	const char *high, double *low, struct error *error)
{
	size_t number = strspn(high, "0123456789.+-");
	struct text both = { 0 };
	struct error quiet;
	int failed = -1;

	if (length && strspn(word, "0123456789.+-") >= length) {
		text_add(&both, "%.*s%s", (int)length, word, high + number);
		failed = unit_parse(unit, both.chars, both.length, low, &quiet);
		text_free(&both);
	}
	return failed ? unit_parse(unit, word, length, low, error) : 0;
}

static int fault_without_unit(const struct typed *typed, size_t at,
	enum unit unit, struct error *error)
{
	const char *word = typed->text.chars + at;

	error_set(error, STATUS_USAGE,
		"%.*sLO..HI: %s has no unit: expected %s",
		range_at(typed->text.chars), typed->text.chars,
		text_quoted(word).chars, unit_expected(unit));
	return fault_at(typed, at + strlen(word), error);
}

/* LO..HI, or one number for both; a time may also be given in cycles. */
static int read_range(const struct typed *typed, size_t offset, enum unit unit,
	struct range *range, struct error *error)
{
	const char *word = typed->text.chars + offset;
	const char *dots = strstr(word, "..");
	size_t length = dots ? (size_t)(dots - word) : strlen(word);
	const char *second = dots ? dots + 2 : word;
	double per_unit = 1;
	size_t size = strlen(word);

	if (unit == UNIT_NS && size && word[size - 1] == 'c') {
		unit = UNIT_CYCLES;
		per_unit = facts_cycles_ns(lab_facts(typed->call->lab), 1);
	}
	if (parse_low(unit, word, length, second, &range->low, error))
		return fault_in_range(typed, offset, error);
	if (unit_parse(unit, second, strlen(second), &range->high, error))
		return fault_in_range(typed, offset + (size_t)(second - word),
			error);
	if (unit_is_missing(unit, second, range->high))
		return fault_without_unit(typed,
			offset + (size_t)(second - word), unit, error);
	range->low *= per_unit;
	range->high *= per_unit;
	if (range->low <= range->high)
		return 0;
	error_set(error, STATUS_USAGE,
		"%s: the low end is above the high end, expected %.*sLO..HI",
		text_quoted(typed->text.chars).chars, (int)offset,
		typed->text.chars);
	return fault_at(typed, offset, error);
}

/* `given` has what the prediction has so far: the hardware's share, the
 * software's. */
static int read_typed(const struct typed *typed, enum unit unit, bool given[2],
	struct prediction *prediction, struct error *error)
{
	const char *chars = typed->text.chars;
	int at = range_at(chars);
	bool software = *chars == 's';

	if (at < 0) {
		error_set(error, STATUS_USAGE,
			"%s is not a prediction: expected LO..HI, hw=LO..HI or "
			"sw=LO..HI",
			text_quoted(chars).chars);
		return fault_at(typed, 0, error);
	}
	if (given[software]) {
		error_set(error, STATUS_USAGE,
			"%s: the %s's share is already given; expected one "
			"range LO..HI",
			text_quoted(chars).chars,
			software ? "software" : "hardware");
		return fault_at(typed, 0, error);
	}
	given[software] = true;
	return read_range(typed, (size_t)at, unit,
		software ? &prediction->software : &prediction->hardware,
		error);
}

int read_predicted(const struct call *call, enum unit unit,
	struct prediction *prediction, struct error *error)
{
	bool given[2] = { false, false };
	int failed = 0;

	*prediction = (struct prediction){ .by = BY_USER };
	for (size_t i = 1; i < call->count && !failed;) {
		struct typed typed = { .call = call, .first = i };

		join_words(&typed);
		failed = read_typed(&typed, unit, given, prediction, error);
		i = typed.end;
		text_free(&typed.text);
	}
	if (!failed)
		prediction_sum(prediction);
	return failed;
}
