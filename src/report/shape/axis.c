/* Axis ranges, places of values, and ticks. */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "histogram.h"

enum { TICK_COLUMNS = 8, TICK_ROWS = 3 };

/* Beyond these limits differences and powers overflow or underflow. */
static const double axis_most = 1e290, axis_least = 1e-290;
/* Ticks of a narrower axis, relative to its ends, would not differ. */
static const double axis_narrowest = 1e-13;

struct axis axis_over(double low, double high, bool logarithmic, enum unit unit)
{
	if (!isfinite(low) || !isfinite(high)) {
		low = 0;
		high = 1;
	}
	low = fmin(fmax(low, -axis_most), axis_most);
	high = fmin(fmax(high, -axis_most), axis_most);
	if (!(high - low > axis_narrowest * fmax(fabs(low), fabs(high)))) {
		double some = low == 0 ? 1 : fabs(low) / 100;

		low -= some;
		high = low + 2 * some;
	}
	return (struct axis){ low, high, logarithmic && low > axis_least,
		unit };
}

double axis_place(const struct axis *axis, double value)
{
	if (!axis->logarithmic)
		return (value - axis->low) / (axis->high - axis->low);
	if (value <= 0)
		return 0;
	return log(value / axis->low) / log(axis->high / axis->low);
}

/* ---- values of ticks -------------------------------------------------- */

#define WHOLE_MOST 1e7 /* larger numbers are written as powers */

static void add_tick(struct ticks *ticks, double value, double scale,
	int decimals)
{
	if (ticks->count == AXIS_TICKS)
		return;
	char *label = ticks->list[ticks->count].label;
	size_t size = sizeof ticks->list[0].label;
	double shown = value / scale;

	ticks->list[ticks->count++].value = value;
	bool whole = shown == rint(shown) && fabs(shown) < WHOLE_MOST;
	if (decimals < 0 || fabs(shown) >= WHOLE_MOST)
		snprintf(label, size, whole ? "%.0f" : "%.4g", shown);
	else
		snprintf(label, size, "%.*f", decimals, shown + 0.0);
}

static double scale_of(const struct axis *axis, struct ticks *ticks)
{
	double scale;

	ticks->count = 0;
	ticks->unit = unit_prefix(axis->unit,
		axis->logarithmic ? sqrt(axis->low * axis->high) :
				    fmax(fabs(axis->low), fabs(axis->high)),
		&scale);
	return scale;
}

/* "4K", "1.5M": bytes on a logarithmic axis; each label has its own prefix. */
static void add_bytes(struct ticks *ticks, double value)
{
	struct text text = { 0 };

	if (ticks->count == AXIS_TICKS)
		return;
	unit_write(&text, UNIT_BYTES, value);
	ticks->list[ticks->count].value = value;
	snprintf(ticks->list[ticks->count].label, sizeof ticks->list[0].label,
		"%s", text.chars);
	ticks->count++;
	text_free(&text);
}

static void linear_ticks(const struct axis *axis, double step, double scale,
	struct ticks *ticks)
{
	double first = ceil(axis->low / step - 1e-9);
	double last = floor(axis->high / step + 1e-9);
	int decimals = (int)fmax(0, ceil(-log10(step / scale) - 1e-9));

	/* Steps of a fraction of a unit need decimals: .25 MiB needs two. */
	while (decimals < 3 &&
		fabs(remainder(step / scale * pow(10, decimals), 1)) > 1e-6)
		decimals++;
	ticks->count = 0;
	if (last - first >= AXIS_TICKS)
		return;
	for (int i = 0; i <= last - first; i++)
		add_tick(ticks, (first + i) * step, scale,
			decimals > 9 ? 9 : decimals);
}

/* The possible densities of logarithmic ticks, densest first. */
static const struct {
	double base;
	const double *within; /* multiples of each power, 0 at the end */
} densities[] = {
	{ 10, (const double[]){ 1, 2, 5, 0 } },
	{ 10, (const double[]){ 1, 3, 0 } },
	{ 10, (const double[]){ 1, 0 } },
	{ 100, (const double[]){ 1, 0 } },
	{ 1000, (const double[]){ 1, 0 } },
}, densities_two[] = {
	{ 2, (const double[]){ 1, 0 } },
	{ 4, (const double[]){ 1, 0 } },
	{ 16, (const double[]){ 1, 0 } },
	{ 64, (const double[]){ 1, 0 } },
	{ 1024, (const double[]){ 1, 0 } },
};
enum { DENSITIES = sizeof densities / sizeof *densities };

