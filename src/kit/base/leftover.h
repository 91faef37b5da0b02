/*
 * Names for what outlives a process: files with a name, control groups.
 *
 * Such a thing carries in its name who made it: the host and its space of
 * process numbers, the process, and when that process started (/proc/PID/stat,
 * field 22, so that a number used again is no excuse). Whoever comes next can
 * tell what a crash has left behind from what is in use, also in a folder that
 * several machines share: only what was made here, by a process that is no
 * more, is an orphan.
 */
#ifndef BENCHTOP_LEFTOVER_H
#define BENCHTOP_LEFTOVER_H

#include <stdbool.h>

#include "text.h"

/* Adds ".benchtop-HOST-PID-STARTED-NUMBER" of the calling process. */
void leftover_name(struct text *name, unsigned number);
/* Was it named so here, by a process that has ended? */
bool leftover_is_orphan(const char *name);
/* Removes the orphans among the files of a folder. */
void leftover_sweep_files(const char *folder);

#endif
