/* A flood of connections from one address of loopback. */
#ifndef BENCHTOP_FLOOD_H
#define BENCHTOP_FLOOD_H

#include <sys/types.h>

#define FLOODER "127.0.0.2"

enum { FLOOD_PER_S = 1600, FLOOD_GREETINGS = 55 };

struct flood {
	pid_t pid;
	int stop, report;
	int refused; /* greetings */
	double ms[FLOOD_GREETINGS]; /* of the greetings, ascending */
	double rate_per_s; /* connections that were opened */
};

/* Opens FLOOD_PER_S connections a second, if the machine is fast enough, and
 * keeps the last ones open. Once the server refuses some, a client of another
 * address greets FLOOD_GREETINGS times, five times a second. */
void flood(struct flood *);
/* Greetings that were done in a second. */
int flood_fast(const struct flood *);
/* Raises the limit of descriptors, for the connections that are held. */
void flood_permit(void);

#endif
