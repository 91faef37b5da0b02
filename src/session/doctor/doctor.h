/*
 * The doctor: which conditions of this machine distort measurements now?
 *
 * Each check gives a verdict (ok, note, bad), its finding, the effect on which
 * experiments, and the command that helps. The doctor only reads; it never
 * changes anything.
 *
 * "bad" means that figures measured now are misleading. "note" means that they
 * are correct, but include more or less than one may expect. "ok" means that
 * nothing was found. A check that lacks permission or data reports that in
 * `found`.
 */
#ifndef BENCHTOP_DOCTOR_H
#define BENCHTOP_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"

struct machine;

enum doctor_verdict { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_BAD };

struct doctor_row {
	const char *check; /* "frequency": one word */
	enum doctor_verdict verdict;
	char found[240];   /* "off", "none of 12 tasks", .. */
	char touches[120]; /* experiments affected: "all timing", "net.rtt
			    * host=NAME" */
	char effect[200];  /* what it does to results; "" when ok */
	char fix[240];     /* one shell command that changes it, or "" */
};

struct doctor {
	struct doctor_row *rows;
	size_t count;
};

/* Comparison of a setting with itself, measured alternately. */
struct noise_facts {
	const char *experiment;
	double visible;  /* smallest detectable change, a fraction; NaN: not
			  * enough clean launches */
	double found;    /* measured difference, a fraction */
	bool told_apart; /* the test found a difference although there is
			  * none */
};

/* Another machine used in measurements, and whether it answers. */
enum { HOSTS_ASKED = 4 };
struct host_facts {
	char host[280]; /* as typed: NAME[:PORT] */
	bool reached;
	double took_ns; /* to connect */
	char why[80];   /* the cause if it was not reached; "" */
};

/* Input in addition to what the doctor reads itself. */
struct doctor_input {
	const struct experiment *const *experiments; /* NULL-terminated */
	const struct machine *machine;
	const struct clock_facts *clock; /* NULL: not yet calibrated */
	const struct gap_facts *gaps;    /* NULL: not yet calibrated */
	int cpu;                         /* measured processor; -1: not
					  * chosen */
	/* SMT sibling of that processor by experiment; NULL: not measured. */
	const struct sibling *sibling;
	/* Path of the capture helper, and the folder for files of experiments;
	 * NULL: none. */
	const char *capture_helper, *folder;
	const struct noise_facts *noise; /* NULL: not measured */
	size_t noise_count;
	const struct host_facts *hosts; /* NULL: no hosts to check */
	size_t host_count;
};

/* Runs all checks and makes one row per check, always in the same order. Takes
 * a few milliseconds, and on a loaded machine 100 more to find the busy tasks.
 * Release the rows with doctor_free(). */
void doctor_examine(const struct doctor_input *, struct doctor *);
/* The same with /proc and /sys below `root`, for tests. */
void doctor_examine_at(const char *root, const struct doctor_input *,
	struct doctor *);
void doctor_free(struct doctor *);
const char *doctor_verdict_word(enum doctor_verdict);

#endif
