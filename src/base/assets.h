/*
 * The files that are part of the program: the scripts of assets/scripts, the
 * published sessions of sessions/, and the scripts that `fleet --hosts`
 * executes. A program that is copied alone to another machine has them too.
 * `cmake --install` copies them below PREFIX/share as well, for readers.
 */
#ifndef BENCHTOP_ASSETS_H
#define BENCHTOP_ASSETS_H

#include <stddef.h>

struct asset {
	const char *name; /* "scripts/quick.lab" */
	const char *text; /* ends with '\0' at `end` */
	const char *end;
};
/* Sorted by name; a row without a name is the last. cmake/assets.cmake makes
 * it. */
extern const struct asset assets[];

/* NULL if no asset has that name. */
const struct asset *asset_find(const char *name);

/* The folder of the running program, which the caller frees; NULL if it is
 * unknown. */
char *program_folder(void);

#endif
