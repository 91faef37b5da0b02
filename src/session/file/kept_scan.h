/*
 * Looking for members in the file of a kept session line by line, as
 * json_print() writes them, without parsing it. A compressed file is
 * decompressed; one of another layout is parsed, and scanned as json_print()
 * would write it. Half a file, and one with its members in another order, has
 * no lines. In kept_head.c; private to the lists of kept sessions.
 */
#ifndef BENCHTOP_KEPT_SCAN_H
#define BENCHTOP_KEPT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct kept_line {
	const char *at;
	size_t length;
};

/* Calls each() with every line, not terminated. False: the file cannot be
 * read. */
bool kept_scan(const char *path,
	void (*each)(struct kept_line *, void *context), void *context);
/* Is the line the member `begin`, with its indentation? Its value is left. */
bool kept_is_member(struct kept_line *, const char *begin);
/* Moves to what is behind the first occurrence of `piece`. No text of a string
 * looks like a member: its quotes are escaped. */
bool kept_skip_to(struct kept_line *, const char *piece);
/* The text that begins at its quote; to be freed, NULL: none. */
char *kept_text(const struct kept_line *);
/* The same, safe to print (text_add_safe()). */
char *kept_safe_text(const struct kept_line *);

#endif
