/* A runtime folder for the test, in memory if possible. */
#ifndef BENCHTOP_TAPE_FOLDER_H
#define BENCHTOP_TAPE_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

int make_tape_folder(void **state);
int remove_tape_folder(void **state);

#endif
