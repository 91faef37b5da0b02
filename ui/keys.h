/*
 * Every key is a binding to a command line; help and the key bar are made
 * from the same rows.
 */
#ifndef BENCHTOP_KEYS_H
#define BENCHTOP_KEYS_H

struct screen;

struct binding {
	const char *where; /* "list", "form", "page", or "" for everywhere */
	const char *key;   /* as terminal.h names it */
	const char *line;  /* what is executed */
	const char *hint;  /* for the key bar; NULL: not there */
	const char *help;  /* one phrase */
	enum { ALWAYS, WHEN_IDLE, WHEN_BUSY } when; /* for the key bar */
};
extern const struct binding bindings[];

/* The binding of a key where the focus is, or NULL. */
const struct binding *binding_find(const struct screen *, const char *key);
/* The name of where the focus is. */
const char *binding_place(const struct screen *);

#endif
