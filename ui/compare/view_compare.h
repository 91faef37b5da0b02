/*
 * The Compare screen: two sessions beside one another.
 *
 *     sessions   A and B, what differs around them
 *     table      a row for each metric and point that both have: both
 *                figures, the ratio with its interval, a sign for the verdict,
 *                and the interval as a bar around 1
 *     plot       the trials behind the selected row, A above, B below
 *     why        the verdict in words, and what may be its cause
 *
 * B is the lab's present session until another is chosen, A has to be chosen:
 * in the browser, which takes the place of the table, or by `side a FILE`.
 * What is drawn is struct compare_pair (compare_sessions.h); the words are
 * those of `compare`.
 */
#ifndef BENCHTOP_VIEW_COMPARE_H
#define BENCHTOP_VIEW_COMPARE_H

#include "browser.h"
#include "compare_sessions.h"
#include "histogram.h"
#include "screen.h"

/* Its places. */
enum compare_place { COMPARE_ROWS, COMPARE_BROWSER };

struct model_side {
	enum { SIDE_OPEN, SIDE_PRESENT, SIDE_FILE } kind;
	char *name;              /* SIDE_FILE: as lab_open_session() took it */
	struct session *session; /* SIDE_FILE; owned */
};

/* Which row comes first. */
enum model_order {
	ORDER_RATIO,    /* what became fastest */
	ORDER_CHANGE,   /* what changed most */
	ORDER_MEASURED, /* as the second session has them */
	ORDERS,
};

/* The trials of the selected row, of both sides in the same bins. */
struct model_plot {
	size_t row; /* of the pair */
	int columns;
	bool cycles, made;
	struct histogram halves[2];
	size_t trials[2]; /* clean ones; what the bins do not hold included */
	double median[2], sd[2];
};

/* What the screen keeps. */
struct compare_model {
	struct model_side sides[2];
	bool made;   /* the pair is there */
	size_t runs; /* of the present session when it was made */
	struct compare_pair pair;
	size_t *order; /* rows of the pair as they are shown; owned */
	/* Both figures of each row in cycles; NULL until asked for; owned. */
	double (*in_cycles)[2];
	size_t selected; /* a place in the order */
	enum model_order by;
	bool cycles; /* ratios of cycles where there are any */
	struct model_plot plot;
	struct browser browser;
	int browsing; /* the side that is chosen there */
};

/* The screen's own; made where it is not there yet. */
struct compare_model *model_of(struct screen *);
/* The session of a side, NULL where none is chosen. */
const struct session *model_session(const struct screen *,
	const struct compare_model *, int side);
/* What a side is called: "this session", the name of a file. */
const char *model_name(const struct compare_model *, int side);
/* Brings the pair up to date; false where a side is not chosen. */
bool model_make(struct screen *, struct compare_model *);
/* Forgets the pair: a side has changed. */
void model_drop(struct compare_model *);
/* Opens a session for a side; NULL stands for the present one. */
int model_choose(struct screen *, int side, const char *name,
	struct error *);
/* Sorts again, keeping the selection; after `by` or `cycles` were changed. */
void model_sort(struct compare_model *);

/* A row as it is shown: in time or in cycles. */
struct model_row {
	const struct compare_row *row;
	bool cycles;
	bool tested; /* there is an interval and a verdict */
	enum unit unit;
	double first, second; /* NaN: not known */
	double ratio, low, high;
	enum verdict verdict; /* where it is tested */
	const char *word;     /* "faster", "higher", "published" */
};
void model_row_at(const struct compare_model *, size_t place,
	struct model_row *);
/* compare_count() of what is shown: of cycles where these are compared. */
void model_count(const struct compare_model *, struct compare_counts *);
/* "mem.latency 8M": as many words as so many columns hold, without the group,
 * then of a metric without the experiment where that helps. */
void model_say_name(const struct model_row *, int columns, struct text *);
/* "<" faster, ">" slower, "=" equivalent, "~" small, "?" inconclusive, "-" not
 * tested: what colour says, without it. */
char model_sign(const struct model_row *);
enum role model_role(const struct model_row *);
/* "22.5 %", "3.1 x": by how much; nothing where it is not known. */
void model_say_change(const struct model_row *, struct text *);
/* One sentence: what the row says. */
void model_say_verdict(const struct model_row *, struct text *);
/* What a person must know to trust that: sentences, or nothing. */
void model_say_notes(const struct model_row *, struct text *);
/* What may have caused the change, or why it cannot be told. */
void model_say_cause(const struct compare_model *, const struct model_row *,
	struct text *);
/* What change would have been seen, where that is known. */
void model_say_visible(const struct model_row *, struct text *);
/* "governor powersave -> performance, kernel ..": as many as fit, with the
 * values where `values`. */
void model_say_differences(const struct compare_pair *, bool values,
	int columns, struct text *);

/* What its row of views.h needs. */
/* The list to choose from, also where it is there for lack of a session. */
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

/* The parts, each for the inside of a frame. */
void compare_table(struct compare_model *, const struct pane *);
void compare_plot(struct compare_model *, const struct pane *);
void compare_why(const struct compare_model *, const struct pane *);

#endif
