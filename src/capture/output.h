/*
 * The records of capture_wire.h, written to standard output.
 *
 * Records are collected and written together. If the reader of the pipe has
 * ended, the program ends too.
 */
#ifndef BENCHTOP_CAPTURE_OUTPUT_H
#define BENCHTOP_CAPTURE_OUTPUT_H

#include <stdbool.h>

#include "capture_wire.h"

/* A packet as a file or an interface has it. */
struct captured {
	int64_t second, ns; /* any values: invalid ones are clamped */
	bool stamp_invalid;
	uint32_t captured_bytes, wire_bytes;
	uint16_t link_type;
	uint16_t interface; /* of a file, from 0 */
	const uint8_t *bytes; /* at least output_kept(captured_bytes) */
};

void output_put(const struct capture_header *, const void *bytes);
/* The first record. May be repeated with a larger snap length. */
void output_ready(uint16_t link_type, uint32_t snap_bytes);
/* The header of a packet's record. */
struct capture_header output_header(const struct captured *);
/* Writes all collected records. */
void output_flush(void);
/* The number of bytes written so far. */
uint64_t output_total(void);

/* Both write the last record, and return the exit status. `why` may be "". */
int output_fail(enum capture_kind, const char *what, const char *why);
int output_end(void);

/* The bytes of a packet that are forwarded: headers only. */
static inline uint32_t output_kept(uint32_t captured_bytes)
{
	return captured_bytes < CAPTURE_BYTES_MOST ? captured_bytes :
						     CAPTURE_BYTES_MOST;
}

#endif
