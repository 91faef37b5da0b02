/*
 * The Machine screen: the machine under test, and its disturbances.
 *
 *     machine    the output of `machine`, most relevant first; it scrolls
 *     processors a map: a column for each core, a row for each of its
 *                threads, with frequency and load. Below are the caches and
 *                the cores that share them. If loads from memory were
 *                measured, their latencies are shown too.
 *     doctor     the findings of `doctor`, worst first, with effect and fix
 *                of the selected check below
 *
 * The doctor's rows are lab->doctor: at first quick checks only, after
 * `checkup again` also checks that measure. Frequency and load are sampled
 * when the screen, one of its panes or the doctor is opened. They are sampled
 * at most once a second, and never during a measurement. There is no periodic
 * sampling.
 */
#ifndef BENCHTOP_VIEW_MACHINE_H
#define BENCHTOP_VIEW_MACHINE_H

#include "cpu_map.h"
#include "cpu_now.h"
#include "doctor.h"
#include "screen.h"

/* The parts of the screen that can have the focus. */
enum machine_place { MACHINE_CHECKS, MACHINE_FACTS };

/* What the screen keeps between drawings. */
struct inspection {
	struct cpu_map map;
	struct cpu_now now;
	uint64_t looked_ns; /* raw clock at the last sample; 0: none */
	/* Latency of a load from each level, ns, memory last; NaN: unknown.
	 * Measured by `latency`, the session's last run of loads. */
	double level_ns[CPU_MAP_LEVELS + 1];
	const struct results *latency;
	size_t selected; /* index among the checks as shown */
	int scroll;      /* index of the first fact shown */
};
struct inspection *inspection_of(struct screen *);

/* The check at a place, worst first; NULL after the last. */
const struct doctor_row *inspection_row(const struct doctor *, size_t place);
/* Writes the full explanation of a check. */
void inspection_explain(const struct lab *, const struct doctor_row *,
	struct text *);

/* Functions for the Machine's row in views.h. */
int machine_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void machine_draw(struct screen *, const struct pane *body);
void machine_add_state(const struct screen *, int room, struct text *);
void machine_enter(struct screen *);
void machine_move(struct screen *, int steps);
void machine_release(struct screen *);
extern const struct command checkup_commands[];

/* The parts of the screen; each draws the inside of a frame. machine_facts()
 * returns the number of facts and sets `shown` to the number drawn. */
size_t machine_facts(const struct screen *, const struct inspection *,
	const struct pane *, size_t *shown);
/* Reads the load latencies of the session, once for each run. */
void machine_latencies(struct inspection *, const struct session *);
/* machine_map_rows() returns the rows of the map, at most `rows`, or 0 if there
 * is no room. machine_map() draws the map. */
int machine_map_rows(const struct inspection *, int columns, int rows);
void machine_map(const struct inspection *, int measures, double memory_bytes,
	const struct pane *);
/* Frequency and load of the processors. With cell_width, each core has a cell
 * of this width behind a label: a row for frequency and a row of load for each
 * SMT thread. With cell_width 0, lines of text describe all processors.
 * machine_now_rows() counts the rows, 0 if nothing is known, and machine_now()
 * draws them. machine_say_span() writes the time over which the load was
 * averaged. */
enum { MAP_NOW_LABEL = 6 };
int machine_now_rows(const struct inspection *, bool in_words);
void machine_now(const struct inspection *, int measures, int cell_width,
	const struct pane *);
void machine_say_span(const struct inspection *, struct text *);
/* Writes when the checks were made: "14:02". Adds the date if it is not
 * today. */
void machine_say_checked(const struct lab *, struct text *);
void machine_doctor(const struct screen *, const struct inspection *,
	const struct pane *);

#endif
