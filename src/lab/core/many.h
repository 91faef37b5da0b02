/* Many sessions as the screen shows them: the last fleet, the last history. */
#ifndef BENCHTOP_MANY_H
#define BENCHTOP_MANY_H

struct fleet_sessions;
struct history;

struct many {
	struct fleet_sessions *fleet; /* owned; NULL: none */
	struct history *history;      /* owned; NULL: none */
	unsigned serial;              /* changes with each */
	/* The place of the screen (views.h) for what was read last, until the
	 * screen has opened it; NULL. */
	const char *news;
};

/* Take ownership, and replace the last. */
void many_keep_fleet(struct many *, struct fleet_sessions *);
void many_keep_history(struct many *, struct history *);
void many_free(struct many *);

#endif
