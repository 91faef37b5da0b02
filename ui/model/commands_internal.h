/*
 * What the screen's verbs do; commands_screen.c has the table that names them.
 * Each is as command.h wants it: check_ has no effect and finds every fault,
 * exec_ fills in a reply.
 */
#ifndef BENCHTOP_COMMANDS_INTERNAL_H
#define BENCHTOP_COMMANDS_INTERNAL_H

#include "command.h"
#include "screen.h"

static inline struct screen *screen_of(const struct call *call)
{
	return call->screen;
}

/* The tables, but those of the views. */
extern const struct command screen_commands[], terminal_commands[];

/* Is the first argument a whole number of steps? */
int check_steps(const struct call *, struct error *);
int steps_of(const struct call *);
/* A place so many steps on, inside 0 .. count - 1. */
int moved(int at, int steps, int count);
/* Is the first argument, if there is one, among the command's words? */
int check_word(const struct call *, struct error *);
/* The same, where the verb is not what the words are. */
int check_word_of(const struct call *, const char *what, struct error *);

/* Where the eye is. */
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

/* What an experiment is run with. */
enum outcome exec_change(const struct call *, struct reply *);
int check_slide(const struct call *, struct error *);
enum outcome exec_slide(const struct call *, struct reply *);
int check_edit(const struct call *, struct error *);
enum outcome exec_edit(const struct call *, struct reply *);
enum outcome exec_guess(const struct call *, struct reply *);

/* What is shown, and how. */
extern const char *const plot_words[];
enum outcome exec_plot(const struct call *, struct reply *);
enum outcome keep_choice(struct screen *, const char *name, const char *value,
	const char *kinds); /* remembers it, and says so */
enum outcome exec_glyphs(const struct call *, struct reply *);
enum outcome exec_theme(const struct call *, struct reply *);
enum outcome exec_details(const struct call *, struct reply *);
enum outcome exec_words(const struct call *, struct reply *);
enum outcome exec_keys(const struct call *, struct reply *);
enum outcome exec_about(const struct call *, struct reply *);
int check_scroll(const struct call *, struct error *);
enum outcome exec_scroll(const struct call *, struct reply *);
enum outcome exec_filter(const struct call *, struct reply *);
int check_snapshot(const struct call *, struct error *);
enum outcome exec_snapshot(const struct call *, struct reply *);

#endif
