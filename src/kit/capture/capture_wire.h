/*
 * What the capture helper writes on its pipe: records of a fixed header and
 * some bytes, in the machine's own byte order, since both ends are one build.
 *
 * The first record is READY (or FAILED, and nothing else): packets that pass
 * from then on are captured. STATISTICS come now and then and before END,
 * which is last. A pipe that ends without END lost its helper.
 */
#ifndef BENCHTOP_CAPTURE_WIRE_H
#define BENCHTOP_CAPTURE_WIRE_H

#include <stdint.h>

enum {
	CAPTURE_VERSION = 1,
	CAPTURE_BYTES_MOST = 512, /* of a packet; headers, never the data */
};

enum capture_kind {
	CAPTURE_READY = 1,  /* link_type; captured_bytes of the capture length;
			     * wire_bytes is CAPTURE_VERSION */
	CAPTURE_PACKET,     /* t_ns, captured_bytes as recorded, wire_bytes */
	CAPTURE_STATISTICS, /* t_ns: received; captured_bytes: dropped in the
			     * kernel; wire_bytes: dropped by the interface */
	CAPTURE_FAILED,     /* its bytes are a sentence */
	CAPTURE_DENIED,     /* the same: it was not permitted */
	CAPTURE_END,
	/* In a run's file only, and from the experiment itself, not from the
	 * helper: its bytes are a struct tcpinfo_path, a
	 * struct tcpinfo_sample. */
	CAPTURE_TOLD_PATH,
	CAPTURE_TOLD_SAMPLE,
	CAPTURE_KINDS,
};

struct capture_header {
	int64_t t_ns;
	uint32_t captured_bytes, wire_bytes;
	uint32_t link_type;
	uint16_t byte_count; /* that follow, then zeros up to eight */
	uint8_t kind;
	uint8_t stamp_invalid;
};
_Static_assert(sizeof(struct capture_header) == 24, "on the pipe");

static inline uint32_t capture_padded(uint32_t byte_count)
{
	return (byte_count + 7u) & ~7u;
}

#endif
