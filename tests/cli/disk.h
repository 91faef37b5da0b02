/* A folder below the current one, which on most machines is on a disk. Each
 * test also has a folder in memory (run.h). */
#ifndef BENCHTOP_CLI_DISK_H
#define BENCHTOP_CLI_DISK_H

#include <stdio.h>

#include "run.h"

extern char disk[544];

int make_folders(void **state);
int remove_folders(void **state);

#endif
