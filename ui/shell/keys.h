/*
 * Every key is a binding to a command line; help and the key bar are made
 * from the same rows.
 *
 * A letter or an arrow does everything; function keys and the mouse are other
 * ways to the same lines.
 */
#ifndef BENCHTOP_KEYS_H
#define BENCHTOP_KEYS_H

#include <stdbool.h>

struct screen;

enum { BINDINGS_MOST = 256 };

struct binding {
	/* A place ("list", see views.h), or "page"; a view ("lab"), for all its
	 * places; "views" for all of them, that is all but a page; "" for
	 * everywhere. The narrowest is meant. */
	const char *where;
	const char *key;  /* as terminal.h names it */
	const char *line; /* what is executed */
	const char *hint; /* for the key bar; NULL: not there */
	const char *help; /* one phrase */
	enum { ALWAYS, WHEN_IDLE, WHEN_BUSY } when; /* for the key bar */
	int rank; /* on the key bar: 0 always, 1 and 2 where there is room */
};
extern const struct binding bindings[];

/* The binding of a key where the focus is, or NULL. */
const struct binding *binding_find(const struct screen *, const char *key);
/* Is it what its key means where the focus is? */
bool binding_applies(const struct screen *, const struct binding *);
/* The name of where keys act: the focus, but for a page or menu over it. */
const char *binding_place(const struct screen *);

#endif
