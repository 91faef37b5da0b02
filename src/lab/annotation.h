/*
 * `annotate FILE`: a capture file on its way through the annotator.
 *
 * The helper reads the file, the lab takes what has come whenever its loop
 * turns, and when the file is over the reply is text or JSON. It can be stopped
 * at any time. A file that breaks off is explained as far as it goes, with the
 * error that says so.
 *
 * What was understood stays, for the Net screen, until the next file is opened
 * or annotation_abandon().
 */
#ifndef BENCHTOP_ANNOTATION_H
#define BENCHTOP_ANNOTATION_H

#include <stdbool.h>

#include "command.h"

struct annotation_ask {
	const char *path;
	bool json;
	/* What is said at the end, in place of the text; NULL. */
	void (*say)(void *context, struct reply *);
	void *context;
};

struct annotation {
	struct capture *capture;     /* NULL: none is going */
	struct annotator *annotator; /* NULL: no file was opened */
	struct packet_log *log;
	char *path;
	bool json;
	void (*say)(void *context, struct reply *);
	void *context;
	bool news;         /* over; for the screen, which clears it */
	unsigned serial;   /* which file of this lab's, from 1 */
	size_t after_runs; /* of the session, when it was opened */
};

int annotation_start(struct annotation *, const struct annotation_ask *,
	struct error *);
int annotation_descriptor(const struct annotation *);
/* Takes what there is, for some tens of milliseconds at most. True: it is
 * over, and the reply has the text or the error. */
bool annotation_step(struct annotation *, struct reply *);
/* Ends it, and forgets what there was. */
void annotation_abandon(struct annotation *);

#endif
