/*
 * How much of its log `serve` writes in a minute: a share of bytes for each
 * origin, and one in all, so that no client can fill a disk.
 *
 * Lines about sessions, which need the token, have a larger share than lines
 * about clients in the greeting, so that a flood of strangers hides no session.
 * Lines that are left out are counted; log_quota_next() begins a minute and
 * describes in one line what the last minute left out.
 *
 * No clock and no file: the caller has both. Ten minutes of abuse, and the
 * parts of minutes at both ends, are at most 11 * 88 000 bytes and 11 lines.
 */
#ifndef BENCHTOP_LOG_QUOTA_H
#define BENCHTOP_LOG_QUOTA_H

#include "origin.h"
#include "text.h"

enum log_kind { LOG_GREETING, LOG_SESSION, LOG_KINDS };

enum {
	LOG_MINUTE_MS = 60000,
	/* Origins that are told apart in a minute; all further ones share the
	 * last place. */
	LOG_ORIGINS = 64,
	/* Bytes per minute. */
	LOG_GREETING_EACH = 4000,
	LOG_GREETING_ALL = 8000,
	LOG_SESSION_EACH = 40000,
	LOG_SESSION_ALL = 80000,
};

struct log_quota {
	struct log_share {
		struct origin origin;
		size_t written[LOG_KINDS]; /* bytes */
		uint64_t left_out;         /* lines */
	} share[LOG_ORIGINS];
	size_t shares;
	size_t written[LOG_KINDS];
	uint64_t left_out;
};

/* May a line of `length` bytes be written? Counts it either way. */
bool log_quota_has(struct log_quota *, const struct origin *, enum log_kind,
	size_t length);
/* Begins the next minute. Adds a sentence if lines were left out, without a
 * line break: "left out 3411 lines in a minute, 3400 of them about 192.0.2.1".
 * Returns true if it did. */
bool log_quota_next(struct log_quota *, struct text *);

#endif
