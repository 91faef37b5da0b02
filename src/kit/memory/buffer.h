/*
 * Buffers with verified properties: aligned, with every page present before
 * anything is timed, and with a page size that was looked up, not assumed.
 *
 * A buffer is a private anonymous mapping between two guard pages, aligned to 2
 * MiB for every kind of pages. So it is one entry of /proc/self/smaps, which
 * reports the pages it really has. PAGES_4K forbids transparent huge pages.
 * PAGES_THP requests them and may receive fewer. PAGES_HUGE uses reserved huge
 * pages or fails. "4K" means the base page: on machines with larger base pages
 * buffer_describe() shows their size.
 *
 * Every page is written once, in random order if the wish has a seed. This
 * randomises which physical pages are adjacent in the buffer, and so which
 * cache sets they share. Without it, a kernel gives much the same order of
 * pages to one process after another.
 *
 * A buffer that does not fit in memory is refused before it is tried.
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
/* Its row; the experiment includes probe.h. */
#define PAGES_ROW(args, member) \
	{ \
		.name = "pages", .label = "pages", \
		.help = "requested pages: 4K, transparent huge, reserved " \
			"huge; the actual size is recorded", \
		.preset = "4K", CHOICE_FIELD(args, member), \
		.choices = pages_choices \
	}

enum { HUGE_BYTES = 2 << 20 };

struct buffer_wish {
	uint64_t size_bytes;
	enum pages pages;
	uint64_t reserve_bytes; /* of address space, for buffer_extend(); less
				 * if that is limited (RLIMIT_AS) */
	uint64_t seed;  /* of the order of the first writes; 0: ascending */
	bool low;       /* below 4 GiB, so that a pointer fits four bytes */
	bool untouched; /* the caller writes each page first, then calls
			 * buffer_verify() */
};

struct buffer {
	char *start;       /* aligned to 2 MiB; NULL: not open */
	size_t size_bytes; /* as requested, rounded up to whole pages */
	enum pages pages;  /* as requested */
	size_t page_bytes; /* of the pages outside huge_bytes */
	size_t huge_bytes; /* part on pages of 2 MiB or more */

	void *mapping; /* with the reserved space and the guard pages */
	size_t mapping_bytes;
	size_t reserved_bytes; /* size to which it can be extended */
};

/* Checks that the buffer can have, or grow to, this size. Returns 0, or -1 with
 * an error. For reserved huge pages only the attempt shows it. */
int buffer_check(const struct buffer *, uint64_t size_bytes, struct error *);
/* Opens the buffer, writes to every page and verifies it. Returns 0, or -1 with
 * an error: "needs 1.000 TiB of memory, 19.62 GiB are available", no reserved
 * huge pages, .. . Calls probe_alive() meanwhile (the probe may be NULL). No
 * page is all zero; the contents are otherwise unspecified. */
int buffer_open(struct buffer *, const struct buffer_wish *, struct probe *,
	struct error *);
/* Extends the buffer in place and keeps its contents. New pages are written in
 * a separate random order. Returns 0, also if it is already large enough, or -1
 * with an error and the buffer unchanged. */
int buffer_extend(struct buffer *, uint64_t size_bytes, uint64_t seed,
	struct probe *, struct error *);
/* Looks up the pages again. Returns 0, or -1 with an error if a page is not
 * present, or if PAGES_4K has huge pages. */
int buffer_verify(struct buffer *, struct error *);
/* Releases the memory; does nothing if the buffer is not open. */
void buffer_close(struct buffer *);
/* Adds the page sizes: "4K", "2M", "2M (50 %), 4K". */
void buffer_describe(const struct buffer *, struct text *);

#endif
