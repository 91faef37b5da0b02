/*
 * A range of values as a line of characters, with the place of an interval on
 * it.
 *
 *     0.7 ────── 1 ────── 1.4     the head
 *              ──█──              an interval on it
 *
 * The axis is logarithmic. It uses box-drawing and block characters, or ASCII.
 */
#ifndef BENCHTOP_TEXT_AXIS_H
#define BENCHTOP_TEXT_AXIS_H

#include "text.h"
#include "text_layout.h"
#include "unit.h"

struct text_axis {
	double low, high; /* the values of the first and the last column */
	int columns;
	bool utf8;
};

struct axis_mark {
	double low, centre, high; /* low and high may be NaN */
};

/* An axis for ratios from low to high: round ends, at about the same distance
 * from 1 on both sides. */
struct text_axis text_axis_ratios(double low, double high, int columns,
	bool utf8);
/* An axis for figures from low to high: ends of two digits in the unit that
 * fits. */
struct text_axis text_axis_figures(double low, double high, enum unit,
	int columns, bool utf8);
/* The head of a figure axis: "84 ------- 96 ns". */
void text_axis_figures_head(const struct text_axis *, enum unit,
	struct text *);
/* The head of a ratio axis: both ends, and 1 if there is room, in `columns`
 * columns. */
void text_axis_head(const struct text_axis *, struct text *);
/* Adds an interval on blanks, and 1 as a vertical line, in all columns. */
void text_axis_interval(const struct text_axis *, const struct axis_mark *,
	struct text *);
/* Ends and interval in one line: "0.8 ─────█──┼─────── 1.2". */
void text_axis_line(const struct text_axis *, const struct axis_mark *,
	struct text *);
/* A value on blanks, without trailing blanks. < and > mean beyond an end. */
void text_axis_point(const struct text_axis *, double value, struct text *);

#endif
