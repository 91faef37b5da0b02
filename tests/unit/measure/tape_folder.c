/* A runtime folder for the test. */
#include "tape_folder.h"

#include <unistd.h>

static char tape_folder[64];

int make_tape_folder(void **state)
{
	snprintf(tape_folder, sizeof tape_folder, "%s/benchtop-unit-XXXXXX",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(tape_folder))
		return -1;
	return setenv("XDG_RUNTIME_DIR", tape_folder, 1);
}

int remove_tape_folder(void **state)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf %s", tape_folder);
	return system(command);
}
