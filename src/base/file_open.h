/*
 * Opening files without waiting for another process.
 *
 * open(2) of a named pipe waits for its other end. Signals are blocked in most
 * of the program, so that such a wait could not be interrupted.
 */
#ifndef BENCHTOP_FILE_OPEN_H
#define BENCHTOP_FILE_OPEN_H

#include <stdbool.h>

#include "error.h"

/* Opens a file that benchtop keeps for itself (STATE, CONFIG in docs/files.md),
 * with the flags of open(2) and mode 0600 if it is created. Refuses what is not
 * a regular file, with O_NOFOLLOW also a symbolic link. Returns a descriptor,
 * or -1 with an error. */
int file_open_own(const char *path, int flags, struct error *);
/* For a library that opens the file itself: false if there is anything but a
 * regular file. True if the path has none, or cannot be reached. */
bool file_is_own(const char *path);

/* Opens a file that a user names, for reading without O_NONBLOCK. A pipe with a
 * writer is accepted, as the shell makes it for <(COMMAND). A pipe without one
 * is refused after FILE_WRITER_MS; so are folders and sockets. */
enum { FILE_WRITER_MS = 2000 };
int file_open_input(const char *path, struct error *);

/* Fails if a blocked signal (INT, TERM, HUP) is pending. */
int file_stopped(const char *path, struct error *);

#endif
