/*
 * Remote hosts that were measured with: remembered for completion, one a line,
 * the latest first, in the file `hosts` of the folder of the configuration.
 */
#ifndef BENCHTOP_HOSTS_H
#define BENCHTOP_HOSTS_H

#include "results.h"

enum { HOSTS_MOST = 32 };

/* Remembers the hosts whose far ends answered in this run. What cannot be
 * written is forgotten. */
void hosts_remember(const struct results *);
/* The remembered ones, NULL-terminated; to be freed by hosts_free(). */
char **hosts_read(void);
void hosts_free(char **);

#endif
