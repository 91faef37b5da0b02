/* Capture files of made packets, nanosecond pcap of LINK_RAW. */
#ifndef BENCHTOP_BENCH_PCAP_FILES_H
#define BENCHTOP_BENCH_PCAP_FILES_H

#include <stdio.h>

#include "make_packets.h"

void begin_file(FILE *file);
void add_packet(FILE *file, struct flow *flow, struct segment segment);
/* Two segments and their acknowledgement, over and over; one in a thousand is
 * sent again. */
void write_long(FILE *file, int packets);

#endif
