/* The table of quantities, with their typed and shown forms. */
#include "unit.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_internal.h"

const struct unit_row unit_table[UNIT_COUNTS] = {
	[UNIT_NONE] = {
		"", "a number, such as 12 or 0.5",
		4, false,
		{
			{ "", "", 0, 0, 0 },
		},
	},
	[UNIT_COUNT] = {
		"count", "a whole number, such as 0, 1 or 100",
		4, true,
		{
			{ "", "", 0, 0, 0 },
		},
	},
	[UNIT_BYTES] = {
		"bytes", "bytes, such as 512, 4K or 1.5M",
		4, true,
		{
			{ "", "B", 0, 0, 0 },
			{ "K", "KiB", 0, 10, 0 },
			{ "M", "MiB", 0, 20, 0 },
			{ "G", "GiB", 0, 30, 0 },
			{ "T", "TiB", 0, 40, 0 },
			{ "B", NULL, 0, 0, 0 },
			{ "KiB", NULL, 0, 10, 0 },
			{ "MiB", NULL, 0, 20, 0 },
			{ "GiB", NULL, 0, 30, 0 },
			{ "TiB", NULL, 0, 40, 0 },
			{ "k", NULL, 0, 10, 0 },
			{ "m", NULL, 0, 20, 0 },
			{ "g", NULL, 0, 30, 0 },
			{ "t", NULL, 0, 40, 0 },
			{ "KB", NULL, 0, 10, 0 },
			{ "kB", NULL, 0, 10, 0 },
			{ "MB", NULL, 0, 20, 0 },
			{ "GB", NULL, 0, 30, 0 },
			{ "TB", NULL, 0, 40, 0 },
		},
	},
	[UNIT_NS] = {
		"ns", "a time, such as 80ns, 1.5us, 40ms or 10s",
		4, false,
		{
			{ "ns", "ns", 0, 0, 0 },
			{ "us", "us", 3, 0, 0 },
			{ "ms", "ms", 6, 0, 0 },
			{ "s", "s", 9, 0, 0 },
			{ "min", NULL, 10, 0, 6 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_CYCLES] = {
		"cycles", "cycles, such as 300c",
		4, false,
		{
			{ "c", "cyc", 0, 0, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_TICKS] = {
		"ticks", "ticks, such as 300",
		4, true,
		{
			{ "", "ticks", 0, 0, 0 },
		},
	},
	[UNIT_HZ] = {
		"Hz", "a frequency, such as 50Hz, 100KHz or 2.5GHz",
		4, false,
		{
			{ "Hz", "Hz", 0, 0, 0 },
			{ "KHz", "kHz", 3, 0, 0 },
			{ "MHz", "MHz", 6, 0, 0 },
			{ "GHz", "GHz", 9, 0, 0 },
			{ "kHz", NULL, 3, 0, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_BYTES_PER_S] = {
		"bytes/s", "bytes per second, such as 500MB/s or 30GB/s",
		4, false,
		{
			{ "B/s", "B/s", 0, 0, 0 },
			{ "KB/s", "KB/s", 3, 0, 0 },
			{ "MB/s", "MB/s", 6, 0, 0 },
			{ "GB/s", "GB/s", 9, 0, 0 },
			{ "TB/s", "TB/s", 12, 0, 0 },
			{ "KiB/s", NULL, 0, 10, 0 },
			{ "MiB/s", NULL, 0, 20, 0 },
			{ "GiB/s", NULL, 0, 30, 0 },
			{ "TiB/s", NULL, 0, 40, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_BITS_PER_S] = {
		"bit/s", "a rate, such as 64Kbit, 20Mbit or 1Gbit",
		4, false,
		{
			{ "bit", "bit/s", 0, 0, 0 },
			{ "Kbit", "Kbit/s", 3, 0, 0 },
			{ "Mbit", "Mbit/s", 6, 0, 0 },
			{ "Gbit", "Gbit/s", 9, 0, 0 },
			{ "bit/s", NULL, 0, 0, 0 },
			{ "Kbit/s", NULL, 3, 0, 0 },
			{ "Mbit/s", NULL, 6, 0, 0 },
			{ "Gbit/s", NULL, 9, 0, 0 },
			{ "kbit", NULL, 3, 0, 0 },
			{ "kbit/s", NULL, 3, 0, 0 },
			{ "bps", NULL, 0, 0, 0 },
			{ "Kbps", NULL, 3, 0, 0 },
			{ "kbps", NULL, 3, 0, 0 },
			{ "Mbps", NULL, 6, 0, 0 },
			{ "Gbps", NULL, 9, 0, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_PERCENT] = {
		"fraction", "a percentage, such as 1% or 0.1%",
		3, false,
		{
			{ "%", "%", -2, 0, 0 },
			{ "", NULL, -2, 0, 0 },
		},
	},
	[UNIT_PPM] = {
		"ppm", "parts per million, such as 40ppm",
		4, false,
		{
			{ "ppm", "ppm", 0, 0, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_PACKETS] = {
		"packets", "packets, such as 80p",
		4, true,
		{
			{ "p", "packets", 0, 0, 0 },
			{ "", NULL, 0, 0, 0 },
		},
	},
	[UNIT_QUEUE] = {
		"queue", "packets or bytes, such as 80p or 64K",
		2, true,
		{
			{ "", "B", 0, 0, 0 },
			{ "K", "KiB", 0, 10, 0 },
			{ "M", "MiB", 0, 20, 0 },
			{ "G", "GiB", 0, 30, 0 },
			{ "p", "packets", 0, 40, 0 },
			{ "k", NULL, 0, 10, 0 },
			{ "KB", NULL, 0, 10, 0 },
			{ "KiB", NULL, 0, 10, 0 },
			{ "m", NULL, 0, 20, 0 },
			{ "MB", NULL, 0, 20, 0 },
			{ "MiB", NULL, 0, 20, 0 },
		},
	},
};

const char *unit_name(enum unit unit)
{
	return unit_table[unit].name;
}

const char *unit_expected(enum unit unit)
{
	return unit_table[unit].expected;
}

enum unit unit_named(const char *name)
{
	for (int i = 0; i < UNIT_COUNTS; i++)
		if (!strcmp(unit_table[i].name, name))
			return (enum unit)i;
	return UNIT_NONE;
}

static locale_t c_locale(void)
{
	static locale_t made;

	if (!made)
		made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return made;
}

void unit_print_fixed(char out[PRINT_SIZE], int decimals, double value)
{
	locale_t before = uselocale(c_locale());

	snprintf(out, PRINT_SIZE, "%.*f", decimals, value);
	uselocale(before);
}

int unit_print_scientific(char out[PRINT_SIZE], int decimals, double value)
{
	locale_t before = uselocale(c_locale());

	snprintf(out, PRINT_SIZE, "%.*e", decimals, value);
	uselocale(before);
	return (int)strtol(strchr(out, 'e') + 1, NULL, 10);
}

double unit_read_number(const char *text)
{
	return strtod_l(text, NULL, c_locale());
}
