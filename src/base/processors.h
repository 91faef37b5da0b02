/*
 * Sets of processors, as sysfs lists them: "0-3,8".
 */
#ifndef BENCHTOP_PROCESSORS_H
#define BENCHTOP_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>

enum { PROCESSORS_MAX = 4096 };

struct processors {
	bool has[PROCESSORS_MAX];
};

/* Reads a list, up to the first character that does not belong to one. Returns
 * the number of processors. */
size_t processors_read(const char *list, struct processors *);
size_t processors_count(const struct processors *);

/* False if sysfs has a folder of memory nodes without its list `online`, as in
 * some sandboxes. hwloc would end the program: load a topology without its
 * component "linux" then. It has processors, but no cores and caches. */
bool nodes_are_listed(void);

#endif
