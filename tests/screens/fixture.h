/* The fixture's lab with a screen. */
#ifndef BENCHTOP_SCREENS_FIXTURE_H
#define BENCHTOP_SCREENS_FIXTURE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit/lab/lab_fixture.h"
#include "activity.h"
#include "answer.h"
#include "ui.h"
#include "verbs.h"
#include "view.h"

void fixture_open_list(struct lab *lab, struct screen *screen,
	const struct experiment *const *list);
void fixture_open(struct lab *lab, struct screen *screen);
/* Makes a run the active one, without advancing it; NULL: none. */
void fixture_going(struct lab *lab, struct run *run);
void fixture_select(struct screen *screen, const char *name);
/* Presses a key for each character, by the names that a terminal uses. */
void fixture_type(struct screen *screen, const char *chars);
bool fixture_in_diet(uint32_t code);
void fixture_close(struct lab *lab, struct screen *screen);
/* A home folder for the tests of a program. */
int fixture_home(void **state);
int fixture_away(void **state);

#endif
