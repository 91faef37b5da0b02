/* A folder below the current one, which on most machines is on a disk. Each
 * test also has a folder in memory (run.h). */
#ifndef BENCHTOP_CLI_DISK_H
#define BENCHTOP_CLI_DISK_H

#include <stdio.h>

#include "run.h"

extern char disk[544];

int make_folders(void **state);
int remove_folders(void **state);
/* Interrupt and kill the program with these words, a run that makes a folder in
 * `disk`, while that folder exists. Fail unless it is removed: by the program,
 * or after a kill by the next one. */
void assert_tidy_if_interrupted(const char *const *words);
void assert_tidy_if_killed(const char *const *words);

#endif