static void logarithmic_ticks(const struct axis *axis, size_t density,
	double scale, struct ticks *ticks)
{
	bool twos = axis->unit == UNIT_BYTES;
	double base =
		twos ? densities_two[density].base : densities[density].base;
	const double *within = twos ? densities_two[density].within :
				      densities[density].within;
	double power = pow(base, floor(log(axis->low) / log(base) - 1e-9));

	ticks->count = 0;
	if (twos)
		ticks->unit = "B";
	for (; power <= axis->high * (1 + 1e-9); power *= base)
		for (const double *m = within; *m > 0; m++) {
			double value = power * *m;

			if (value >= axis->low * (1 - 1e-9) &&
				value <= axis->high * (1 + 1e-9)) {
				if (twos && value >= 1)
					add_bytes(ticks, value);
				else
					add_tick(ticks, value, twos ? 1 : scale,
						-1);
			}
		}
}

static void end_ticks(const struct axis *axis, double scale,
	struct ticks *ticks)
{
	double span = (axis->high - axis->low) / scale;
	int decimals = (int)fmax(0, ceil(1 - log10(span)));

	ticks->count = 0;
	if (axis->logarithmic || decimals > 9)
		decimals = -1;
	add_tick(ticks, axis->low, scale, decimals);
	add_tick(ticks, axis->high, scale, decimals);
}

/* ---- ticks that fit --------------------------------------------------- */

int axis_cell(const struct axis *axis, double value, int cells)
{
	double place = fmin(fmax(axis_place(axis, value), -1), 2);

	return (int)lround(place * (cells - 1));
}

static bool fit_across(const struct axis *axis, const struct ticks *ticks,
	int columns)
{
	int end = -1;

	for (size_t i = 0; i < ticks->count; i++) {
		int column = axis_cell(axis, ticks->list[i].value, columns);
		int width = (int)strlen(ticks->list[i].label);

		if (column - width / 2 <= end && i)
			return false;
		end = column - width / 2 + width;
	}
	return ticks->count >= 2;
}

static bool fit_upright(const struct axis *axis, const struct ticks *ticks,
	int rows)
{
	int above = -TICK_ROWS;

	for (size_t i = 0; i < ticks->count; i++) {
		int row = axis_cell(axis, ticks->list[i].value, rows);

		if (row - above < TICK_ROWS && i)
			return false;
		above = row;
	}
	return ticks->count >= 2;
}

/* Between whole counts, such as the numbers of runs, nothing counts. */
static bool is_whole(const struct axis *axis)
{
	return axis->unit == UNIT_COUNT && axis->low == rint(axis->low) &&
		axis->high == rint(axis->high);
}

static void choose(const struct axis *axis, int cells, double most,
	bool (*fit)(const struct axis *, const struct ticks *, int),
	struct ticks *ticks)
{
	double scale = scale_of(axis, ticks);
	double span = axis->high - axis->low;

	if (axis->logarithmic && axis->high > 4 * axis->low) {
		for (size_t i = 0; i < DENSITIES; i++) {
			logarithmic_ticks(axis, i, scale, ticks);
			if (fit(axis, ticks, cells))
				return;
		}
	} else {
		double least = span / fmax(most, 1);
		bool twos = axis->unit == UNIT_BYTES;
		double step = twos ? exp2(ceil(log2(least))) : nice_step(least);

		if (is_whole(axis))
			step = fmax(step, 1);
		for (; step <= span;
			step = twos ? 2 * step : nice_step(step * 1.01)) {
			linear_ticks(axis, step, scale, ticks);
			if (fit(axis, ticks, cells))
				return;
		}
	}
	scale = scale_of(axis, ticks);
	end_ticks(axis, scale, ticks);
}

void axis_ticks(const struct axis *axis, int columns, struct ticks *ticks)
{
	choose(axis, columns, (double)columns / TICK_COLUMNS, fit_across,
		ticks);
}

void axis_ticks_upright(const struct axis *axis, int rows, struct ticks *ticks)
{
	choose(axis, rows, (double)rows / TICK_ROWS, fit_upright, ticks);
}
