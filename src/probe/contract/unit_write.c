/* Formatting quantities: exactly, as a user would type them, and rounded, for
 * reading. */
#include "unit_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---------------------------------------------------------- */

/* d.ddd * 10^exponent, with the fewest digits that identify the number. */
struct decimal {
	bool negative;
	char digits[24];
	int count;
	int exponent;
};

static void drop_zeros(struct decimal *decimal)
{
	while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

static struct decimal decimal_of_whole(int64_t value)
{
	struct decimal decimal = { .negative = value < 0 };
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

	decimal.count = snprintf(decimal.digits, sizeof decimal.digits,
		"%" PRIu64, size);
	decimal.exponent = decimal.count - 1;
	drop_zeros(&decimal);
	return decimal;
}

static struct decimal decimal_of(double value)
{
	struct decimal decimal = { .negative = value < 0 };
	char out[PRINT_SIZE];
	double size = fabs(value);

	for (int decimals = 14; decimals <= 16; decimals++) {
		decimal.exponent = unit_print_scientific(out, decimals, size);
		decimal.count = decimals + 1;
		if (unit_read_number(out) == size)
			break;
	}
	decimal.digits[0] = out[0];
	memcpy(decimal.digits + 1, out + 2, (size_t)decimal.count - 1);
	drop_zeros(&decimal);
	return decimal;
}

/* Writes the number times 10^-tens. */
static void add_decimal(struct text *text, const struct decimal *decimal,
	int tens)
{
	enum { PLAIN_LEAST = -5, PLAIN_MOST = 20 };
	const char *digits = decimal->digits;
	bool zero = digits[0] == '0';
	int exponent = zero ? 0 : decimal->exponent - tens;
	bool plain = exponent >= PLAIN_LEAST && exponent <= PLAIN_MOST;
	int before = plain ? exponent + 1 : 1; /* digits before the point */

	text_add_chars(text, "-", decimal->negative);
	if (before <= 0) {
		text_add(text, "0.");
		text_pad(text, '0', (size_t)-before);
	}
	for (int i = 0; i < decimal->count; i++) {
		if (i && i == before)
			text_add_char(text, '.');
		text_add_char(text, digits[i]);
	}
	if (before > decimal->count)
		text_pad(text, '0', (size_t)(before - decimal->count));
	if (!plain)
		text_add(text, "e%d", exponent);
}

/* Writes the shortest decimal form; of two equally short forms, the smaller
 * unit. A number below 1 is not used: 0.1s is shorter than 100ms, but harder to
 * read. */
static void write_decimal(struct text *text, enum unit unit,
	const struct decimal *decimal)
{
	const struct form *form = unit_table[unit].forms;
	struct text best = { 0 };

	add_decimal(&best, decimal, form->tens);
	text_add(&best, "%s", form->typed);
	for (form++; form->shown; form++) {
		struct text other = { 0 };

		if (form->twos || decimal->exponent < form->tens)
			continue;
		add_decimal(&other, decimal, form->tens);
		text_add(&other, "%s", form->typed);
		if (other.length < best.length) {
			struct text longer = best;
			best = other;
			other = longer;
		}
		text_free(&other);
	}
	text_add_chars(text, best.chars, best.length);
	text_free(&best);
}

void unit_write_whole(struct text *text, enum unit unit, int64_t value)
{
	const struct form *form = unit_table[unit].forms;
	const struct form *largest = form;

	for (; value && form->shown; form++)
		if (form->twos && value % (INT64_C(1) << form->twos) == 0)
			largest = form;
	struct decimal decimal =
		decimal_of_whole(value / (INT64_C(1) << largest->twos));
	if (!largest->twos) {
		write_decimal(text, unit, &decimal);
		return;
	}
	add_decimal(text, &decimal, 0);
	text_add(text, "%s", largest->typed);
}

void unit_write(struct text *text, enum unit unit, double value)
{
	if (!isfinite(value)) {
		text_add_char(text, '-');
		return;
	}
	if (value == rint(value) && fabs(value) < 0x1p63) {
		unit_write_whole(text, unit, (int64_t)value);
		return;
	}
	struct decimal decimal = decimal_of(value);
	write_decimal(text, unit, &decimal);
}

/* ---- showing ---------------------------------------------------------- */

static double form_scale(const struct form *form)
{
	return ldexp(pow(10, form->tens), form->twos);
}

/* The largest form for which the number, as rounded for display, is at least
 * 1. */
static const struct form *fitting_form(enum unit unit, double like)
{
	const struct form *form = unit_table[unit].forms;
	const struct form *fitting = form;
	double least = 1 - 0.5 * pow(10, -unit_table[unit].digits);

	if (!isfinite(like))
		return fitting;
	for (form++; form->shown; form++)
		if (fabs(like) / form_scale(form) >= least)
			fitting = form;
	return fitting;
}

const char *unit_prefix(enum unit unit, double like, double *scale)
{
	const struct form *form = fitting_form(unit, like);

	*scale = form_scale(form);
	return form->shown;
}

static void show_number(struct text *text, double value, int digits)
{
	enum { PLAIN_LEAST = -5, PLAIN_MOST = 15 };
	char out[PRINT_SIZE];
	int exponent = unit_print_scientific(out, digits - 1, value);

	if (exponent >= PLAIN_LEAST && exponent <= PLAIN_MOST) {
		int decimals = digits - 1 - exponent;
		unit_print_fixed(out, decimals > 0 ? decimals : 0, value);
	}
	text_add(text, "%s", out);
}

static const char *show(struct text *text, enum unit unit, double value,
	double like, int digits)
{
	const struct unit_row *row = &unit_table[unit];
	double scale;

	if (!isfinite(value)) {
		text_add_char(text, '-');
		return text_chars(text);
	}
	const char *prefix = unit_prefix(unit,
		isfinite(like) && like != 0 ? like : value, &scale);
	bool smallest = prefix == row->forms[0].shown;
	bool whole = row->whole && smallest && value == rint(value);
	if (value == 0)
		text_add_char(text, '0');
	else if (whole && fabs(value) < 1e15)
		text_add(text, "%.0f", value);
	else
		show_number(text, value / scale, digits);
	if (prefix[0])
		text_add(text, " %s", prefix);
	return text_chars(text);
}

const char *unit_show_like(struct text *text, enum unit unit, double value,
	double like)
{
	return show(text, unit, value, like, unit_table[unit].digits);
}

const char *unit_show_beside(struct text *text, enum unit unit, double value,
	double like)
{
	bool tiny = value != 0 && fabs(value) < fabs(like) * 1e-4;

	return unit_show_like(text, unit, value, tiny ? value : like);
}

const char *unit_show(struct text *text, enum unit unit, double value)
{
	return unit_show_like(text, unit, value, value);
}

/* Significant digits of a value so that two digits of `width` are visible. */
static int digits_within(double value, double width, int least)
{
	enum { MOST = 13 };
	double digits = ceil(log10(fabs(value / width))) + 2;

	if (!(width > 0) || !isfinite(digits) || digits < least)
		return least;
	return digits > MOST ? MOST : (int)digits;
}

const char *unit_show_within(struct text *text, enum unit unit, double value,
	double width)
{
	return show(text, unit, value, value,
		digits_within(value, width, unit_table[unit].digits));
}

void unit_show_interval(struct text *text, enum unit unit, double low,
	double high, double like)
{
	int digits = digits_within(fmax(fabs(low), fabs(high)), high - low,
		unit_table[unit].digits);
	double scale;

	unit_prefix(unit, like, &scale);
	text_add_char(text, '[');
	show_number(text, low / scale, digits);
	text_add(text, ", ");
	show_number(text, high / scale, digits);
	text_add_char(text, ']');
}
