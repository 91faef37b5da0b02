/*
 * Memory modules as reported by the firmware: SMBIOS, "Memory Device" (type 17;
 * DMTF DSP0134, section 7.18), which Linux shows to root in
 * /sys/firmware/dmi/tables/DMI. Virtual machines have no table, or one without
 * speeds; unknown values are 0.
 *
 * The table is not trusted: every length in it is checked, and an inconsistency
 * ends the reading. Serial numbers, asset tags and part numbers are not read.
 */
#ifndef BENCHTOP_SMBIOS_H
#define BENCHTOP_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>

struct smbios_memory {
	unsigned modules;   /* with memory; 0: unknown */
	unsigned channels;  /* with at least one module */
	bool channels_told; /* from the locators; otherwise each module counts
			     * as a channel, which may be too many */
	unsigned
		width_bits; /* of a channel's data; 0: unknown, or different */
	/* Configured speed of the slowest module, million transfers per second;
	 * 0: unknown. */
	unsigned speed_mts;
	char type[16];     /* "DDR5"; "": unknown, or different */
	double size_bytes; /* total; 0: unknown */
	/* Speed x width x channels; 0 if one of them is unknown. */
	double peak_bytes_per_s;
};

/* Reads a table of structures. */
void smbios_memory_read(const unsigned char *table, size_t size_bytes,
	struct smbios_memory *);
/* Reads the table of this machine; `root` is a prefix of /sys, for tests. */
void smbios_memory_look(const char *root, struct smbios_memory *);

#endif
