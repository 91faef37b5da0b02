/*
 * The busy tasks: two samples of /proc, a tenth of a second apart. Private to
 * the doctor's files.
 */
#ifndef BENCHTOP_DOCTOR_TASKS_H
#define BENCHTOP_DOCTOR_TASKS_H

#include <stdbool.h>

#include "text.h"

/* Appends the busiest tasks to a sentence, ": make (pid 12) 98 % on cpu 1".
 * Returns false if no other task is busy. */
bool tasks_name_busy(const char *root, struct text *sentence);

#endif
