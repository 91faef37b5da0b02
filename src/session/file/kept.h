/*
 * Autosaved sessions: the files *.json in $XDG_STATE_HOME/benchtop/sessions.
 * They are numbered by their names, which begin with the time when the session
 * was first saved: 1 is the oldest. A new session has the last number, so that
 * a number never changes while no older session is removed. Empty files have no
 * number.
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
/* Gives the file of a new session, which has a hidden name in the folder of the
 * kept sessions, a name behind all others, with the time now. Until then the
 * session has no number, however long its saving takes. Sets its new path, to
 * be freed; NULL: the file has kept its name. Returns -1 with an error if it
 * has, or if the folder cannot be synced. */
int kept_enter(const char *path, char **entered, struct error *);
/* Is this a file name of a kept session? */
bool kept_is_named(const char *name);
/* Compares two such names, or paths in one folder: below 0, the first is
 * older. */
int kept_order(const char *, const char *);
/* The number of a kept session by its path; 0: it is not one of them. */
size_t kept_number(const char *path);
/* Adds "20251120-091500-4711", from a path. */
void kept_name(const char *path, struct text *);

/* The data of a session in a list. The file is searched line by line for these
 * members, as json_print() writes them, and not parsed, because a thousand
 * files have hundreds of megabytes. Members that are not found stay empty. */
struct kept_head {
	char at[32];       /* of the first run or note; "": unknown */
	char **experiments; /* without duplicates, in the order of the runs */
	size_t experiment_count;
	double median;  /* of the first point of the first run; NaN */
	enum unit unit; /* of the median */
	char *note;     /* the first note; NULL: none */
};

/* False: the file cannot be read. */
bool kept_head_read(const char *path, struct kept_head *);
void kept_head_free(struct kept_head *);

/* The path of a session named by a word: `last`, a number, a file, or the name
 * of an autosaved session with or without ".json". Any other word is a path.
 * The caller frees the result. NULL with an error if there is no autosaved
 * session. */
char *kept_path(const char *word, struct error *);

#endif
