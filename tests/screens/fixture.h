/* The fixture's lab with a screen on it. */
#ifndef BENCHTOP_SCREENS_FIXTURE_H
#define BENCHTOP_SCREENS_FIXTURE_H

#include <locale.h>

#include "lab_fixture.h"
#include "screen.h"
#include "view.h"

static inline void fixture_open(struct lab *lab, struct screen *screen)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	lab_init(lab, fixture_list);
	lab->has_screen = true;
	lab_add_table(lab, screen_commands, screen);
	screen_init(screen, lab);
}

static inline void fixture_close(struct lab *lab, struct screen *screen)
{
	screen_release(screen);
	lab_release(lab);
}

#endif
