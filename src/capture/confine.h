/* Gives up everything the capture helper does not need any more. */
#ifndef BENCHTOP_CONFINE_H
#define BENCHTOP_CONFINE_H

/* Drops every capability for good, forbids new ones, and all system calls but
 * those that read packets and write records. NULL, or what failed. */
const char *confine(void);

#endif
