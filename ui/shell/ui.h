/*
 * The screen: opens a terminal on a lab and lets a person work in it.
 *
 * The idle mark. With BENCHTOP_IDLE_MARK in the environment the screen sends
 *
 *     ESC ] 7777 ; idle ; KEYS ; FRAMES ; COLUMNS ; ROWS ; DRAWING BEL
 *
 * each time it has taken in what came, painted, and goes to wait: keys taken
 * in and frames painted since it was opened, the size that was painted, and
 * the processor time that all frames together took, in ns: their figures, the
 * grid, and what ncurses made and sent of it.
 * Tests and benchmarks wait for the mark that counts their last key instead
 * of sleeping; it goes through the terminal since only there it cannot
 * overtake what was painted. Without the variable nothing is sent.
 */
#ifndef BENCHTOP_UI_H
#define BENCHTOP_UI_H

#include <stdbool.h>

#include "error.h"
#include "loop.h"
#include "settings.h"

struct screen;

/* Adds the screen's own verbs and those of its views to the lab's tables, in
 * every mode: without a screen they say that they need one. */
void ui_add_commands(struct lab *);

/* Takes a word of the command line that is the screen's: true. */
bool ui_read_option(const char *word, struct ui_options *);
/* Runs until the user leaves; *status is the exit code then. -1: the screen
 * could not be opened, and the error says why. */
int ui_run(struct lab *, struct loop *, const struct ui_options *,
	enum status *, struct error *);

#endif
