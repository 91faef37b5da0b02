/* Session files in a folder of the test program. */
#ifndef BENCHTOP_SESSION_FOLDER_H
#define BENCHTOP_SESSION_FOLDER_H

#include <stdio.h>

#include "check.h"

extern char folder[];

const char *in_folder(const char *name);
void write_file(const char *path, const char *chars, size_t length);
int make_folder(void **state);
int remove_folder(void **state);

/* The first and last lines of a session, around those that a test wants. */
#define KEPT_BEGIN \
	"{\n \"format\":\"benchtop-session\",\n \"schema\":[1,8],\n"
#define KEPT_END "}\n"

#endif
