/* What a command may leave outside its folder. */
#ifndef BENCHTOP_FAULT_SURROUNDINGS_H
#define BENCHTOP_FAULT_SURROUNDINGS_H

#include <stdbool.h>

#include "text.h"

/* Notes what is there before any command. `own`: the network, the mounts and
 * /dev/shm are those of this process, so that all changes are of its
 * commands. */
void surroundings_begin(bool own);
/* Adds a line for each network device, mount, semaphore, file of /dev/shm or of
 * the runtime folder that was not there before; call it after `recover`. */
void surroundings_judge(struct text *violations);
/* Adds a line for a memory cgroup of a process that has ended. Another process
 * of the sweep may be about to remove one. */
void surroundings_judge_groups(struct text *violations);

#endif
