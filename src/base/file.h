/*
 * Whole files: read with a limit, and saved so that a crash at any moment
 * leaves either the old file or the new one.
 *
 * file_save() writes a temporary file beside the target, syncs it, renames it
 * over the target and syncs the folder (the order of Pillai et al., "All file
 * systems are not created equal", OSDI 2014). A symbolic link is followed
 * once; the target keeps its mode. After any failure the old file is whole
 * and the temporary one is gone.
 */
#ifndef BENCHTOP_FILE_H
#define BENCHTOP_FILE_H

#include <stddef.h>

#include "error.h"
#include "text.h"

/* Reads a file or, for "-", standard input into `content`; refuses more than
 * limit_bytes. Of a pipe it reads to the end, and gives up where a signal
 * (INT, TERM, HUP) that is blocked waits to be taken meanwhile. */
int file_read(const char *path, size_t limit_bytes, struct text *content,
	struct error *);
int file_save(const char *path, const char *content, size_t length,
	struct error *);
/* All of it, in as many writes as that takes. */
int file_write_all(int fd, const void *bytes, size_t length);
/* The first bytes of a small file (sysfs, procfs) without its last newline;
 * "" and -1 where it cannot be read. Never fails loudly. */
int file_peek(const char *path, char *into, size_t size_bytes);

/* Folders after the XDG base directory specification 0.8: an environment
 * variable that is not an absolute path is ignored. Each returns a path to be
 * freed, made with mode 0700 where it was missing, or NULL. */
char *folder_state(void);  /* $XDG_STATE_HOME/benchtop: sessions by itself */
char *folder_config(void); /* $XDG_CONFIG_HOME/benchtop */
/* Where tapes lie: $XDG_RUNTIME_DIR/benchtop, or where that cannot be, or lies
 * on a disk, whose writing back would show up in trials as page faults,
 * /dev/shm/benchtop-UID. NULL where neither is memory and the user's own. */
char *folder_runtime(void);
/* That one, and the one that the variable names where it is another: what lay
 * there before may be looked for. So many were found. */
enum { RUNTIME_FOLDERS = 2 };
size_t folders_runtime(char *paths[RUNTIME_FOLDERS]);

#endif
