/*
 * Memory modules as the firmware tells of them: SMBIOS, "Memory Device" (type
 * 17; DMTF DSP0134, section 7.18), which Linux shows to root in
 * /sys/firmware/dmi/tables/DMI. Virtual machines have none, or one that says
 * nothing of a speed; then everything unknown is 0.
 *
 * The table is the firmware's: every length in it is checked, and what does not
 * add up ends the reading. No serial number, asset tag or part number is read.
 */
#ifndef BENCHTOP_SMBIOS_H
#define BENCHTOP_SMBIOS_H

#include <stdbool.h>
#include <stddef.h>

struct smbios_memory {
	unsigned modules;   /* that hold memory; 0: nothing is known */
	unsigned channels;  /* that have a module */
	bool channels_told; /* by the locators; else each module counts as one,
			      * which may be too many */
	unsigned
		width_bits; /* of a channel's data; 0 unknown, or they differ */
	/* Million transfers a second as configured, of the slowest module; 0
	 * unknown. */
	unsigned speed_mts;
	char type[16];     /* "DDR5"; "" unknown, or they differ */
	double size_bytes; /* of all of them; 0 unknown */
	/* Speed x width x channels; 0 where one of the three is unknown. */
	double peak_bytes_per_s;
};

/* Reads a table of structures. */
void smbios_memory_read(const unsigned char *table, size_t size_bytes,
	struct smbios_memory *);
/* The same of this machine; `root` goes before /sys, for tests. */
void smbios_memory_look(const char *root, struct smbios_memory *);

#endif
