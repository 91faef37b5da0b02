#include "predicted.h"

#include <stdio.h>
#include <string.h>

#include "lab.h"

/* One range, typed as one word or several. */
struct typed {
	const struct call *call;
	size_t first, end; /* first word, and the word after the last */
	struct text text;  /* the words joined, without blanks */
};

/* The offset of the range in its word. A range without "hw=" or "sw=" is the
 * hardware's share. -1: not a range. */
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

/* Does the range continue in the next word? */
static bool goes_on(const struct text *so_far, const char *next)
{
	char last = so_far->length ? so_far->chars[so_far->length - 1] : '=';

	if (!strncmp(next, "..", 2))
		return true;
	if (!strchr("0123456789.-", last) || strchr(next, '='))
		return false;
	return strchr(".-", last) || !strchr("0123456789", *next);
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

/* Points the error at offset `at` of the joined text. */
static int fault_at(const struct typed *typed, size_t at, struct error *error)
{
	size_t i = typed->first;

	while (i + 1 < typed->end && at >= strlen(typed->call->arg[i]))
		at -= strlen(typed->call->arg[i++]);
	return call_fault(typed->call, i, at, error);
}

/* Puts the range's name before the message of unit_parse(). */
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

/* Parses the low end. A number without a unit has the unit of the high end, as
 * in 5..9us. */
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

/* Finds a dash used as a range, as in 80-120ns, but not that of an exponent.
 * NULL: none. */
static const char *find_dash(const char *word)
{
	const char *dash = *word ? strchr(word + 1, '-') : NULL;

	while (dash && strchr("eE", dash[-1]))
		dash = strchr(dash + 1, '-');
	return dash && !strstr(word, "..") ? dash : NULL;
}

static int fault_of_dash(const struct typed *typed, size_t offset,
	const char *dash, struct error *error)
{
	const char *word = typed->text.chars + offset;

	error_set(error, STATUS_USAGE, "%s: a range is written %.*s..%.40s",
		text_quoted(word).chars, (int)(dash - word), word, dash + 1);
	return fault_at(typed, offset, error);
}

/* A time may be in cycles: 280c, 250..300c. */
static bool is_in_cycles(const char *word, enum unit unit)
{
	size_t size = strlen(word);

	return unit == UNIT_NS && size && word[size - 1] == 'c';
}

/* Reads LO..HI, or one number for both ends. */
static int read_range(const struct typed *typed, size_t offset, enum unit unit,
	struct range *range, struct error *error)
{
	const char *word = typed->text.chars + offset;
	const char *dots = strstr(word, "..");
	size_t length = dots ? (size_t)(dots - word) : strlen(word);
	const char *second = dots ? dots + 2 : word;

	if (find_dash(word))
		return fault_of_dash(typed, offset, find_dash(word), error);
	if (is_in_cycles(word, unit))
		unit = UNIT_CYCLES;
	if (parse_low(unit, word, length, second, &range->low, error))
		return fault_in_range(typed, offset, error);
	if (unit_parse(unit, second, strlen(second), &range->high, error))
		return fault_in_range(typed, offset + (size_t)(second - word),
			error);
	if (unit_is_missing(unit, second, range->high))
		return fault_without_unit(typed,
			offset + (size_t)(second - word), unit, error);
	if (range->low <= range->high)
		return 0;
	error_set(error, STATUS_USAGE,
		"%s: the low end is above the high end, expected %.*sLO..HI",
		text_quoted(typed->text.chars).chars, (int)offset,
		typed->text.chars);
	return fault_at(typed, offset, error);
}

/* Both shares must be in cycles, or neither. A share of 0 has no unit. */
static int check_cycles(const struct typed *typed, bool cycles,
	const struct range *range, struct prediction *prediction,
	struct error *error)
{
	const struct range *other = range == &prediction->hardware ?
		&prediction->software :
		&prediction->hardware;

	if (range->high == 0)
		return 0;
	if (other->high != 0 && cycles != prediction->in_cycles) {
		error_set(error, STATUS_USAGE,
			"%s: the other share is %sin cycles; expected both in "
			"cycles or neither",
			text_quoted(typed->text.chars).chars,
			cycles ? "not " : "");
		return fault_at(typed, 0, error);
	}
	prediction->in_cycles = cycles;
	return 0;
}

/* given[0]: the hardware's share has been read. given[1]: the software's. */
static int read_typed(const struct typed *typed, enum unit unit, bool given[2],
	struct prediction *prediction, struct error *error)
{
	const char *chars = typed->text.chars;
	int at = range_at(chars);
	bool software = *chars == 's';
	struct range *range =
		software ? &prediction->software : &prediction->hardware;

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
	if (read_range(typed, (size_t)at, unit, range, error))
		return -1;
	return check_cycles(typed, is_in_cycles(chars, unit), range, prediction,
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
