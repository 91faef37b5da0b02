/*
 * Reading a capture file, an activity of the lab: the helper reads the file,
 * and the annotator takes what has come whenever the lab's loop turns. When the
 * file is over the reply is text or JSON, and the file stays in
 * lab->capture_file for the Net screen.
 *
 * A file that breaks off is explained up to there, with the error that says
 * so.
 */
#ifndef BENCHTOP_READ_CAPTURE_H
#define BENCHTOP_READ_CAPTURE_H

#include "lab.h"

struct capture_request {
	const char *path;
	bool json;
	/* Writes the reply in place of the text; NULL. */
	void (*write)(void *context, struct reply *);
	void *context;
};

/* No activity may be in progress. On error the file that was open stays. */
int read_capture(struct lab *, const struct capture_request *, struct error *);

#endif
