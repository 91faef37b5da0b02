/*
 * Buffers that are what they say: aligned, every page present before anything
 * is timed, and the size of their pages looked up, not assumed.
 *
 * A buffer is a private anonymous mapping of its own between two guard pages,
 * aligned to 2 MiB whatever its pages are, so that it is one entry of
 * /proc/self/smaps, which says on what pages it really lies. PAGES_4K forbids
 * transparent huge pages, PAGES_THP asks for them (and may be given
 * fewer), PAGES_HUGE takes reserved ones or fails. "4K" is the base page: on
 * machines with larger base pages the buffer says what it has.
 *
 * Every page is written once, in random order where the wish has a seed: which
 * physical pages lie beside each other, and so which sets of a cache they
 * share, is then drawn anew for each buffer. The order of pages that a kernel
 * hands out to one process after another is much the same.
 *
 * What does not fit is refused in words before it is tried.
 */
#ifndef BENCHTOP_BUFFER_H
#define BENCHTOP_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct probe;
struct text;

enum pages { PAGES_4K, PAGES_THP, PAGES_HUGE, PAGES_KINDS };
/* "4K", "thp", "huge", NULL: the choices of a parameter `pages`. */
extern const char *const pages_choices[PAGES_KINDS + 1];

enum { HUGE_BYTES = 2 << 20 };

struct buffer_wish {
	uint64_t size_bytes;
	enum pages pages;
	uint64_t reserve_bytes; /* of address space, for buffer_extend(); less
				 * where that is limited (RLIMIT_AS) */
	uint64_t seed;  /* of the order of the first writes; 0: ascending */
	bool low;       /* below 4 GiB, so that a pointer fits four bytes */
	bool untouched; /* its user writes each page first, and then calls
			 * buffer_verify() */
};

struct buffer {
	char *start;       /* aligned to 2 MiB; NULL: not open */
	size_t size_bytes; /* as wished, rounded up to whole pages */
	enum pages pages;  /* as wished */
	size_t page_bytes; /* of the mapping's pages outside huge_bytes */
	size_t huge_bytes; /* how much lies on pages of 2 MiB or more */

	void *mapping; /* with what is reserved and its guards */
	size_t mapping_bytes;
	size_t reserved_bytes; /* how far it can be extended */
};

/* Is there room for it to be, or become, so large? 0, or -1 with the sentence.
 * Of reserved huge pages only the attempt tells. */
int buffer_check(const struct buffer *, uint64_t size_bytes, struct error *);
/* Opens, writes to every page and verifies. 0, or -1 with a sentence: "needs
 * 1.000 TiB of memory, 19.62 GiB are available", no reserved huge pages, .. .
 * The probe (may be NULL) is kept alive meanwhile. The contents are not zero
 * in any page, and else unspecified. */
int buffer_open(struct buffer *, const struct buffer_wish *, struct probe *,
	struct error *);
/* Makes it larger where it lies: what it holds stays, and what is added is
 * written in an order of its own. 0, also where it is large enough already, or
 * -1 with a sentence; then it is as it was. */
int buffer_extend(struct buffer *, uint64_t size_bytes, uint64_t seed,
	struct probe *, struct error *);
/* Looks the pages up again: 0, or -1 with a sentence where not every page is
 * present or PAGES_4K lies on huge ones. */
int buffer_verify(struct buffer *, struct error *);
/* Returns the memory; a buffer that is not open may be closed. */
void buffer_close(struct buffer *);
/* What it has: "4K", "2M", "2M (50 %), 4K". */
void buffer_describe(const struct buffer *, struct text *);

#endif
