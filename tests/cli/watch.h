/* The published data of a running lab, seen from another process. */
#ifndef BENCHTOP_CLI_WATCH_H
#define BENCHTOP_CLI_WATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run.h"
#include "tape.h"

void pause_ms(long ms);
/* Finds the only tape in the folder, or returns false. */
bool find_tape(char *path, size_t size);
/* The number of trials on the tape of a dead lab, counted by the test
 * itself. */
size_t trials_on(const char *path);
/* The same for the tape of a running lab; 0 while there is none. */
size_t trials_so_far(void);
/* Waits until the only running lab has made some trials after the warm-up;
 * false if it ends before, or never does. */
bool wait_for_trials(pid_t lab);
/* Waits for the end of a program. Returns its exit code, or 128 + signal. */
int wait_status(pid_t pid);

#endif
