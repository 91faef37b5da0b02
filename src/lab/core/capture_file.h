/*
 * The capture file opened last, and its annotation. The Net screen shows it
 * until the next file is opened. read_capture.c fills it.
 */
#ifndef BENCHTOP_CAPTURE_FILE_H
#define BENCHTOP_CAPTURE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "connection_filter.h"

struct annotator;
struct annotator_options;
struct packet_log;

struct capture_file {
	struct annotator *annotator; /* owned; NULL: no file was opened */
	struct packet_log *log;      /* owned */
	char *path;                  /* owned */
	bool reading;                /* packets are still being added */
	bool news;         /* read to its end; the screen clears this */
	unsigned serial;   /* number of the file in this lab, from 1 */
	size_t after_runs; /* runs of the session when it was opened */
	struct connection_filter only; /* connections asked for */
};

/* Starts an empty file of this name; the previous file is closed. The options
 * are copied, and their `watch` is replaced by the log's; NULL: none. */
void capture_file_open(struct capture_file *, const char *path,
	const struct annotator_options *);
void capture_file_close(struct capture_file *);

#endif
