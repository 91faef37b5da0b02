/* The one screen and lab that all tests of a program share, each beginning with
 * a fresh one: measured by open_measured(), or opened by the program's own;
 * close_lab() ends it. Included last: its names are those of other headers'
 * parameters. */
#ifndef BENCHTOP_SEATED_H
#define BENCHTOP_SEATED_H

#include <stdbool.h>

#include "fixture.h"
#include "hint.h"

extern struct screen screen;
extern struct lab lab;

int open_measured(void **state);
/* The Sweep screen with all that the sweeps' fixture has measured. */
int open_swept(void **state);
int close_lab(void **state);
/* The screen as text, until it is drawn again. */
const char *drawn_at(int columns, int rows);
/* The value of a parameter at the point that the screen shows. */
const char *swept_value(const char *param);
/* Presses a key by its name: a letter, or "Enter". */
void press(const char *key);
/* The screen's last message. */
const char *said(void);

/* A line, and what is said of it. */
struct answer {
	const char *line, *said;
};

void assert_answers(const struct answer *answers, size_t count);

/* What a field is given, and what is said of it before it is taken. */
struct hinted {
	const char *typed, *words;
	bool wrong;
};

void assert_hints(const struct hinted *cases, size_t count);

#endif
