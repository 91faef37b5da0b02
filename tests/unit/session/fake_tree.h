/* A machine made of files: /proc and /sys below a folder of the test. */
#ifndef BENCHTOP_FAKE_TREE_H
#define BENCHTOP_FAKE_TREE_H

#include "fake_root.h"

void fake_everywhere(const char *bytes, size_t length);
/* Puts a folder or a pipe in the place of each expected file. */
void fake_folders_everywhere(void);
void fake_pipes_everywhere(void);
void assert_printable(const char *text, size_t size_bytes);
/* All byte values, repeatedly: control characters, invalid UTF-8, and long
 * lines. */
char *fake_garbage(size_t length);

#endif
