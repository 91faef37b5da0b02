/*
 * Reading a capture file, an activity of the lab. The helper reads the file,
 * and the annotator consumes the packets in each turn of the lab's loop. At the
 * end of the file the reply is text or JSON, and the file stays in
 * lab->capture_file for the Net screen.
 *
 * A truncated file is explained up to the damage, and the error names it. A
 * capture on standard input may be live: if it is stopped, its packets so far
 * are explained. A file that is stopped is closed.
 */
#ifndef BENCHTOP_READ_CAPTURE_H
#define BENCHTOP_READ_CAPTURE_H

#include "connection_list.h"
#include "lab.h"

struct capture_request {
	const char *path; /* "-": standard input */
	bool json;
	bool verbose;
	bool summary; /* only a list of connections, as text or JSON */
	struct list_choice list;
	/* Writes the reply instead of the text or JSON; NULL: not used. */
	void (*write)(void *context, struct reply *);
	void *context;
};

/* Starts to read. No activity may be in progress. On error the previously
 * opened file stays open. */
int read_capture(struct lab *, const struct capture_request *, struct error *);

#endif
