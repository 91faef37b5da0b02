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

#endif
