/* Computes position and size of each pane. */
#include "lab_layout.h"

enum {
	ONE = 60,     /* below this many columns: one pane at a time */
	THREE = 110,  /* from this many columns: three columns of panes */
	BROAD = 150,  /* from this many columns: wider outer columns */
	FLAT = 15,    /* below this many rows: no form, or no plot */
	TALL = 30,    /* from this many rows: all panes */
	STACKED = 26, /* from this many rows: three panes in one column */
	LIST = 25,
	LIST_THREE = 27,
	LIST_BROAD = 32,
	RIGHT = 36,
	RIGHT_BROAD = 46,
	FORM = 8,
	RESULT = 19,
	PREDICTION = 7,
	STRIP_MOST = 12,
};

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* The form grows slowly because it needs few rows. The plot can use all. */
static int form_rows(int rows)
{
	return FORM + (rows > 21 ? (rows - 21) / 16 : 0);
}

static void lay_out_middle(struct lab_layout *layout, const struct pane *middle,
	enum focus focus)
{
	int rows = middle->rows;
	int form = form_rows(rows);
	int strip = rows >= TALL ? least(rows / 4, STRIP_MOST) : 0;

	if (rows < FLAT && focus == FOCUS_FORM) {
		layout->form = *middle;
		return;
	}
	if (rows < FLAT)
		form = 0;
	layout->form = pane_part(middle, 0, 0, middle->columns, form);
	layout->plot = pane_part(middle, 0, form, middle->columns,
		rows - form - strip);
	layout->strip =
		pane_part(middle, 0, rows - strip, middle->columns, strip);
}

static void lay_out_right(struct lab_layout *layout, const struct pane *right)
{
	int rows = right->rows;
	int result = least(RESULT, rows);
	int prediction = rows >= TALL ? PREDICTION : 0;

	/* A pane of two rows would hold only its frame. */
	if (rows - result < 5)
		result = rows;
	layout->result = pane_part(right, 0, 0, right->columns, result);
	layout->prediction =
		pane_part(right, 0, result, right->columns, prediction);
	layout->about = pane_part(right, 0, result + prediction, right->columns,
		rows - result - prediction);
}

static void lay_out_one(struct lab_layout *layout, enum focus focus)
{
	const struct pane *body = &layout->body;
	int rows = body->rows;

	if (rows >= STACKED) {
		int list = rows / 3;
		struct pane rest =
			pane_part(body, 0, list, body->columns, rows - list);

		layout->list = pane_part(body, 0, 0, body->columns, list);
		lay_out_middle(layout, &rest, focus);
	} else if (focus == FOCUS_LIST) {
		layout->list = *body;
	} else if (focus == FOCUS_FORM) {
		layout->form = *body;
	} else {
		layout->plot = *body;
	}
}

static void lay_out_body(struct lab_layout *layout, enum focus focus)
{
	const struct pane *body = &layout->body;
	int columns = body->columns;
	bool three = columns >= THREE, broad = columns >= BROAD;
	int left = broad ? LIST_BROAD : three ? LIST_THREE : LIST;
	int right = broad ? RIGHT_BROAD : three ? RIGHT : 0;
	struct pane middle =
		pane_part(body, left, 0, columns - left - right, body->rows);
	struct pane outer =
		pane_part(body, columns - right, 0, right, body->rows);

	layout->list = pane_part(body, 0, 0, left, body->rows);
	lay_out_middle(layout, &middle, focus);
	if (right)
		lay_out_right(layout, &outer);
}

void lab_layout(struct lab_layout *layout, const struct pane *body,
	enum focus focus)
{
	struct pane none = pane_part(body, 0, 0, 0, 0);

	*layout = (struct lab_layout){ .body = *body,
		.list = none,
		.form = none,
		.plot = none,
		.strip = none,
		.result = none,
		.prediction = none,
		.about = none };
	if (body->columns < ONE)
		lay_out_one(layout, focus);
	else
		lay_out_body(layout, focus);
}
