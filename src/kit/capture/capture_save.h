/*
 * A run's own packets, saved as a nanosecond pcap file that any tool reads.
 *
 * Written is what the annotator was given: the same bytes of each packet, the
 * same stamps, in the same order. `annotate` on the file gives the same
 * connections as the run did. The file is readable by its owner alone.
 */
#ifndef BENCHTOP_CAPTURE_SAVE_H
#define BENCHTOP_CAPTURE_SAVE_H

#include "decode.h"
#include "error.h"

struct capture_save;

/* `snap_bytes`: the most that is kept of a packet. NULL and the error. */
struct capture_save *capture_save_open(const char *path, uint32_t link_type,
	uint32_t snap_bytes, struct error *);
void capture_save_add(struct capture_save *, const struct packet_record *);
/* Writes the rest and closes; what failed since the beginning fails here. NULL
 * is nothing. */
int capture_save_close(struct capture_save *, struct error *);

#endif
