/* Capture files of generated packets: nanosecond pcap of LINK_RAW. */
#ifndef BENCHTOP_BENCH_PCAP_FILES_H
#define BENCHTOP_BENCH_PCAP_FILES_H

#include <stdio.h>

#include "make_packets.h"

void begin_file(FILE *file);
void add_packet(FILE *file, struct flow *flow, struct segment segment);
/* Writes two segments and their acknowledgement repeatedly; one in a thousand
 * is retransmitted. */
void write_long(FILE *file, int packets);

#endif
