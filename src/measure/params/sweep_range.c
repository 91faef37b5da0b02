/* Ranges: first..last and a step give values. Each value is computed from the
 * first one, not from the previous one, so that rounding errors do not add
 * up. */
#include "sweep_internal.h"

#include <math.h>
#include <string.h>

enum { STEPS_PER_DOUBLING_MOST = 64 };
/* A little less than the factor of 64 steps per doubling. With this limit a
 * range of whole values needs at most a few thousand steps. */
static const double least_factor = 1.01;

struct range {
	long double first, last;
	bool adds;        /* value n = first + n step */
	long double step; /* or first * step^(n / per) */
	long double per;
};

/* ---- steps ------------------------------------------------------------ */

static bool is_doubling(enum unit unit)
{
	return unit == UNIT_BYTES || unit == UNIT_NS || unit == UNIT_HZ ||
		unit == UNIT_BYTES_PER_S || unit == UNIT_BITS_PER_S ||
		unit == UNIT_QUEUE;
}

/* The value of a bare 1 in the unit: 1 % for percentages. */
static long double one_of(const struct param *row)
{
	struct error ignored;
	double one = 1;

	if (row->type == PARAM_REAL)
		unit_parse(row->unit, "1", 1, &one, &ignored);
	return one;
}

static int read_added(const struct reading *reading, struct piece piece,
	struct range *range)
{
	range->adds = true;
	if (sweep_number(reading, piece, &range->step))
		return -1;
	if (range->step <= 0)
		return sweep_refuse(reading, piece,
			"is not a step: expected more than 0");
	return 0;
}

static int read_factor(const struct reading *reading, struct piece piece,
	struct range *range)
{
	struct error ignored;
	double factor;
	int wrong = unit_parse(UNIT_NONE, piece.at, piece.length, &factor,
		&ignored);

	if (wrong || factor < least_factor)
		return sweep_refuse(reading, piece,
			"is not a factor: expected 1.01 or more, such as 2");
	range->step = factor;
	range->per = 1;
	return 0;
}

static int read_per_doubling(const struct reading *reading, struct piece piece,
	struct range *range)
{
	struct error ignored;
	int64_t per;
	int wrong = unit_parse_whole(UNIT_COUNT, piece.at, piece.length, &per,
		&ignored);

	if (wrong || per < 1 || per > STEPS_PER_DOUBLING_MOST)
		return sweep_refuse(reading, piece,
			"is not a number of steps per doubling: expected 1..%d",
			STEPS_PER_DOUBLING_MOST);
	range->step = 2;
	range->per = per;
	return 0;
}

static int read_step(const struct reading *reading, struct piece piece,
	struct range *range)
{
	if (!piece.length) {
		range->adds = !is_doubling(reading->row->unit);
		range->step = range->adds ? one_of(reading->row) : 2;
		range->per = 1;
		return 0;
	}
	struct piece value = { piece.at + 1, piece.length - 1 };
	if (piece.at[0] == '+')
		return read_added(reading, value, range);
	if (piece.at[0] == '*')
		return read_factor(reading, value, range);
	return read_per_doubling(reading, value, range);
}

/* ---- values ----------------------------------------------------------- */

/* Rounds to twelve digits, so that 0.1 + 0.2 is the 0.3 that a user would
 * type. */
static double tidied(double value)
{
	double power = 11 - floor(log10(fabs(value)));

	if (value == 0 || power < 0 || power > 300)
		return value;
	double scale = pow(10, power);
	return round(value * scale) / scale;
}

static long double nth(const struct param *row, const struct range *range,
	unsigned n)
{
	if (!n)
		return range->first;
	long double number = range->first + n * range->step;
	if (!range->adds)
		number = range->first * powl(range->step, n / range->per);
	if (row->type == PARAM_WHOLE)
		return roundl(number);
	long double near = 1e-9L * (range->adds ? range->step : range->last);
	if (fabsl(number - range->last) <= near)
		return range->last;
	return tidied((double)number);
}

static int add_all(struct reading *reading, struct piece piece,
	const struct range *range)
{
	long double steps = (range->last - range->first) / range->step;

	/* Steps too small for the precision would never reach the end. */
	if (range->adds && steps > PARAM_VALUES_MAX)
		return sweep_refuse_count(reading, piece);
	for (unsigned n = 0;; n++) {
		long double number = nth(reading->row, range, n);

		if (number > range->last)
			return 0;
		union param_value value = sweep_value(reading->row, number);
		if (sweep_add(reading, piece, value))
			return -1;
	}
}

static int add_growing(struct reading *reading, struct piece piece,
	struct range *range)
{
	if (range->first < 0)
		return sweep_refuse(reading, piece,
			"starts below 0: expected a step with +");
	/* No factor leads away from 0, so the values are 0, 1, 2, 4, .. */
	if (range->first == 0) {
		if (sweep_add(reading, piece, sweep_value(reading->row, 0)))
			return -1;
		range->first = one_of(reading->row);
	}
	return add_all(reading, piece, range);
}

/* ---- reading ---------------------------------------------------------- */

/* The length of the value before the step. The slash of MB/s does not start a
 * step. */
static size_t value_length(struct piece piece)
{
	for (size_t i = 0; i < piece.length; i++) {
		char c = piece.at[i];
		bool per_second =
			i + 1 < piece.length && piece.at[i + 1] == 's';

		if (c == '+' || c == '*' || (c == '/' && !per_second))
			return i;
	}
	return piece.length;
}

static int read_first(const struct reading *reading, struct piece piece,
	long double *number)
{
	if (piece_is(piece, "auto"))
		return sweep_refuse(reading, piece,
			"cannot be an end of a range: expected a value");
	return sweep_limited(reading, piece, number);
}

static int read_last(const struct reading *reading, struct piece piece,
	long double *number)
{
	const struct param *row = reading->row;

	if (!piece_is(piece, "auto"))
		return sweep_limited(reading, piece, number);
	if (!row->range_end)
		return sweep_refuse(reading, piece,
			"cannot be an end of a range: expected a value");
	*number = (long double)row->range_end();
	return 0;
}

static int check_direction(const struct reading *reading, struct piece piece,
	const struct range *range)
{
	const struct param *row = reading->row;
	struct text first = { 0 }, last = { 0 };

	if (range->first <= range->last)
		return 0;
	sweep_write(row, sweep_value(row, range->first), &first);
	sweep_write(row, sweep_value(row, range->last), &last);
	sweep_refuse(reading, piece,
		"descends: its start, %s, is larger than its end, %s",
		text_chars(&first), text_chars(&last));
	text_free(&first);
	text_free(&last);
	return -1;
}

int sweep_add_range(struct reading *reading, struct piece piece, size_t dots)
{
	struct range range = { 0 };
	struct piece first = { piece.at, dots };
	struct piece last = { piece.at + dots + 2, piece.length - dots - 2 };
	struct piece step = last;

	last.length = value_length(last);
	step.at += last.length;
	step.length -= last.length;
	if (read_first(reading, first, &range.first) ||
		read_last(reading, last, &range.last) ||
		check_direction(reading, piece, &range) ||
		read_step(reading, step, &range))
		return -1;
	if (range.adds)
		return add_all(reading, piece, &range);
	return add_growing(reading, piece, &range);
}
