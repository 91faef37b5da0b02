/*
 * Tokens: the secret that both ends of a session share.
 *
 * A token is a file of at least 16 bytes that only its owner and this user may
 * read or write (mode 0600 or less, or an access control list; acl(5)). White
 * space at its end is ignored. A token never appears on a command line and is
 * never sent over a network: each end proves to the other that it knows the
 * token (wire.h).
 */
#ifndef BENCHTOP_TOKEN_H
#define BENCHTOP_TOKEN_H

#include "error.h"
#include "wire.h"

/* Reads a token's file and derives the key. Returns 0, or -1 with an error. */
int token_read(const char *path, uint8_t key[WIRE_KEY], struct error *);

#endif
