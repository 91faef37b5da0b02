/*
 * A menu on top of a screen: what can be exported, or the session's notes.
 *
 * It takes the keys of the place "menu" until Esc. To take an entry of the
 * export menu opens the `:` line with the command it stands for, so that only
 * a file's name is left to be typed; to take a note opens the line that
 * replaces it, the last entry the line that adds one.
 */
#ifndef BENCHTOP_MENU_H
#define BENCHTOP_MENU_H

#include "command.h"
#include "screen.h"

/* How many entries there are; 0 where none is open. */
int menu_count(const struct screen *);
void menu_draw(const struct screen *, const struct pane *);
extern const struct command menu_commands[];

#endif
