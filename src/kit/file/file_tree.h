/*
 * A folder for tests with names: files cannot be created, renamed or found
 * without a visible folder that contains them.
 *
 * The folder has a name that identifies its creator (leftover.h) and is removed
 * with all its contents by file_tree_remove(). A killed process cannot call
 * that. So before the folder is created, a symbolic link of the same name in
 * the state folder records its path, unless it is in the state folder itself.
 * file_tree_sweep() removes the folders of processes that have ended; the lab
 * calls it at its start, after each run and in `recover`.
 */
#ifndef BENCHTOP_FILE_TREE_H
#define BENCHTOP_FILE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct probe;

struct file_tree {
	int fd;     /* of the folder; -1: none */
	char *path; /* of the folder, owned */
	char *link; /* path of the record, owned; NULL: not needed */
};

/* Creates the folder inside `folder`, empty and for this user only. Returns 0,
 * or -1 with an error: no such folder, not writable, no state folder. */
int file_tree_make(struct file_tree *, const char *folder, struct error *);
/* Makes and opens `count` folders in it. Returns 0, or -1 with errno: then only
 * the descriptors of those that were opened are set. */
int file_tree_folders(const struct file_tree *, int *fds, size_t count);
/* Removes it. Calls probe_alive() meanwhile (the probe may be NULL). Does
 * nothing if there is none. */
void file_tree_remove(struct file_tree *, struct probe *);
/* The number of entries of an open folder. */
int64_t file_tree_entries(int fd);
/* Removes the folders of ended processes of this user. */
void file_tree_sweep(void);

#endif
