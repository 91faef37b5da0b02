/* Session files in a folder of the test program. */
#include "session_folder.h"

#include <stdlib.h>

char folder[] = "/tmp/test-session-XXXXXX";

const char *in_folder(const char *name)
{
	static char path[200];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

void write_file(const char *path, const char *chars, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(chars, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

int make_folder(void **state)
{
	return !mkdtemp(folder);
}

int remove_folder(void **state)
{
	char command[60];

	snprintf(command, sizeof command, "rm -r '%s'", folder);
	return system(command);
}
