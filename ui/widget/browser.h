/*
 * The sessions that can be opened: the present session, files in the working
 * folder, kept sessions by the numbers of `sessions`, and published sessions.
 * Sessions may be many and large: at first only the head of each file is read.
 * More of a file is read when its row is drawn.
 */
#ifndef BENCHTOP_BROWSER_H
#define BENCHTOP_BROWSER_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "grid.h"
#include "kept.h"

struct lab;

struct browsed {
	enum {
		BROWSED_PRESENT,
		BROWSED_FILE, /* in the working folder */
		BROWSED_KEPT, /* in the state folder */
		BROWSED_PUBLISHED,
	} kind;
	char *name;    /* argument of lab_open_session(); NULL: the present
			* session */
	char *path;    /* NULL: the present session */
	char *machine; /* host and processor; "" if unknown */
	time_t changed;
	struct kept_head head; /* valid if has_head: its row was drawn */
	bool has_head;
};

struct browser {
	struct browsed *list; /* owned; in each kind the newest first */
	size_t count, selected;
};

/* Reads the list of sessions again. */
void browser_read(struct browser *, const struct lab *);
void browser_free(struct browser *);
/* Draws the list, scrolled to the selection. */
void browser_draw(struct browser *, const struct pane *);

#endif
