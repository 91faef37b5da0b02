/*
 * The sessions that labs have saved by themselves: the files *.json in
 * $XDG_STATE_HOME/benchtop/sessions. They are numbered by their names, which
 * begin with the time: 1 is the oldest. An empty file is a name that a lab has
 * reserved, and has no number.
 */
#ifndef BENCHTOP_KEPT_H
#define BENCHTOP_KEPT_H

#include "session.h"

struct kept_list {
	char **paths; /* owned, the oldest first */
	size_t count;
};

void kept_list_read(struct kept_list *);
void kept_list_free(struct kept_list *);
/* "20251120-091500-4711" of a path. */
void kept_name(const char *path, struct text *);

/* What a list shows of a session. The file is searched for these members line
 * by line as json_print() writes them, and not parsed: a thousand files have
 * hundreds of megabytes. What is not found stays empty. */
struct kept_head {
	char at[32];       /* of the first run or note; "" unknown */
	char **experiments; /* each once, in the order of the runs */
	size_t experiment_count;
	double median;  /* of the first point of the first run; NaN */
	enum unit unit; /* of it */
	char *note;     /* the first; NULL: none */
};

void kept_head_read(const char *path, struct kept_head *);
void kept_head_free(struct kept_head *);

/* The path of a session that a word names: `last`, a number, a file, or the
 * name of a kept session with or without ".json"; any other word is taken for
 * a path. To be freed; NULL with a sentence where no session is kept. */
char *kept_path(const char *word, struct error *);

#endif
