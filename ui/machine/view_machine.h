/*
 * The Machine screen: what is measured on, and what disturbs it.
 *
 *     machine    what `machine` says, the most telling first; it scrolls
 *     processors a map: a column for each core, a row for each of its
 *                threads, how fast it runs and how busy it is, and the caches
 *                with who shares them, and what a load from them took where
 *                loads from memory were measured
 *     doctor     what `doctor` found, the worst first, with the selected
 *                check's effect and fix below
 *
 * The doctor's rows are lab->doctor: at first what is seen at a glance, after
 * `checkup again` also what has to be measured. What the processors do is
 * looked at whenever the screen, one of its panes or the doctor is asked for,
 * at most once a second, and never while something is measured. Nothing here
 * looks again by itself.
 */
#ifndef BENCHTOP_VIEW_MACHINE_H
#define BENCHTOP_VIEW_MACHINE_H

#include "cpu_map.h"
#include "cpu_now.h"
#include "doctor.h"
#include "screen.h"

/* Its places. */
enum machine_place { MACHINE_CHECKS, MACHINE_FACTS };

/* What the screen keeps. */
struct inspection {
	struct cpu_map map;
	struct cpu_now now;
	uint64_t looked_ns; /* when that was, raw; 0: not yet */
	/* What a load from each level takes, ns, memory last; NaN: not known.
	 * Of this run, the session's last of loads. */
	double level_ns[CPU_MAP_LEVELS + 1];
	const struct results *latency;
	size_t selected; /* among the checks as they are shown */
	int scroll;      /* first of the facts that is shown */
};
struct inspection *inspection_of(struct screen *);

/* The check at a place, the worst first; NULL beyond the last. */
const struct doctor_row *inspection_row(const struct doctor *, size_t place);
/* All that is known of a check. */
void inspection_explain(const struct lab *, const struct doctor_row *,
	struct text *);

/* What its row of views.h needs. */
int machine_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void machine_draw(struct screen *, const struct pane *body);
void machine_add_state(const struct screen *, int room, struct text *);
void machine_enter(struct screen *);
void machine_move(struct screen *, int steps);
void machine_release(struct screen *);
extern const struct command checkup_commands[];

/* The parts, each for the inside of a frame. How many facts there are, and how
 * many were shown. */
size_t machine_facts(const struct screen *, const struct inspection *,
	const struct pane *, size_t *shown);
/* Looks for what loads took in the session, once for each run. */
void machine_latencies(struct inspection *, const struct session *);
/* Rows that the map takes of so many at most, 0 where it has no room, and the
 * map. */
int machine_map_rows(const struct inspection *, int columns, int rows);
void machine_map(const struct inspection *, int measures, double memory_bytes,
	const struct pane *);
/* What the processors do: a row of the map each for frequency and shares, its
 * cores so many columns apart behind a label, or where that is 0 lines in
 * words, for all processors. How many rows, the rows, and what time the shares
 * are of; nothing where nothing is known. */
enum { MAP_NOW_LABEL = 6 };
int machine_now_rows(const struct inspection *, bool in_words);
void machine_now(const struct inspection *, int measures, int cell_width,
	const struct pane *);
void machine_say_span(const struct inspection *, struct text *);
void machine_doctor(const struct screen *, const struct inspection *,
	const struct pane *);

#endif
