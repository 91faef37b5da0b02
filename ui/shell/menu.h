/*
 * A menu on top of a screen: the possible exports, or the session's notes.
 *
 * Until Esc it receives the keys of the place "menu". Choosing an export opens
 * the `:` line with its command, where only the file name is left to type.
 * Choosing a note opens the line that replaces it; the last entry opens the
 * line that adds a note.
 */
#ifndef BENCHTOP_MENU_H
#define BENCHTOP_MENU_H

#include "command.h"
#include "screen.h"

/* The number of entries; 0 if no menu is open. */
int menu_count(const struct screen *);
void menu_draw(const struct screen *, const struct pane *);
extern const struct command menu_commands[];

#endif
