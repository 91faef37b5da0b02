/*
 * Names for resources that may outlive a process: files and control groups.
 *
 * The name identifies the creator: the host and its PID namespace, the process,
 * and the start time of that process (/proc/PID/stat, field 22, so that a
 * reused PID is recognised). So a later process can distinguish what a crash
 * left behind from what is in use, even in a folder that several machines
 * share. An orphan was created on this host by a process that no longer exists.
 */
#ifndef BENCHTOP_LEFTOVER_H
#define BENCHTOP_LEFTOVER_H

#include <stdbool.h>

#include "text.h"

/* Adds ".benchtop-HOST-PID-STARTED-NUMBER" for the calling process. */
void leftover_name(struct text *name, unsigned number);
/* True if the name was given on this host by a process that has ended. */
bool leftover_is_orphan(const char *name);
/* Removes the orphaned files of a folder. Folders and symbolic links stay: a
 * link records a folder elsewhere (file_tree.h). */
void leftover_sweep_files(const char *folder);
/* Does the same, then creates a file of such a name with the flags of open(2).
 * Sets its path. Returns a descriptor, or -1 with errno. */
int leftover_create(const char *folder, int flags, struct text *path);

#endif
