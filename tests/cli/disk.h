/* A folder where the tests run, which is on a disk on most machines, besides
 * the one in memory that each test has (run.h). */
#ifndef BENCHTOP_CLI_DISK_H
#define BENCHTOP_CLI_DISK_H

#include <stdio.h>

#include "run.h"

static char disk[544];

static inline int make_folders(void **state)
{
	char here[512];

	if (make_folder(state) || !getcwd(here, sizeof here))
		return -1;
	snprintf(disk, sizeof disk, "%s/disk-XXXXXX", here);
	return mkdtemp(disk) ? 0 : -1;
}

static inline int remove_folders(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", disk);
	int failed = system(text_chars(&command));
	text_free(&command);
	return failed || remove_folder(state);
}

#endif
