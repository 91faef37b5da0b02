/*
 * `annotate FILE`: a capture file on its way through the annotator.
 *
 * The helper reads the file, the lab takes what has come whenever its loop
 * turns, and when the file is over the reply is text or JSON. It can be stopped
 * at any time. A file that breaks off is explained as far as it goes, with the
 * error that says so.
 */
#ifndef BENCHTOP_ANNOTATION_H
#define BENCHTOP_ANNOTATION_H

#include <stdbool.h>

#include "command.h"

struct annotation {
	struct capture *capture; /* NULL: none is going */
	struct annotator *annotator;
	char *path;
	bool json;
};

int annotation_start(struct annotation *, const char *path, bool json,
	struct error *);
int annotation_descriptor(const struct annotation *);
/* Takes what there is, for some tens of milliseconds at most. True: it is
 * over, and the reply has the text or the error. */
bool annotation_step(struct annotation *, struct reply *);
void annotation_abandon(struct annotation *);

#endif
