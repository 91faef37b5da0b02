/* What a lab that runs has published, seen from outside. */
#ifndef BENCHTOP_CLI_WATCH_H
#define BENCHTOP_CLI_WATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run.h"
#include "tape.h"

void pause_ms(long ms);
/* The one tape in the folder, or false. */
bool find_tape(char *path, size_t size);
/* Trials that a dead lab's tape published, counted by this test. */
size_t trials_on(const char *path);
/* Waits until the one lab that runs has taken some trials that count; false
 * where it has ended, or never does. */
bool wait_for_trials(pid_t lab);
/* Waits for the end of a program: its exit code, or 128 + signal. */
int wait_status(pid_t pid);

#endif
