/* A machine made of files: /proc and /sys below a folder of the test's own. */
#ifndef BENCHTOP_FAKE_TREE_H
#define BENCHTOP_FAKE_TREE_H

#include "fake_root.h"

void fake_everywhere(const char *bytes, size_t length);
/* Something else stands where a file is expected. */
void fake_folders_everywhere(void);
void fake_pipes_everywhere(void);
void assert_printable(const char *text, size_t size_bytes);
/* Every byte there is, over and over: control characters, broken UTF-8, and
 * no line end for long. */
char *fake_garbage(size_t length);

#endif
