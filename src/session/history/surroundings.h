/*
 * What surrounded the runs of a kept session: the system and the program whose
 * updates may change a figure. Read from the lines of its file (kept_scan.h).
 */
#ifndef BENCHTOP_SURROUNDINGS_H
#define BENCHTOP_SURROUNDINGS_H

#include <stdbool.h>

#include "kept_scan.h"
#include "text.h"

enum surrounding {
	SURROUNDING_DEVICE, /* since schema 1.2 */
	SURROUNDING_PROCESSOR,
	SURROUNDING_PROCESSORS,
	SURROUNDING_THREADS,
	SURROUNDING_NODES,
	SURROUNDING_FIRMWARE, /* since schema 1.6 */
	SURROUNDING_HYPERVISOR,
	SURROUNDING_SYSTEM,
	SURROUNDING_KERNEL,
	SURROUNDING_KERNEL_VERSION,
	SURROUNDING_COMMAND_LINE,
	SURROUNDING_MICROCODE,
	SURROUNDING_MITIGATIONS,
	SURROUNDING_GOVERNOR,
	SURROUNDING_LIBC,
	SURROUNDING_BENCHTOP,
	SURROUNDING_COMPILER,
	SURROUNDING_FLAGS,
	SURROUNDING_BUILD,
	SURROUNDING_BUILD_ID, /* since schema 1.4 */
	SURROUNDINGS,
};

struct surroundings {
	char *value[SURROUNDINGS]; /* owned; NULL: not in the file */
	char *host;                /* the machine's name; owned; NULL */
};

/* Keeps the value if the line has one. */
bool surroundings_take(struct surroundings *, struct kept_line *);
void surroundings_free(struct surroundings *);

/* "kernel", "command line", .. */
const char *surrounding_name(enum surrounding);
/* Adds what the first and the second session have that the other has not. False
 * if their values are equal, or one is not in its file. */
bool surrounding_differs(enum surrounding, const struct surroundings *first,
	const struct surroundings *second, struct text *a, struct text *b);

#endif
