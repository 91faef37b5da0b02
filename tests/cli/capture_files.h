/* Capture files written by the tests: pcap and pcapng, in either byte order, in
 * micro- or nanoseconds. */
#ifndef BENCHTOP_CAPTURE_FILES_H
#define BENCHTOP_CAPTURE_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "check.h"
#include "make_packets.h"

struct capture_file {
	FILE *file;
	bool swapped, nano, ng;
};

void capture_file_open(struct capture_file *to, const char *path,
	uint32_t link_type);
void capture_file_add(struct capture_file *to, const struct made *made,
	int64_t t_ns);
void capture_file_close(struct capture_file *to);

/* ---- parts of a pcapng file --------------------------------------------- */

struct made_interface {
	uint32_t link_type, snap_bytes;
	uint8_t resolution; /* if_tsresol; 0: not stated, which is 6 */
	int64_t offset_s;   /* if_tsoffset; 0: not stated */
};

enum { PACKET_OLD = 2, PACKET_SIMPLE = 3, PACKET_ENHANCED = 6 };

/* An empty pcapng file. */
void capture_file_create(struct capture_file *to, const char *path);
void capture_file_section(struct capture_file *to);
void capture_file_interface(struct capture_file *to,
	const struct made_interface *interface);
/* A packet; `stamp` in units of its interface. */
void capture_file_packet(struct capture_file *to, uint32_t kind,
	uint32_t interface, const struct made *made, uint64_t stamp);

#endif
