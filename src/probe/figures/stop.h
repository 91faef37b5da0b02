/*
 * Why a run ended, and the word that session files and exports have for it.
 */
#ifndef BENCHTOP_STOP_H
#define BENCHTOP_STOP_H

#include <stdbool.h>

enum stop_reason {
	STOP_NONE,      /* it has not ended */
	STOP_PRECISION, /* the interval is narrow enough */
	STOP_BUDGET,    /* the time is used up */
	STOP_MAXIMUM,   /* all launches were made */
	STOP_USER,
	STOP_FAULT,
	STOP_NETWORK, /* the far end was lost */
	STOP_UNAVAILABLE,
	STOP_INVALID,
	STOP_PUBLISHED, /* the figures were printed elsewhere */
	STOP_OTHER,     /* a word of a file that this version does not know */
	STOP_REASONS,
};

struct stop {
	enum stop_reason reason;
	char word[24]; /* STOP_OTHER: what the file has, to be written again */
};

const char *stop_word(const struct stop *);
/* False where the word is longer than any that can be kept. */
bool stop_read(struct stop *, const char *word);

#endif
