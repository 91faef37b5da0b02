/*
 * The numbers of connections that gave way to newer ones.
 *
 * A connection that was forgotten and then continues begins again, with nothing
 * known about it. It keeps its number, and is not counted twice. Beyond 512 Ki
 * connections (16 MiB) no more numbers are kept.
 */
#ifndef BENCHTOP_NUMBERS_H
#define BENCHTOP_NUMBERS_H

#include <stdint.h>

struct numbers {
	struct number *at; /* a hash table, probed linearly */
	uint32_t count, room;
};

void numbers_free(struct numbers *);
/* Keeps the number of a connection, by the hash of its ends. */
void numbers_keep(struct numbers *, uint64_t hash, uint64_t number);
/* 0: not kept. */
uint64_t numbers_find(const struct numbers *, uint64_t hash);

#endif
