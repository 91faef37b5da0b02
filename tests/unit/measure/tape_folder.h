/* A runtime folder of the test's own, in memory where there is some. */
#ifndef BENCHTOP_TAPE_FOLDER_H
#define BENCHTOP_TAPE_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char tape_folder[64];

static inline int make_tape_folder(void **state)
{
	(void)state;
	snprintf(tape_folder, sizeof tape_folder, "%s/benchtop-unit-XXXXXX",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(tape_folder))
		return -1;
	return setenv("XDG_RUNTIME_DIR", tape_folder, 1);
}

static inline int remove_tape_folder(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", tape_folder);
	return system(command);
}

#endif
