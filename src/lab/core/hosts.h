/*
 * Remote hosts of earlier runs, remembered for completion in the file `hosts`
 * of the configuration folder: one per line, the latest first.
 */
#ifndef BENCHTOP_HOSTS_H
#define BENCHTOP_HOSTS_H

#include "results.h"

enum { HOSTS_MOST = 32 };

/* Remembers the hosts whose servers answered in this run. A failure to write is
 * ignored. */
void hosts_remember(const struct results *);
/* The remembered hosts, NULL-terminated; to be freed by hosts_free(). */
char **hosts_read(void);
void hosts_free(char **);

#endif
