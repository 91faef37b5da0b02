/*
 * A run's packets, saved as a nanosecond pcap file.
 *
 * The file has the same packets as the annotator received: the same bytes, time
 * stamps and order. So `annotate` on the file gives the same connections as the
 * run. Only the owner can read the file.
 */
#ifndef BENCHTOP_CAPTURE_SAVE_H
#define BENCHTOP_CAPTURE_SAVE_H

#include "decode.h"
#include "error.h"

struct capture_save;

/* `snap_bytes`: the maximum stored per packet. Returns NULL with an error. */
struct capture_save *capture_save_open(const char *path, uint32_t link_type,
	uint32_t snap_bytes, struct error *);
void capture_save_add(struct capture_save *, const struct packet_record *);
/* Writes the rest and closes the file. Reports any error since
 * capture_save_open(). Does nothing for NULL. */
int capture_save_close(struct capture_save *, struct error *);

#endif
