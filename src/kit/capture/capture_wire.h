/*
 * The records that the capture helper writes to its pipe: a fixed header and
 * bytes, in native byte order, because both ends are from one build.
 *
 * The first record is READY, or FAILED without further records. Packets from
 * then on are captured. STATISTICS are sent periodically and before END, which
 * is the last record, and the only one of a file without interfaces. If the
 * pipe ends without END, the helper has died.
 */
#ifndef BENCHTOP_CAPTURE_WIRE_H
#define BENCHTOP_CAPTURE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CAPTURE_VERSION = 2,
	CAPTURE_BYTES_MOST = 320, /* of a packet; headers only */
};

enum capture_kind {
	CAPTURE_READY = 1,  /* link_type; captured_bytes: the snap length;
			     * wire_bytes: CAPTURE_VERSION */
	CAPTURE_PACKET,     /* t_ns, captured_bytes as recorded, wire_bytes,
			     * interface */
	CAPTURE_STATISTICS, /* t_ns: received; captured_bytes: dropped in the
			     * kernel; wire_bytes: dropped by the interface */
	CAPTURE_FAILED,     /* its bytes are an error sentence */
	CAPTURE_DENIED,     /* the same: not permitted */
	CAPTURE_END,
	/* Only in a run's file, and written by the experiment, not by the
	 * helper. The bytes are a struct tcpinfo_path or a struct
	 * tcpinfo_sample. */
	CAPTURE_TOLD_PATH,
	CAPTURE_TOLD_SAMPLE,
	CAPTURE_KINDS,
};

enum capture_stamp {
	CAPTURE_STAMP_INVALID = 1 << 0, /* t_ns is clamped, or 0 */
	CAPTURE_STAMP_SORTED = 1 << 1,  /* of a packet that the file has behind
					 * later ones */
};

struct capture_header {
	int64_t t_ns;
	uint32_t captured_bytes, wire_bytes;
	uint16_t link_type;
	uint16_t interface; /* of a file, from 0 */
	uint16_t byte_count; /* bytes that follow, padded with zeros to a
			      * multiple of eight */
	uint8_t kind;
	uint8_t stamp; /* enum capture_stamp */
};
_Static_assert(sizeof(struct capture_header) == 24, "on the pipe");

/* False for a header that neither end writes: no record follows. */
static inline bool capture_is_possible(const struct capture_header *header)
{
	return header->kind >= CAPTURE_READY && header->kind < CAPTURE_KINDS &&
		header->byte_count <= CAPTURE_BYTES_MOST && header->t_ns >= 0;
}

static inline uint32_t capture_padded(uint32_t byte_count)
{
	return (byte_count + 7u) & ~7u;
}

#endif
