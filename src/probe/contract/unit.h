/*
 * Quantities: parsing what users type, formatting what users read.
 *
 * Bytes: K, M, G, T = powers of 1024 (4K, 1.5M, 512), also k, KB, KiB. Times:
 * ns, us, ms, s, min; m is rejected, because it would be ambiguous. Rates: bit,
 * Kbit, Mbit, Gbit = powers of 1000, also Mbit/s and Mbps, never bytes.
 * Frequencies: Hz, KHz, MHz, GHz. Cycles: c. Percentages: %. Packets: p. A
 * queue: p or the forms of bytes. The decimal separator is a point in every
 * locale. A quantity must parse completely: "4Kx" is an error, not 4 KiB.
 *
 * Conversions between text and values are decimal shifts. Typed text is rounded
 * once, to the nearest double; a whole number is never rounded.
 */
#ifndef BENCHTOP_UNIT_H
#define BENCHTOP_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

/* The unit of a number. Parameters are stored in the unit named here. */
enum unit {
	UNIT_NONE,   /* a plain number */
	UNIT_COUNT,  /* integers: 0, 1, 2 ..; a range of counts has step 1 */
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
	UNIT_COUNTS, /* number of units */
};

/* The stored value of a queue of one packet: more than any queue in bytes. */
#define UNIT_QUEUE_PACKETS (INT64_C(1) << 40)

/* The unit's name in JSON and CSV: "ns", "bytes", "bit/s", .. ; "" for none. It
 * names the stored unit: for a percentage, "fraction". */
const char *unit_name(enum unit);
/* The accepted forms, for errors: "a time, such as 80ns, 1.5us, .." */
const char *unit_expected(enum unit);
/* The unit of that name, or UNIT_NONE. */
enum unit unit_named(const char *name);

/* Parses the whole of text[0..length). *value is in the stored unit. A bare
 * number is in the stored unit (bytes, ns, Hz), except that 1 means 1 % for a
 * percentage. A minus sign is accepted, a plus sign never; an exponent is
 * written 1e9 or 1e-9. Returns 0 or -1. The error quotes the text, the
 * character at which it is wrong and the accepted forms; its column is set. */
int unit_parse(enum unit, const char *text, size_t length, double *value,
	struct error *);
/* The same for a value that must be whole and fit an int64_t. */
int unit_parse_whole(enum unit, const char *text, size_t length, int64_t *value,
	struct error *);
/* True if a word that unit_parse() read as `value` lacks a unit. A bare number
 * is in the stored unit. Users mean ns by a bare time, but hardly 2 bytes per
 * second, or 2 Hz, by 2. 0 needs no unit. */
bool unit_is_missing(enum unit, const char *word, double value);

/* True if the word is a time or a percentage that ends in a digit. In a setting
 * that is probably an oversight: `budget=10` is not meant to be 10 ns, and
 * `precision=5` may be 5 % or a factor. */
bool unit_is_bare(enum unit, const char *word, size_t length);

/* Adds the shortest text that unit_parse() reads back exactly: 8M, 40ms, 1.5us.
 * Bytes have a suffix only if the number before it is whole (1536, not 1.5K).
 * The number before a suffix is at least 1 (100ms, not 0.1s). NaN and
 * infinities, which cannot be typed, become "-". */
void unit_write(struct text *, enum unit, double value);
void unit_write_whole(struct text *, enum unit, int64_t value);

/* Adds the value for users: four significant digits and a suitable prefix,
 * "102.7 ns", "1.783 us", "8.000 MiB", "31.80 GB/s" (10^9), "2.700 GHz".
 * Percentages have three digits, "1.23 %". Integers are shown in full, "512 B",
 * "40 ticks". Zero is "0 ns"; NaN and infinities are "-". All unit_show
 * functions that return a string return the text's characters, for use in a
 * sentence. */
const char *unit_show(struct text *, enum unit, double value);
/* The same with the prefix that suits `like`, for columns with one prefix. */
const char *unit_show_like(struct text *, enum unit, double value, double like);
/* The same for figures in a row. A value below a ten-thousandth of `like` has
 * its own prefix: 4 Hz, not 4e-09 GHz. */
const char *unit_show_beside(struct text *, enum unit, double value,
	double like);
/* The same with digits chosen by `width`, the uncertainty: two digits of the
 * uncertainty are visible, and at least four significant digits. */
const char *unit_show_within(struct text *, enum unit, double value,
	double width);
/* Adds "[77.536, 77.615]", with enough digits that the ends differ; without a
 * unit, scaled by the prefix that suits `like`. */
void unit_show_interval(struct text *, enum unit, double low, double high,
	double like);
/* The text that unit_show() puts after the number, "us", "MiB", and the
 * divisor. */
const char *unit_prefix(enum unit, double like, double *scale);

/* Adds a part of a user's input for quotation in an error: in quotes, safe for
 * a terminal, shortened if it is long. */
void unit_quote(struct text *, const char *piece, size_t length);

#endif
