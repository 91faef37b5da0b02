/* One screen and one lab for all tests of a program. Each test starts with a
 * new one, opened by open_measured() or by the program's own function;
 * close_lab() ends it. Include this header last: its names are parameter names
 * in other headers. */
#ifndef BENCHTOP_SEATED_H
#define BENCHTOP_SEATED_H

#include <stdbool.h>

#include "fixture.h"
#include "hint.h"

extern struct screen screen;
extern struct lab lab;

int open_measured(void **state);
/* The Sweep screen with all runs of the sweep fixture. */
int open_swept(void **state);
int close_lab(void **state);
/* The screen as text, valid until it is drawn again. */
const char *drawn_at(int columns, int rows);
/* True if the screen has these words. */
bool drawn_has(int columns, int rows, const char *words);
/* The value of a parameter at the shown point. */
const char *swept_value(const char *param);
/* Presses a key by its name: a letter, or "Enter". */
void press(const char *key);
/* The screen's last message. */
const char *said(void);

/* A line, and the expected message. */
struct answer {
	const char *line, *said;
};

void assert_answers(const struct answer *answers, size_t count);

/* Input of a form's field, and the expected hint before it is accepted. */
struct hinted {
	const char *typed, *words;
	bool wrong;
};

void assert_hints(const struct hinted *cases, size_t count);

#endif
