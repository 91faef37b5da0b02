/* Removes all rights that the capture helper no longer needs. */
#ifndef BENCHTOP_CONFINE_H
#define BENCHTOP_CONFINE_H

/* Drops every capability permanently, forbids new ones, and forbids all system
 * calls except those that read packets and write records. Returns NULL, or the
 * name of the step that failed. */
const char *confine(void);

#endif
