/* Paths whose rounds are checked at both ends. */
#ifndef BENCHTOP_TEST_ROUNDS_H
#define BENCHTOP_TEST_ROUNDS_H

#include "path.h"

struct path *path_new(void);
void path_free(struct path *path);
void assert_rounds(const struct talk *talk, const int *segments, size_t count);
void assert_initial(const struct talk *talk, enum initial_window_state state,
	int segments);

#endif
