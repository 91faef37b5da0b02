/*
 * Tokens: the secret that both ends of a session hold.
 *
 * A token is a file of at least 16 bytes that only its owner may read or write
 * (mode 0600 or less); white space at its end does not count. It never appears
 * on a command line, and never crosses a network: the ends prove to each other
 * that they hold it (wire.h).
 */
#ifndef BENCHTOP_TOKEN_H
#define BENCHTOP_TOKEN_H

#include "error.h"
#include "wire.h"

/* Reads the key of a token's file. 0 or -1. */
int token_read(const char *path, uint8_t key[WIRE_KEY], struct error *);

#endif
