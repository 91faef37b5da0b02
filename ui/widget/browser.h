/*
 * Sessions that can be opened: the present one, files in the working folder,
 * those that were saved by themselves, and the published ones. Of a file only
 * its first bytes are read: a session may be large, and there may be many.
 */
#ifndef BENCHTOP_BROWSER_H
#define BENCHTOP_BROWSER_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "grid.h"

struct lab;

struct browsed {
	enum {
		BROWSED_PRESENT,
		BROWSED_FILE,      /* in the working folder */
		BROWSED_AUTOSAVED, /* in the state folder */
		BROWSED_PUBLISHED,
	} kind;
	char *name;    /* for lab_open_session(); NULL: the present one */
	char *machine; /* host and processor; "" unknown */
	time_t changed;
	double size_bytes;
};

struct browser {
	struct browsed *list; /* owned; the newest of a kind first */
	size_t count, selected;
};

/* Looks again what there is. */
void browser_read(struct browser *, const struct lab *);
void browser_free(struct browser *);
/* The list, scrolled to the selection. */
void browser_draw(const struct browser *, const struct pane *);

#endif
