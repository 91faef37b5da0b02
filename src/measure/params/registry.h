/*
 * The experiments, found by name. The list is generated from the folder probes/
 * and passed by main.
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

/* Checks every descriptor (names, tables, units, presets). A mistake aborts the
 * program with the experiment and the reason. */
void registry_init(struct registry *, const struct experiment *const *list);
const struct experiment *registry_find(const struct registry *,
	const char *name);
/* By its name, or by the word after the dot if one experiment has that. */
const struct experiment *registry_called(const struct registry *,
	const char *word);
/* The same, or the only one whose word after the dot begins with `name`:
 * "sysc". The error names all that do, or the nearest name. */
const struct experiment *registry_get(const struct registry *, const char *name,
	struct error *);
/* Length of the group's name: "cpu" of "cpu.syscall". */
size_t registry_group(const struct experiment *);

#endif
