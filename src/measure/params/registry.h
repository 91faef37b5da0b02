/*
 * The experiments, found by name. The list itself is generated from the
 * folder probes/ and handed over by main.
 */
#ifndef BENCHTOP_REGISTRY_H
#define BENCHTOP_REGISTRY_H

#include <stddef.h>

#include "error.h"
#include "probe.h"

struct registry {
	const struct experiment *const *list; /* NULL-terminated, by name */
	size_t count;
};

/* Checks every descriptor (names, tables, units, presets): a mistake aborts
 * with the experiment and what is wrong with it. */
void registry_init(struct registry *, const struct experiment *const *list);
const struct experiment *registry_find(const struct registry *,
	const char *name);
/* The same, failing with the nearest name. */
const struct experiment *registry_get(const struct registry *, const char *name,
	struct error *);
/* "cpu" of "cpu.syscall": its length. */
size_t registry_group(const struct experiment *);

#endif
