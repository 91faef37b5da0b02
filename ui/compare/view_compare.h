/*
 * The Compare screen: two sessions side by side; or the machines of a fleet; or
 * the runs of a history.
 *
 *     sessions   A and B, and the conditions that differ
 *     table      a row for each metric and point that both have: both
 *                figures, the ratio with its interval, a sign for the verdict,
 *                and the interval as a bar around 1
 *     plot       the trials behind the selected row, A above, B below
 *     why        the verdict in words, and its likely cause
 *
 * B is the lab's present session until the user chooses another. The user must
 * choose A: in the browser, which replaces the table, or by `side a FILE`. The
 * screen draws struct compare_pair (compare_sessions.h), with the words of the
 * verb `compare`.
 *
 *     fleet      a heat map of machines and experiments: the ratio of each
 *                machine to the median of the machines that it is compared
 *                with; outliers have a sign. Below: the selected machine
 *     history    the medians of the runs with their intervals, the levels, and
 *                a border at each change. Below: the selected run, and the
 *                nearest change
 *
 * They replace the other parts while they have the focus. The verbs `fleet` and
 * `history` read them (many.h).
 */
#ifndef BENCHTOP_VIEW_COMPARE_H
#define BENCHTOP_VIEW_COMPARE_H

#include "browser.h"
#include "compare_sessions.h"
#include "fleet_sessions.h"
#include "histogram.h"
#include "screen.h"

/* The parts of the screen that can have the focus. */
enum compare_place {
	COMPARE_ROWS,
	COMPARE_BROWSER,
	COMPARE_FLEET,
	COMPARE_HISTORY,
};

struct model_side {
	enum { SIDE_OPEN, SIDE_PRESENT, SIDE_FILE } kind;
	char *name;              /* SIDE_FILE: the name shown; owned */
	struct session *session; /* SIDE_FILE; owned */
};

/* The order of the rows. */
enum model_order {
	ORDER_RATIO,    /* greatest speedup first */
	ORDER_CHANGE,   /* greatest change first */
	ORDER_MEASURED, /* as measured in the second session */
	ORDERS,
};

/* The trials of the selected row, both sides in the same bins. */
struct model_plot {
	size_t row; /* index in the pair */
	int columns;
	bool cycles, made;
	struct histogram halves[2];
	size_t trials[2]; /* clean trials, including those outside the bins */
	double median[2], sd[2];
};

/* The series of one experiment in a fleet. */
struct fleet_column {
	size_t first, count;
};

/* The lab's fleet as it is drawn. */
struct compare_fleet {
	const struct fleet_sessions *of;
	unsigned serial;           /* of `of` (many.h) */
	struct fleet_order order;  /* of the machines */
	struct fleet_column *columns; /* owned */
	size_t column_count;
	size_t row, column; /* selected */
};

/* What the screen keeps between drawings. */
struct compare_model {
	struct model_side sides[2];
	bool made;   /* `pair` is valid */
	size_t runs; /* runs of the present session when `pair` was made */
	struct compare_pair pair;
	size_t *order; /* rows of the pair in the order shown; owned */
	/* Both figures of each row in cycles; NULL until needed; owned. */
	double (*in_cycles)[2];
	size_t selected; /* index in `order` */
	enum model_order by;
	bool cycles; /* show ratios of cycles where both sides have them */
	struct model_plot plot;
	struct browser browser;
	int browsing; /* the side that the browser chooses */
	struct compare_fleet fleet;
	size_t run; /* selected in the history with `run_serial` */
	unsigned run_serial;
};

/* The screen's model, allocated by the first call. */
struct compare_model *model_of(struct screen *);
/* The session of a side; NULL if none is chosen. */
const struct session *model_session(const struct screen *,
	const struct compare_model *, int side);
/* The name of a side: "this session", or a file name. */
const char *model_name(const struct compare_model *, int side);
/* Makes the pair, or updates it after a new run. False: a side is not
 * chosen. */
bool model_make(struct screen *, struct compare_model *);
/* Discards the pair, because a side has changed. */
void model_drop(struct compare_model *);
/* Opens the session `name` for a side, from the file `path` if that is not
 * NULL; a NULL name chooses the present session. Returns -1 with the error if
 * the session cannot be opened. */
int model_choose(struct screen *, int side, const char *name,
	const char *path, struct error *);
/* Sorts the rows after a change of `by` or `cycles`; keeps the selection. */
void model_sort(struct compare_model *);

/* A row as shown: in time or in cycles. */
struct model_row {
	const struct compare_row *row;
	bool cycles;
	bool tested; /* has an interval and a verdict */
	enum unit unit;
	double first, second; /* NaN: unknown */
	double ratio, low, high;
	double delta;         /* the threshold */
	enum verdict verdict; /* if tested */
	const char *word;     /* "faster", "higher", "published" */
};
void model_row_at(const struct compare_model *, size_t place,
	struct model_row *);
/* Counts as compare_count() does, but uses the verdicts on cycles for rows
 * shown in cycles. */
void model_count(const struct compare_model *, struct compare_counts *);
/* Writes a name such as "mem.latency 8M" in at most `columns`, whole words
 * only. A name that is too long loses its group, then the experiment if the
 * metric has its own name. */
void model_say_name(const struct model_row *, int columns, struct text *);
/* The verdict as a character, independent of colour: "<" faster, ">" slower,
 * "=" equivalent, "~" small, "?" inconclusive, "!" undecided, "-" not
 * tested. */
char model_sign(const struct model_row *);
enum role model_role(const struct model_row *);
/* Writes the size of the change: "22.5 %", "3.1 x". Writes nothing if it is
 * unknown. */
void model_say_change(const struct model_row *, struct text *);
/* Writes the verdict of a row in one sentence. */
void model_say_verdict(const struct model_row *, struct text *);
/* Writes what a reader must know to judge the verdict: sentences, or
 * nothing. */
void model_say_notes(const struct model_row *, struct text *);
/* Writes the likely cause of the change, or that none is known. */
void model_say_cause(const struct compare_model *, const struct model_row *,
	struct text *);
/* Writes how far beyond the threshold a change in time would be detected four
 * times in five. Writes nothing if none is detected, or of cycles. */
void model_say_visible(const struct model_row *, struct text *);
/* Writes the differing conditions, as many as fit: "governor powersave ->
 * performance, kernel ..". Without `values`, writes names only. */
void model_say_differences(const struct compare_pair *, bool values,
	int columns, struct text *);

/* Functions for the Compare's row in views.h. */
/* The focused part. It is the browser as long as a session is not chosen. */
int compare_place(const struct screen *);
int compare_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void compare_draw(struct screen *, const struct pane *body);
void compare_add_state(const struct screen *, int room, struct text *);
void compare_enter(struct screen *);
void compare_move(struct screen *, int steps);
void compare_forget(struct screen *);
void compare_release(struct screen *);
extern const struct command contrast_commands[];

/* The fleet; needs one in the lab. */
void compare_fleet_draw(struct screen *, const struct pane *map,
	const struct pane *below);
void compare_fleet_say(const struct screen *, struct text *);
void compare_fleet_move(struct screen *, int down, int across);
void compare_fleet_free(struct compare_fleet *);
/* The history; needs one in the lab. */
void compare_history_draw(struct screen *, const struct pane *plot,
	const struct pane *below);
void compare_history_say(const struct screen *, struct text *);
void compare_history_move(struct screen *, int steps);

/* The parts of the screen; each draws the inside of a frame. */
void compare_table(struct compare_model *, const struct pane *);
void compare_plot(struct compare_model *, const struct pane *);
void compare_why(const struct compare_model *, const struct pane *);

#endif
