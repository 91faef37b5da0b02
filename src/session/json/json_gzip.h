/*
 * Sessions may be compressed with gzip, which makes them five to ten times
 * smaller. They are recognised by their first bytes, whatever their name.
 */
#ifndef BENCHTOP_JSON_GZIP_H
#define BENCHTOP_JSON_GZIP_H

#include "json.h"

bool json_is_gzip(const char *chars, size_t length);
/* The size of the text by the file's own statement (RFC 1952: its last four
 * bytes). */
size_t json_gzip_bytes(const char *chars, size_t length);
/* Adds the decompressed text, at most JSON_BYTES_MAX. Returns 0, or -1 with an
 * error. */
int json_gunzip(const char *chars, size_t length, const char *name,
	struct text *, struct error *);

#endif
