/*
 * Settings of the screen, saved between starts. The file is benchtop/screen in
 * $XDG_CONFIG_HOME; its lines `NAME VALUE` can be edited by hand:
 *
 *     # colours: any, dark, light, mono, high
 *     theme dark
 *     glyphs block
 *     mouse off
 *
 * Glyphs that the terminal cannot show are not applied. Blank lines and lines
 * that begin with # are preserved. An invalid file is never overwritten: its
 * first error is reported once. Until the file is corrected, choices on the
 * screen are not saved.
 */
#ifndef BENCHTOP_SETTINGS_H
#define BENCHTOP_SETTINGS_H

#include "error.h"
#include "glyphs.h"
#include "theme.h"

enum mouse_use {
	MOUSE_UNSAID,
	MOUSE_TAKEN, /* the lab receives clicks */
	MOUSE_LEFT   /* the terminal keeps clicks */
};

struct settings {
	char *path;       /* owned; NULL: settings cannot be saved */
	bool there;       /* the file exists */
	bool spoilt;      /* the file is invalid; it is not written */
	enum theme theme; /* THEMES: not set */
	enum tier tier;   /* TIERS: not set */
	enum mouse_use mouse;
};

/* Reads the file; a missing file sets nothing. -1: the file is invalid; the
 * error names the place and the expected text. */
int settings_load(struct settings *, struct error *);
/* Saves one setting; keeps the other lines. */
int settings_keep(struct settings *, const char *name, const char *value,
	struct error *);
void settings_free(struct settings *);

/* Options of the command line for the screen. */
struct ui_options {
	const char *glyphs; /* braille, block, console, ascii; NULL:
			     * automatic */
	const char *theme;  /* any, dark, light, mono, high; NULL: saved
			     * theme */
	bool no_mouse;      /* the terminal keeps the mouse */
	bool tour;          /* begin the tour (tour.h) */
};

#endif
