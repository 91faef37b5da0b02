/* A file system of a test's own: files, folders and links below a root folder
 * that is created before a test and removed after it. */
#ifndef BENCHTOP_FAKE_ROOT_H
#define BENCHTOP_FAKE_ROOT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "text.h"

extern char fake_root[64];

int fake_open(void **state);
int fake_close(void **state);
/* The path below the root; creates the folders it needs. */
char *fake_place(const char *path);
void fake_bytes(const char *path, const char *bytes, size_t length);
void fake_file(const char *path, const char *content);
/* Creates a symbolic link; the target need not exist. */
void fake_link(const char *path, const char *target);
/* Creates a device in the layout of sysfs: a link from its class into the tree
 * of buses. */
void fake_device(const char *path, const char *in_devices);

#endif
