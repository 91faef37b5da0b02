/* A folder below the current one, which on most machines is on a disk. Each
 * test also has a folder in memory (run.h). */
#ifndef BENCHTOP_CLI_DISK_H
#define BENCHTOP_CLI_DISK_H

#include <stdio.h>

#include "run.h"

extern char disk[544];

int make_folders(void **state);
int remove_folders(void **state);
/* Starts the program with a run that makes a folder in `disk`, and ends it with
 * a signal while that folder exists. */
void end_killed(const char *const *words, int number);
/* Waits until the processes of a killed lab have ended. They become children of
 * this process, because one that is ending has no words and no environment by
 * which processes_of() could recognise it. */
void await_no_process(void);

#endif
