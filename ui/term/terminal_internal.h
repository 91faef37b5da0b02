/* What the files behind terminal.h share. Private to them. */
#ifndef BENCHTOP_TERMINAL_INTERNAL_H
#define BENCHTOP_TERMINAL_INTERNAL_H

/* Makes ncurses know the keys it has no capability for. */
void events_prepare(void);
/* What undoes everything events may have asked the terminal for. */
const char *events_undo(void);

#endif
