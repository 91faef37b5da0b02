/* The digits of a figure, and its quality. */
#include "figure.h"

#include <math.h>

#include "digest.h"
#include "quality.h"

enum { SIGNIFICANT = 3, DECIMALS_MOST = 9 };

/* The number of decimals; both arguments are in the displayed unit. */
static int decimals_of(double value, double width)
{
	/* 9.996 becomes 10.0, one digit less than 9.99. */
	static const double rounds_up = 1 + .5 / 999.5;
	double least = value != 0 ?
		SIGNIFICANT - 1 - floor(log10(fabs(value) * rounds_up)) : 0;
	double wanted = width > 0 ? fmax(least, ceil(-log10(width))) : least;

	if (value == rint(value) && !(width > 0))
		return 0;
	return (int)fmin(fmax(wanted, 0), DECIMALS_MOST);
}

static void add_number(struct text *text, double value, double like,
	double width, double scale)
{
	text_add(text, "%.*f", decimals_of(like / scale, width / scale),
		value / scale);
}

void figure_add(struct text *text, enum unit unit, double value, double width)
{
	double scale;

	if (!isfinite(value)) {
		text_add_char(text, '-');
		return;
	}
	const char *prefix = unit_prefix(unit, value, &scale);
	add_number(text, value, value, width, scale);
	text_add(text, "%s%s", *prefix ? " " : "", prefix);
}

void figure_add_like(struct text *text, enum unit unit, double value,
	double like, double width)
{
	double scale;

	unit_prefix(unit, like, &scale);
	if (isfinite(value) && fabs(value) < 1e4 * scale)
		add_number(text, value, like, width, scale);
	else
		figure_add(text, unit, value, 0);
}

void figure_number(struct text *text, enum unit unit, double value,
	double like)
{
	double scale;

	unit_prefix(unit, like, &scale);
	add_number(text, value, value, 0, scale);
}

static double width_of(const struct summary *summary)
{
	return summary->has_interval ?
		summary->interval.high - summary->interval.low :
		0;
}

void figure_median(struct text *text, enum unit unit,
	const struct digest *digest)
{
	if (digest->summary.trials) {
		figure_add(text, unit, digest->headline,
			width_of(&digest->summary));
		return;
	}
	text_add_char(text, '~');
	figure_add(text, unit, digest->median_all, 0);
}

void figure_interval(struct text *text, enum unit unit,
	const struct summary *summary)
{
	double width = width_of(summary), scale;

	if (!summary->has_interval)
		return;
	unit_prefix(unit, summary->median, &scale);
	text_add_char(text, '[');
	add_number(text, summary->interval.low, summary->median, width, scale);
	text_add(text, " .. ");
	add_number(text, summary->interval.high, summary->median, width,
		scale);
	text_add(text, "] 95 %%");
}

void figure_half(struct text *text, double half)
{
	double percent = half * 100;

	if (!isfinite(percent))
		return;
	if (percent > 0 && percent < .1)
		text_add(text, "+-<0.1 %%");
	else
		text_add(text, "+-%.*f %%", percent > 0 && percent < 9.95,
			percent);
}

void figure_count(struct text *text, double count)
{
	struct text digits = { 0 };

	text_add(&digits, "%.0f", count);
	for (size_t i = 0; i < digits.length; i++) {
		if (i && (digits.length - i) % 3 == 0 &&
			digits.chars[i - 1] != '-')
			text_add_char(text, ' ');
		text_add_char(text, digits.chars[i]);
	}
	text_free(&digits);
}

void figure_cycles(struct text *text, double cycles)
{
	if (fabs(cycles) < 99.95)
		text_add(text, "%.1f", cycles);
	else
		figure_count(text, cycles);
}

void figure_share(struct text *text, double share)
{
	if (share > 0 && share < .005)
		text_add(text, "<1 %%");
	else if (share < 1 && share > .995)
		text_add(text, ">99 %%");
	else
		text_add(text, "%.0f %%", share * 100);
}

/* ---- quality ---------------------------------------------------------- */

static bool is_below_resolution(const struct digest *digest)
{
	return digest->below_resolution &&
		digest->quality != QUALITY_NOT_ENOUGH;
}

enum text_style figure_quality(struct text *text, const struct point *point,
	const struct digest *digest)
{
	static const enum text_style styles[QUALITIES] = {
		[QUALITY_GOOD] = STYLE_GOOD,
		[QUALITY_ROUGH] = STYLE_ROUGH,
		[QUALITY_SHARED_CORE] = STYLE_DOUBT,
		[QUALITY_NOT_ENOUGH] = STYLE_DOUBT,
	};

	if (point->state == POINT_INVALID) {
		text_add(text, "invalid");
		return STYLE_DOUBT;
	}
	if (!digest->summary.trials) {
		text_add(text, "all trials excluded");
		return STYLE_DOUBT;
	}
	if (is_below_resolution(digest)) {
		text_add(text, "below resolution");
		return STYLE_ROUGH;
	}
	text_add(text, "%s", quality_word(digest->quality));
	return styles[digest->quality];
}

void figure_precision(struct text *text, const struct point *point,
	const struct digest *digest)
{
	double half = digest_half(digest);

	if (point->state == POINT_INVALID || !digest->summary.trials ||
		is_below_resolution(digest) || !(half > 0))
		return;
	figure_half(text, half);
	if (digest->by_cycles)
		text_add(text, " in cycles");
}

enum text_style figure_verdict(struct text *text, const struct point *point,
	const struct digest *digest)
{
	struct text precision = { 0 };
	enum text_style style = figure_quality(text, point, digest);

	figure_precision(&precision, point, digest);
	if (precision.length)
		text_add(text, ", %s", precision.chars);
	text_free(&precision);
	return style;
}
