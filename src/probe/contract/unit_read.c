/* Parsing quantities: decimal text becomes the stored value with one rounding,
 * or without rounding if it must be whole. */
#include "unit_internal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void unit_quote(struct text *text, const char *piece, size_t length)
{
	text_add(text, "%s", text_quoted_part(piece, length).chars);
}

/* ---- any number ------------------------------------------------------- */

struct token {
	enum unit unit;
	const char *text;
	size_t length;
};

static int refuse(const struct token *token, size_t at, const char *reason,
	struct error *error)
{
	struct text quoted = { 0 };

	unit_quote(&quoted, token->text, token->length);
	error_set(error, STATUS_USAGE, "%s %s: expected %s",
		text_chars(&quoted), reason, unit_table[token->unit].expected);
	error->column = (int)at + 1;
	text_free(&quoted);
	return -1;
}

/* Reports that the rest of the token, from `at`, cannot be parsed. */
static int refuse_at(const struct token *token, size_t at, struct error *error)
{
	const struct form *form = unit_table[token->unit].forms;
	const char *rest = token->text + at;
	size_t length = token->length - at;
	struct text reason = { 0 };

	if (!token->length)
		return refuse(token, 0, "is empty", error);
	text_add(&reason, "is not valid");
	if (at)
		text_add(&reason, " from character %zu on", at + 1);
	for (; form->typed; form++)
		if (length && strlen(form->typed) == length &&
			!strncasecmp(form->typed, rest, length))
			break;
	bool two = token->unit == UNIT_NS && length == 1 && *rest == 'm';
	if (two)
		text_add(&reason, " (did you mean 'min' or 'ms'?)");
	else if (form->typed)
		text_add(&reason, " (did you mean '%s'?)", form->typed);
	refuse(token, at, text_chars(&reason), error);
	text_free(&reason);
	return -1;
}

struct number {
	bool negative;
	const char *digits; /* may contain a decimal point */
	size_t length;
	int exponent; /* of ten, as typed */
	size_t end;   /* offset in the token after the number */
};

static size_t skip_digits(const struct token *token, size_t at)
{
	while (at < token->length && token->text[at] >= '0' &&
		token->text[at] <= '9')
		at++;
	return at;
}

/* An exponent has no plus sign: that would be the step of a range. */
static void scan_exponent(const struct token *token, struct number *number)
{
	enum { EXPONENT_MOST = 9999 }; /* far beyond what a double can hold */
	const char *text = token->text;
	size_t at = number->end + 1;
	bool negative = at < token->length && text[at] == '-';
	int exponent = 0;

	if (at > token->length || (text[at - 1] != 'e' && text[at - 1] != 'E'))
		return;
	at += negative;
	size_t end = skip_digits(token, at);
	if (end == at)
		return;
	for (; at < end; at++)
		if (exponent < EXPONENT_MOST)
			exponent = exponent * 10 + (text[at] - '0');
	number->exponent = negative ? -exponent : exponent;
	number->end = end;
}

/* Returns -1 with the offset of the error in number->end. */
static int scan_number(const struct token *token, struct number *number)
{
	const char *text = token->text;
	size_t start = token->length && text[0] == '-';
	size_t end = skip_digits(token, start);

	*number = (struct number){ .negative = start, .end = start };
	number->digits = text + start;
	if (end == start)
		return -1;
	number->end = end;
	number->length = end - start;
	if (end < token->length && text[end] == '.') {
		size_t fraction_end = skip_digits(token, end + 1);
		if (fraction_end == end + 1)
			return -1;
		number->end = fraction_end;
		number->length = fraction_end - start;
	}
	scan_exponent(token, number);
	return 0;
}

static const struct form *read_token(const struct token *token,
	struct number *number, struct error *error)
{
	const struct form *form = unit_table[token->unit].forms;

	if (scan_number(token, number)) {
		refuse_at(token, number->end, error);
		return NULL;
	}
	const char *suffix = token->text + number->end;
	size_t length = token->length - number->end;
	for (; form->typed; form++)
		if (strlen(form->typed) == length &&
			!memcmp(form->typed, suffix, length))
			return form;
	refuse_at(token, number->end, error);
	return NULL;
}

