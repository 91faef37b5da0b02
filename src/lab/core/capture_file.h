/*
 * The capture file opened last, and its annotation. The Net screen shows it
 * until the next file is opened. read_capture.c fills it. If the log has not
 * room for all packets of the connection shown, read_again.c reads the file
 * again for that connection.
 */
#ifndef BENCHTOP_CAPTURE_FILE_H
#define BENCHTOP_CAPTURE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "connection_filter.h"
#include "error.h"
#include "packet_log.h"

struct capture;

/* The packets of one connection, from another reading of the file. */
struct close_up {
	struct log_scope scope;
	struct packet_log *log;      /* owned; NULL: nothing was read */
	struct annotator *annotator; /* owned; while reading */
	struct capture *capture;     /* owned; while reading */
};

struct capture_file {
	struct annotator *annotator; /* owned; NULL: no file was opened */
	struct packet_log *log;      /* owned; NULL: not logged */
	char *path;                  /* owned */
	bool reading;                /* packets are still being added */
	bool news;         /* read to its end; the screen clears this */
	unsigned serial;   /* number of the file in this lab, from 1 */
	size_t after_runs; /* runs of the session when it was opened */
	struct connection_filter only; /* connections asked for */

	/* Of a file that can be read again, for read_again.c. */
	bool again;              /* it can */
	struct log_scope wanted; /* by the screen; connection 0: nothing */
	struct log_scope failed; /* could not be read: */
	struct error why;        /* the screen shows it and clears `status` */
	struct close_up close, coming; /* read; being read */
};

/* Starts an empty file of this name; the previous file is closed. The options
 * are copied; NULL: none. `logged`: for a screen, which needs the log; it
 * replaces their `watch`. */
void capture_file_open(struct capture_file *, const char *path,
	const struct annotator_options *, bool logged);
void capture_file_close(struct capture_file *);
void close_up_end(struct close_up *);
/* The log with most packets of this connection. */
const struct packet_log *capture_file_log(const struct capture_file *,
	const struct connection *);
/* Asks for all packets of a connection, which that log lacks. If they are too
 * many, those around the packet with this ordinal are complete; 0: anywhere.
 * NULL: asks for nothing. */
void capture_file_want(struct capture_file *, const struct connection *,
	uint64_t around);

#endif
