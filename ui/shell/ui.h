/*
 * The screen: opens a terminal on a lab and lets the user work in it.
 *
 * The idle mark. With BENCHTOP_IDLE_MARK in the environment the screen sends
 *
 *     ESC ] 7777 ; idle ; KEYS ; FRAMES ; COLUMNS ; ROWS ; DRAWING BEL
 *
 * each time it has painted a frame and begins to wait. KEYS and FRAMES count
 * the keys processed and the frames painted since the start. COLUMNS and ROWS
 * are the painted size. DRAWING is the processor time of all frames in ns:
 * computing figures, drawing the grid, and ncurses output.
 *
 * Tests and benchmarks wait for the mark that counts their last key instead of
 * sleeping. The mark goes through the terminal, so it cannot overtake painted
 * bytes. Without the variable nothing is sent.
 */
#ifndef BENCHTOP_UI_H
#define BENCHTOP_UI_H

#include <stdbool.h>

#include "error.h"
#include "loop.h"
#include "settings.h"

struct screen;

/* Adds the verbs of the screen and its views to the lab's tables, in every
 * mode. Without a screen these verbs fail with a message that they need one. */
void ui_add_commands(struct lab *);

/* Reads a word of the command line; returns true if it is an option of the
 * screen. */
bool ui_read_option(const char *word, struct ui_options *);
/* -1: a value is not one of its words; see the error. */
int ui_check_options(const struct ui_options *, struct error *);
/* Runs until the user leaves; *status is then the exit code. The options must
 * be checked. -1: the screen could not be opened; see the error. */
int ui_run(struct lab *, struct loop *, const struct ui_options *,
	enum status *, struct error *);

#endif
