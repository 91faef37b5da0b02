/* Two folders for the tests of files: one in memory, one below the current
 * folder, which is on a disk on most machines. */
#ifndef BENCHTOP_FILE_FOLDERS_H
#define BENCHTOP_FILE_FOLDERS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "file_cache.h"
#include "file_made.h"
#include "probe.h"
#include "text.h"

extern char shm[];
extern char disk[4096 + 32];
extern struct probe probe;

size_t page_bytes(void);
size_t entries_in(const char *path);
struct file_made make_file(const char *folder, uint64_t bytes);
/* True if the second folder is on a disk. */
bool on_disk(void);
int make_folders(void **state);
int remove_folders(void **state);

#endif
