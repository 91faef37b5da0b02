/* Shared by terminal.c and terminal_events.c; private to them. */
#ifndef BENCHTOP_TERMINAL_INTERNAL_H
#define BENCHTOP_TERMINAL_INTERNAL_H

/* Defines the keys for which ncurses has no capability. */
void events_prepare(void);
/* The bytes that undo every mode that terminal_events.c may have set. */
const char *events_undo(void);

#endif
