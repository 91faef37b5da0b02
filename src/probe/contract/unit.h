/*
 * Quantities: reading what people write, writing what people read.
 *
 * Bytes take K, M, G, T = powers of 1024 (4K, 1.5M, 512), also as k, KB, KiB;
 * times take ns, us, ms, s, min, and no m, which would be one of two; rates
 * take bit, Kbit, Mbit, Gbit = powers of 1000, also as Mbit/s and Mbps, and are
 * never bytes; frequencies take Hz, KHz, MHz, GHz; cycles take c; parts take %;
 * packets take p; a queue takes either p or what bytes take. Decimal point
 * only, whatever the locale. A quantity is read whole or not at all: "4Kx" is
 * an error, not 4 KiB.
 *
 * Text is turned into values, and values into text, by decimal shifts: what
 * was typed is rounded once, to the nearest double, and never if it is whole.
 */
#ifndef BENCHTOP_UNIT_H
#define BENCHTOP_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

/* What a number means. Parameters are stored in the unit named first. */
enum unit {
	UNIT_NONE,   /* a plain number */
	UNIT_COUNT,  /* whole things: 0, 1, 2 ..; counts of a sweep add one */
	UNIT_BYTES,  /* bytes */
	UNIT_NS,     /* time, in nanoseconds */
	UNIT_CYCLES, /* core cycles, never counter ticks */
	UNIT_TICKS,  /* of the clock's counter */
	UNIT_HZ,     /* 1/s */
	UNIT_BYTES_PER_S,
	UNIT_BITS_PER_S,
	UNIT_PERCENT, /* 1 % is stored as 0.01 */
	UNIT_PPM,     /* 1 ppm is stored as 1 */
	UNIT_PACKETS,
	UNIT_QUEUE,  /* bytes, or packets: multiples of UNIT_QUEUE_PACKETS */
	UNIT_COUNTS, /* how many are known: the number of units */
};

/* What a queue of one packet is stored as: more than any queue of bytes. */
#define UNIT_QUEUE_PACKETS (INT64_C(1) << 40)

/* The word JSON and CSV use: "ns", "bytes", "bit/s", .. ; "" for none. It
 * names what is stored: for a percentage, "fraction". */
const char *unit_name(enum unit);
/* What can be typed, as errors say it: "a time, such as 80ns, 1.5us, .." */
const char *unit_expected(enum unit);
/* The unit of such a word, or UNIT_NONE. */
enum unit unit_named(const char *name);

/* Reads the whole of text[0..length). *value is in the stored unit; a bare
 * number is bytes, ns, Hz, .. as stored, and for a percentage 1 means 1 %.
 * A minus is understood, a plus never; an exponent is written 1e9 or 1e-9.
 * On error, *error says what the text was, at which character it went wrong
 * and which forms are understood; its column is set. */
int unit_parse(enum unit, const char *text, size_t length, double *value,
	struct error *);
/* The same, for a value that must be whole and fit an int64_t. */
int unit_parse_whole(enum unit, const char *text, size_t length, int64_t *value,
	struct error *);
/* Was a word that unit_parse() has read as `value` meant otherwise? A bare
 * number is in the unit that is stored: ns is what a time is meant in, but
 * nobody means 2 bytes a second, or 2 Hz, by 2. 0 needs no unit. */
bool unit_is_missing(enum unit, const char *word, double value);

/* Is it a time that ends in a digit? Of a setting that is an oversight: 10 of
 * `budget=10` is not meant to be 10 ns. */
bool unit_is_bare_time(enum unit, const char *word, size_t length);

/* The shortest text that unit_parse() reads back exactly: 8M, 40ms, 1.5us.
 * Bytes take a suffix only where it leaves a whole number (1536, not 1.5K), and
 * no suffix leaves less than 1 (100ms, not 0.1s). NaN and infinities, which
 * cannot be typed, become "-". */
void unit_write(struct text *, enum unit, double value);
void unit_write_whole(struct text *, enum unit, int64_t value);

/* For people: four significant digits and the fitting prefix, "102.7 ns",
 * "1.783 us", "8.000 MiB", "31.80 GB/s" (10^9), "2.700 GHz"; three digits of a
 * percentage, "1.23 %"; whole things plain, "512 B", "40 ticks". Zero is
 * "0 ns"; NaN and infinities are "-". */
const char *unit_show(struct text *, enum unit, double value);
/* The same with the prefix that fits `like`, so that columns agree. All
 * return the text's characters, for use in a sentence. */
const char *unit_show_like(struct text *, enum unit, double value, double like);
/* The same for figures in a row, where what is nothing beside `like`, less than
 * a ten-thousandth, has its own prefix: 4 Hz, and not 4e-09 GHz. */
const char *unit_show_beside(struct text *, enum unit, double value,
	double like);
/* The same with as many digits as a figure deserves whose uncertainty is
 * `width`: two digits of it are shown, four significant ones at least. */
const char *unit_show_within(struct text *, enum unit, double value,
	double width);
/* "[77.536, 77.615]", so many digits that the ends differ; without a unit, in
 * that which fits `like`. */
void unit_show_interval(struct text *, enum unit, double low, double high,
	double like);
/* What unit_show() puts after the number for a value, "us", "MiB", and by
 * what it divides. */
const char *unit_prefix(enum unit, double like, double *scale);

/* Adds a piece of what was typed as an error quotes it: in quotes, safe for a
 * terminal, cut where it is long. */
void unit_quote(struct text *, const char *piece, size_t length);

#endif
