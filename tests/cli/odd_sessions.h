/* Sessions with many points, launches or trials, and with odd values. */
#ifndef BENCHTOP_ODD_SESSIONS_H
#define BENCHTOP_ODD_SESSIONS_H

#include <stddef.h>

enum odd_values {
	ODD_RISING, /* with the point */
	ODD_SAME,
	ODD_CLOSE,    /* 1000, and the next double */
	ODD_WIDE,     /* from 1e-300 to 1e300 */
	ODD_SWAPPED,  /* that, at random places */
	ODD_OVERHEAD, /* of the clock: 0 or 1e300, canaries in two modes */
	ODDS,
};

extern const char *const odd_names[ODDS];

struct odd_session {
	enum odd_values values;
	unsigned points, launches, trials; /* trials of a launch */
};

/* Saves a session of mem.latency. Returns the size of the file. */
size_t odd_session_save(const struct odd_session *, const char *path);

#endif
