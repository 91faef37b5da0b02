/*
 * Whole files: reading with a size limit, and saving so that a crash at any
 * moment leaves either the old file or the new one.
 *
 * file_save() writes a temporary file beside the target, syncs it, renames it
 * over the target and syncs the folder (the order of Pillai et al., "All file
 * systems are not created equal", OSDI 2014). A symbolic link is followed; the
 * target keeps its mode. After any failure the old file is intact and the
 * temporary file is removed. That of a killed process is removed by the next
 * save in the folder (leftover.h).
 */
#ifndef BENCHTOP_FILE_H
#define BENCHTOP_FILE_H

#include <stddef.h>

#include "error.h"
#include "text.h"

/* Reads a file, or standard input for "-", into `content`. Fails if it has more
 * than limit_bytes. A pipe is read to its end; see file_open_input(). While
 * waiting for a pipe, the function fails if a blocked signal (INT, TERM, HUP)
 * becomes pending. */
int file_read(const char *path, size_t limit_bytes, struct text *content,
	struct error *);
/* Reads a file that benchtop keeps for itself: see file_open_own(). `flags` is
 * O_NOFOLLOW or 0. */
int file_read_own(const char *path, int flags, size_t limit_bytes,
	struct text *content, struct error *);
int file_save(const char *path, const char *content, size_t length,
	struct error *);
/* Syncs a folder in which a file got its name, `saved` in the error. Does
 * nothing if the folder cannot be read. */
int file_sync_folder(const char *folder, const char *saved, struct error *);
/* Locks a folder against other labs until the descriptor is closed; -1: it
 * cannot be opened. A lab that was stopped with the lock delays others only for
 * half a second, and NFS may refuse the lock: then the folder is not locked. */
int file_lock_folder(const char *folder);
/* Writes all bytes, with several write() calls if necessary. Returns 0, or -1
 * with errno. */
int file_write_all(int fd, const void *bytes, size_t length);
/* The first line of a small file (sysfs, procfs), without its newline. Returns
 * 0; -1 and "" if the file cannot be read. Reports no error. */
int file_peek(const char *path, char *into, size_t size_bytes);

/* Folders after the XDG base directory specification 0.8: an environment
 * variable that is not an absolute path is ignored. Each function returns a
 * path that the caller frees, or NULL. A missing folder is created with mode
 * 0700. */
char *folder_state(void);  /* $XDG_STATE_HOME/benchtop: autosaved sessions; on
			    * NULL, errno has the reason */
char *folder_state_path(void); /* without creating it; NULL: not named */
char *folder_config(void); /* $XDG_CONFIG_HOME/benchtop */
/* The folder of tapes: $XDG_RUNTIME_DIR/benchtop, else /dev/shm/benchtop-UID. A
 * folder on a disk is not used, because writing it back would cause page faults
 * in trials. NULL if neither folder is in memory and owned by the user. */
char *folder_runtime(void);
/* folder_runtime(), and the folder in $XDG_RUNTIME_DIR if it is different: it
 * may hold tapes of an earlier run. Returns the number of paths. */
enum { RUNTIME_FOLDERS = 2 };
size_t folders_runtime(char *paths[RUNTIME_FOLDERS]);

#endif
