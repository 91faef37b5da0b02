/*
 * Why a run ended, with the word for session files and exports.
 */
#ifndef BENCHTOP_STOP_H
#define BENCHTOP_STOP_H

#include <stdbool.h>

enum stop_reason {
	STOP_NONE,      /* it has not ended */
	STOP_PRECISION, /* the interval is narrow enough */
	STOP_BUDGET,    /* the budget is used up */
	STOP_MAXIMUM,   /* all launches were made */
	STOP_USER,
	STOP_FAULT,
	STOP_NETWORK, /* the far end was lost */
	STOP_UNAVAILABLE,
	STOP_INVALID,
	STOP_PUBLISHED, /* the figures were printed elsewhere, not measured */
	STOP_OTHER,     /* a word that this version does not know */
	STOP_REASONS,
};

struct stop {
	enum stop_reason reason;
	char word[24]; /* the word of the file, for STOP_OTHER */
};

const char *stop_word(const struct stop *);
/* Returns false if the word is too long to be stored. */
bool stop_read(struct stop *, const char *word);

#endif
