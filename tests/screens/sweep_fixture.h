/* A lab of constant sweeps: latency over sizes with its levels, a mountain, a
 * trace with peaks, choices, one point. Made by hand like those of
 * lab_fixture.h. */
#ifndef BENCHTOP_SCREENS_SWEEP_FIXTURE_H
#define BENCHTOP_SCREENS_SWEEP_FIXTURE_H

#include <stdbool.h>

#include "fixture.h"

struct swept_args {
	int64_t size_bytes, stride_bytes;
	int choice, other;
};

extern const struct param latency_params[];

#define SWEPT_EXPERIMENT(ID, NAME, TITLE, PARAMS, METRICS, PROPERTY)    \
	const struct experiment ID = {                                  \
		.name = NAME,                                           \
		.title = TITLE,                                         \
		.question = "How does it change along the way?",        \
		.method = "It is done many times in a loop of nothing " \
			  "else, and timed as a whole.",                \
		.params = PARAMS,                                       \
		.args_size = sizeof(struct swept_args),                 \
		.metrics = METRICS,                                     \
		.trial = fixture_trial,                                 \
		PROPERTY,                                               \
	}

extern const struct experiment swept_syscall;
extern const struct experiment swept_fault;
extern const struct experiment swept_latency;
extern const struct experiment swept_mountain;

enum { SWEPT_LAUNCHES = 6, SWEPT_TRIALS = 12, SWEPT_OPS = 1000 };

/* Adds trials of `ns` each. */
void swept_fill(struct results *results, struct point *point, double ns,
	unsigned part);
struct results *swept_results(const struct experiment *experiment);
struct point *swept_point(struct results *results, const char *first,
	const char *second);
/* The transition between two levels takes half an octave. */
double swept_ns(double bytes, bool random);
/* Two sizes per octave, 1K to 256M; only the first `measured` points have
 * figures. */
struct results *swept_latencies(size_t measured);
struct results *swept_finder(void);
struct results *swept_ranges(void);
/* A page fault per touch, every 512th more expensive, and one interrupted. */
struct results *swept_touches(void);
struct results *swept_choices(int calls, int vias);
/* Opens a lab with these experiments, on a machine with a name. */
void swept_open_list(struct lab *lab, struct screen *screen,
	const struct experiment *const *list);
void swept_caches(struct lab *lab);
void swept_open(struct lab *lab, struct screen *screen);
void swept_measure(struct lab *lab);

#endif
