/*
 * The functions of the screen's verbs; the table in commands_screen.c names
 * them. As command.h requires, check_ functions have no side effects and find
 * every error; exec_ functions fill in a reply.
 */
#ifndef BENCHTOP_COMMANDS_INTERNAL_H
#define BENCHTOP_COMMANDS_INTERNAL_H

#include "command.h"
#include "screen.h"

static inline struct screen *screen_of(const struct call *call)
{
	return call->screen;
}

/* The command tables, except those of the views. */
extern const struct command screen_commands[], terminal_commands[];

/* Checks that the first argument is a whole number of steps. */
int check_steps(const struct call *, struct error *);
int steps_of(const struct call *);
/* Moves an index by `steps`, limited to 0 .. count - 1. */
int moved(int at, int steps, int count);
/* Checks that the first argument, if present, is among the command's words. */
int check_word(const struct call *, struct error *);
/* Like check_word(), with `what` as the kind of word in the error. */
int check_word_of(const struct call *, const char *what, struct error *);

/* Selection and focus. */
enum outcome exec_move(const struct call *, struct reply *);
enum outcome exec_fold(const struct call *, struct reply *);
enum outcome exec_view(const struct call *, struct reply *);
enum outcome exec_focus(const struct call *, struct reply *);
int check_pick(const struct call *, struct error *);
enum outcome exec_pick(const struct call *, struct reply *);
enum outcome exec_mark(const struct call *, struct reply *);
enum outcome exec_field(const struct call *, struct reply *);
enum outcome exec_point(const struct call *, struct reply *);
enum outcome exec_find(const struct call *, struct reply *);
enum outcome exec_again(const struct call *, struct reply *);

/* Parameters of an experiment. */
enum outcome exec_change(const struct call *, struct reply *);
int check_slide(const struct call *, struct error *);
enum outcome exec_slide(const struct call *, struct reply *);
int check_edit(const struct call *, struct error *);
enum outcome exec_edit(const struct call *, struct reply *);
enum outcome exec_guess(const struct call *, struct reply *);

/* Display. */
extern const char *const plot_words[];
extern const char *const glyphs_words[];
extern const char *const colours_words[];
extern const char *const tour_words[];
enum outcome exec_plot(const struct call *, struct reply *);
enum outcome keep_choice(struct screen *, const char *name, const char *value,
	const char *kinds); /* saves the choice and reports it */
enum outcome exec_glyphs(const struct call *, struct reply *);
enum outcome exec_theme(const struct call *, struct reply *);
enum outcome exec_details(const struct call *, struct reply *);
enum outcome exec_words(const struct call *, struct reply *);
enum outcome exec_keys(const struct call *, struct reply *);
enum outcome exec_tour(const struct call *, struct reply *);
enum outcome exec_about(const struct call *, struct reply *);
int check_scroll(const struct call *, struct error *);
enum outcome exec_scroll(const struct call *, struct reply *);
enum outcome exec_filter(const struct call *, struct reply *);
int check_snapshot(const struct call *, struct error *);
enum outcome exec_snapshot(const struct call *, struct reply *);

#endif
