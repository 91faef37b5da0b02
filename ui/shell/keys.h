/*
 * Every key is bound to a command line; the help and the key bar are made from
 * the same table.
 *
 * Letters and arrows reach every function; function keys and the mouse execute
 * the same lines.
 */
#ifndef BENCHTOP_KEYS_H
#define BENCHTOP_KEYS_H

#include <stdbool.h>

struct screen;

enum { BINDINGS_MOST = 320 };

struct binding {
	/* Where the key applies: a place ("list", see views.h), "page" or
	 * "menu"; a view ("lab"), for all its places. "views" stands for all
	 * views, "" for everywhere. The most specific binding wins. */
	const char *where;
	const char *key;  /* name as in terminal.h */
	const char *line; /* executed command line */
	const char *hint; /* for the key bar; NULL: not shown */
	const char *help; /* one phrase */
	enum { ALWAYS, WHEN_IDLE, WHEN_BUSY } when; /* for the key bar */
	int rank; /* on the key bar: lower ranks are placed first */
};
extern const struct binding bindings[];

/* The keys a newcomer needs, and their use. */
struct first_keys {
	const char *keys, *help;
};
extern const struct first_keys first_keys[];

/* The binding of a key at the current place, or NULL. */
const struct binding *binding_find(const struct screen *, const char *key);
/* Whether this binding is in effect at the current place. */
bool binding_applies(const struct screen *, const struct binding *);
/* The name of the place where keys act: an open page or menu, else the
 * focus. */
const char *binding_place(const struct screen *);

#endif
