/*
 * The program that the verb `link` runs: at the near side of an emulated path,
 * with the lab's own terminal, until it ends; and the one that runs at the far
 * side meanwhile, if any.
 *
 * Keys of the terminal reach the program by themselves. When the lab is asked
 * to stop it gives the program a moment to have heard as well, then asks it to
 * terminate, then kills it. The far side's program is asked to terminate when
 * the other has ended.
 */
#ifndef BENCHTOP_LINKED_H
#define BENCHTOP_LINKED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"
#include "link_rows.h"

struct lab;
struct reply;

/* The rows of the verb. They do not sweep: a program runs on one link. */
extern const struct param link_params[];

/* What is to be run; the strings are copied. */
struct linked_request {
	struct link_settings settings;
	char *const *words; /* the program, NULL-terminated */
	const char *far;    /* a line for the far side's shell; NULL: none */
	enum { LINKED_SILENT, LINKED_COUNTERS, LINKED_JSON } says;
};

struct linked {
	enum {
		LINKED_WAITS, /* for the far side's program to listen */
		LINKED_RUNS,
		LINKED_ENDS, /* the far side's program does */
	} stage;
	struct link *link;
	struct linked_request request;
	char **words; /* owned */
	pid_t program, far;
	int descriptor;     /* readable once the program has ended; -1 */
	int code;           /* of the program's end */
	uint64_t since_ns;  /* when the stage began */
	uint64_t asked_ns;  /* when the lab was asked to stop; 0 never */
	bool told;          /* the program was asked to terminate */
	struct error error; /* instead of a code */
};

int linked_start(struct lab *, const struct linked_request *, struct error *);
int linked_descriptor(const struct lab *);
/* Moves along what linked_start() started. True once it is over: the reply has
 * the counters and, as its status without a sentence, the program's exit code
 * (128 + signal). */
bool linked_step(struct lab *, struct reply *);
void linked_stop(struct lab *);
/* At once. */
void linked_cut(struct lab *);
void linked_abandon(struct lab *);

#endif
