/*
 * `expect`: compares a figure of the last run with a bound.
 */
#ifndef BENCHTOP_EXPECT_H
#define BENCHTOP_EXPECT_H

#include "command.h"

int check_expect(const struct call *, struct error *);
enum outcome exec_expect(const struct call *, struct reply *);
/* Names of the statistics and comparisons, for completion; NULL-terminated. */
extern const char *const expect_stats[], *const expect_operators[];

#endif
