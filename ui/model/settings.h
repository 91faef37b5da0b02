/*
 * What the screen remembers between two lives: the file benchtop/screen in
 * $XDG_CONFIG_HOME, lines of `NAME VALUE` that a person can read and write:
 *
 *     # colours: any, dark, light, mono, high
 *     theme dark
 *     glyphs block
 *     mouse off
 *
 * Glyphs that this terminal cannot show are not taken. Blank lines and those
 * that begin with # are kept as they are. A file that is not understood is
 * never written over: its first fault is told, once, and what is chosen on the
 * screen is then not remembered until it is mended.
 */
#ifndef BENCHTOP_SETTINGS_H
#define BENCHTOP_SETTINGS_H

#include "error.h"
#include "glyphs.h"
#include "theme.h"

enum mouse_use {
	MOUSE_UNSAID,
	MOUSE_TAKEN, /* clicks work the lab */
	MOUSE_LEFT   /* they are the terminal's own */
};

struct settings {
	char *path;       /* owned; NULL: nowhere to remember */
	bool spoilt;      /* not understood: not written */
	enum theme theme; /* THEMES: not said */
	enum tier tier;   /* TIERS: not said */
	enum mouse_use mouse;
};

/* Reads the file; one that is missing says nothing. -1: it is not understood,
 * and the error says where and what was expected. */
int settings_load(struct settings *, struct error *);
/* Writes one line anew, leaving the others as they are. */
int settings_keep(struct settings *, const char *name, const char *value,
	struct error *);
void settings_free(struct settings *);

/* What the command line asks of the screen. */
struct ui_options {
	const char *glyphs; /* braille, block, console, ascii; NULL: fitting */
	const char *theme;  /* any, dark, light, mono, high; NULL: remembered */
	bool no_mouse;      /* it stays the terminal's own */
};

#endif