int unit_parse(enum unit unit, const char *text, size_t length, double *value,
	struct error *error)
{
	const struct token token = { unit, text, length };
	struct number number;
	struct text decimal = { 0 };
	const struct form *form = read_token(&token, &number, error);

	if (!form)
		return -1;
	/* The suffix is added to the exponent, so that there is only one
	 * rounding. */
	text_add_chars(&decimal, "-", number.negative);
	text_add_chars(&decimal, number.digits, number.length);
	text_add(&decimal, "e%d", number.exponent + form->tens);
	double read = ldexp(unit_read_number(text_chars(&decimal)), form->twos);
	text_free(&decimal);
	if (form->times)
		read *= form->times;
	if (isinf(read))
		return refuse(&token, 0, "is too large", error);
	*value = read;
	return 0;
}

/* ---- whole numbers ---------------------------------------------------- */

static const char too_large[] = "is too large";
static const char not_whole[] = "is not whole";

/* The digits as one integer; *tens decreases by one for each digit after the
 * point. */
static const char *read_digits(const struct number *number,
	unsigned __int128 *wide, int *tens)
{
	const unsigned __int128 most = ~(unsigned __int128)0 / 10 - 1;
	size_t length = number->length;
	bool fraction = memchr(number->digits, '.', length);

	while (fraction && number->digits[length - 1] == '0')
		length--;
	*wide = 0;
	fraction = false;
	for (size_t i = 0; i < length; i++) {
		char c = number->digits[i];

		if (c == '.') {
			fraction = true;
			continue;
		}
		if (*wide > most)
			return fraction ? not_whole : too_large;
		*wide = *wide * 10 + (unsigned)(c - '0');
		*tens -= fraction;
	}
	return NULL;
}

/* Multiplies by factor^power. A division must not leave a remainder. */
static const char *scale_whole(unsigned __int128 *wide, unsigned factor,
	int power)
{
	for (; power < 0; power++) {
		if (*wide % factor)
			return not_whole;
		*wide /= factor;
	}
	for (; power > 0; power--) {
		if (*wide > INT64_MAX)
			return too_large;
		*wide *= factor;
	}
	return NULL;
}

static const char *whole_of(const struct number *number,
	const struct form *form, int64_t *value)
{
	unsigned __int128 wide;
	int tens = number->exponent + form->tens;
	const char *wrong = read_digits(number, &wide, &tens);

	if (!wrong && wide && form->times)
		wrong = scale_whole(&wide, (unsigned)form->times, 1);
	if (!wrong && wide)
		wrong = scale_whole(&wide, 5, tens);
	if (!wrong && wide)
		wrong = scale_whole(&wide, 2, tens + form->twos);
	if (wrong)
		return wrong;
	if (wide > (uint64_t)INT64_MAX + number->negative)
		return too_large;
	*value = (int64_t)(number->negative ? -(uint64_t)wide : (uint64_t)wide);
	return NULL;
}

int unit_parse_whole(enum unit unit, const char *text, size_t length,
	int64_t *value, struct error *error)
{
	const struct token token = { unit, text, length };
	struct number number;
	const struct form *form = read_token(&token, &number, error);

	if (!form)
		return -1;
	const char *wrong = whole_of(&number, form, value);
	return wrong ? refuse(&token, 0, wrong, error) : 0;
}

bool unit_is_bare(enum unit unit, const char *word, size_t length)
{
	return (unit == UNIT_NS || unit == UNIT_PERCENT) && length &&
		strchr("0123456789", word[length - 1]);
}

bool unit_is_missing(enum unit unit, const char *word, double value)
{
	size_t length = strlen(word);

	if (unit != UNIT_BYTES_PER_S && unit != UNIT_BITS_PER_S &&
		unit != UNIT_HZ)
		return false;
	return value != 0 && strchr("0123456789", word[length - 1]);
}
