/*
 * Capture files of any size, as records of capture_wire.h.
 *
 * pcap: draft-ietf-opsawg-pcap, in either byte order, in micro- or nanoseconds,
 * and the patched format of old Linux systems with longer packet headers.
 * pcapng: draft-ietf-opsawg-pcapng, with any number of sections and interfaces,
 * each with its own link type, snap length and time resolution. libpcap would
 * refuse interfaces that differ.
 */
#ifndef BENCHTOP_CAPTURE_READ_FILE_H
#define BENCHTOP_CAPTURE_READ_FILE_H

#include "input.h"

/* Reads the file on standard input. Returns the exit status. */
int read_file(void);

/* ---- shared by the formats ---------------------------------------------- */

enum {
	/* A packet that states more bytes is damaged. */
	PACKET_BYTES_MOST = 1 << 24,
	NS_PER_S = 1000000000,
};

/* Both read the rest of the file. `magic`: its first four bytes. */
void read_pcap(const uint8_t *magic);
void read_pcapng(void);

/* Integers of the file; `swapped`: not in the byte order of this machine. */
uint16_t file_u16(const uint8_t *at, bool swapped);
uint32_t file_u32(const uint8_t *at, bool swapped);

/* A copy of a packet's first bytes, as input_take() gives them, which the
 * skipping of the others would overwrite. NULL: NULL. */
const uint8_t *read_keep(const uint8_t *bytes, uint32_t count);

/* Both write the last record, and return false: reading is over. */
/* The file ends, or cannot be read further: at its regular end, within packet
 * `packet` (from 1), or before (0). */
bool read_over(bool regular, uint64_t packet);
bool read_damaged(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
