/* Converts values to places on a slider and back. */
#include "slide.h"

#include <math.h>

enum scale { LINEAR, LOGARITHMIC, LOGARITHMIC_FROM_0 };

static enum scale scale_of(const struct param *row)
{
	enum { WIDE_RANGE = 100 };

	if (row->min > 0 && row->max / row->min > WIDE_RANGE)
		return LOGARITHMIC;
	return row->min == 0 && row->max > WIDE_RANGE ? LOGARITHMIC_FROM_0 :
							LINEAR;
}

double slide_place(const struct param *row, double value)
{
	double low = row->min, high = row->max;

	if (high <= low)
		return 0;
	switch (scale_of(row)) {
	case LOGARITHMIC:
		return log(fmax(value, low) / low) / log(high / low);
	case LOGARITHMIC_FROM_0:
		return log1p(value) / log1p(high);
	case LINEAR:
		break;
	}
	return (value - low) / (high - low);
}

/* Rounds to two digits, bytes to a power of two. */
static double rounded(const struct param *row, double value)
{
	if (value < 1 && row->type == PARAM_WHOLE)
		return rint(value);
	if (value <= 0)
		return value;
	if (row->unit == UNIT_BYTES)
		return exp2(rint(log2(value)));
	double step = pow(10, floor(log10(value)) - 1);
	value = rint(value / step) * step;
	return row->type == PARAM_WHOLE ? rint(value) : value;
}

double slide_value(const struct param *row, double place)
{
	double low = row->min, high = row->max;
	double value = low + place * (high - low);

	if (place <= 0 || place >= 1)
		return place <= 0 ? low : high;
	enum scale scale = scale_of(row);
	if (scale == LOGARITHMIC)
		value = low * pow(high / low, place);
	if (scale == LOGARITHMIC_FROM_0)
		value = expm1(place * log1p(high));
	return fmin(fmax(rounded(row, value), low), high);
}
