/*
 * The doctor: which conditions of this machine distort measurements now?
 *
 * Each check gives a verdict (ok, note, bad), what was found, what it does to
 * which experiments, and the command that would help. The doctor only reads;
 * it never changes anything.
 *
 * "bad" means that figures measured now mislead; "note" that they are true but
 * of something more, or less, than one may think; "ok" that nothing was found.
 * A check that cannot see what it needs says so in `found`.
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
	char found[240];   /* "powersave on cpu 0-7" */
	char touches[120]; /* "all timing", "net.rtt host=NAME" */
	char effect[200];  /* what it does to results; "" when ok */
	char fix[240];     /* one shell command; "" where there is none */
};

struct doctor {
	struct doctor_row *rows;
	size_t count;
};

/* Of two settings that are one, measured in turns. */
struct noise_facts {
	const char *experiment;
	double visible;  /* the smallest change that would show, a share; NaN:
			 * too few clean launches to tell */
	double found;    /* the difference that was there, a share */
	bool told_apart; /* the test held what is one for two */
};

/* Another machine that was measured with, asked whether it answers. */
enum { HOSTS_ASKED = 4 };
struct host_facts {
	char host[280]; /* as typed: NAME[:PORT] */
	bool reached;
	double took_ns; /* to connect */
	char why[80];   /* why not; "" */
};

/* What the doctor is told besides what it reads itself. */
struct doctor_input {
	const struct experiment *const *experiments; /* NULL-terminated */
	const struct machine *machine;
	const struct clock_facts *clock; /* NULL: not measured yet */
	const struct gap_facts *gaps;    /* NULL: not measured yet */
	int cpu;                         /* that measures; -1 not chosen */
	/* Of that processor, by experiment; NULL: not measured. */
	const struct sibling *sibling;
	/* Where the capture helper is, and where files of experiments would
	 * be; NULL: nowhere. */
	const char *capture_helper, *folder;
	const struct noise_facts *noise; /* NULL: not measured */
	size_t noise_count;
	const struct host_facts *hosts; /* NULL: there was nobody to ask */
	size_t host_count;
};

/* Makes one row per check, always all of them and in the same order; takes
 * some milliseconds, and 100 more on a loaded machine to see who loads it.
 * The rows are released by doctor_free(). */
void doctor_examine(const struct doctor_input *, struct doctor *);
/* The same with /proc and /sys looked up below `root`, for tests. */
void doctor_examine_at(const char *root, const struct doctor_input *,
	struct doctor *);
void doctor_free(struct doctor *);
const char *doctor_verdict_word(enum doctor_verdict);

#endif
