/* A folder where the tests run, which is on a disk on most machines, besides
 * the one in memory that each test has (run.h). */
#ifndef BENCHTOP_CLI_DISK_H
#define BENCHTOP_CLI_DISK_H

#include <stdio.h>

#include "run.h"

extern char disk[544];

int make_folders(void **state);
int remove_folders(void **state);

#endif
