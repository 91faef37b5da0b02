/* How the bytes of a direction were stamped when they were recorded first. */
#ifndef BENCHTOP_STAMPS_H
#define BENCHTOP_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

/* Of data in a connection whose packets were recorded several times. */
struct stamp {
	uint64_t from; /* position; up to the next stamp */
	uint32_t tsval;
	uint16_t id; /* IPv4 identification, as of the stream's first segment */
	bool has_tsval, has_id;
	bool joined; /* of several packets */
};

struct stamps {
	struct stamp *at; /* a ring */
	uint32_t first, count, room;
	uint64_t end; /* of the last one */
};

#endif
