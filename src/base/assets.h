/*
 * What comes with the program: scripts, the schema of session files.
 *
 * They lie in one folder: $BENCHTOP_ASSETS where it is set (and nowhere else
 * then); else ../share/benchtop beside the folder of the running program, as
 * `cmake --install` lays it, whatever the prefix; else the assets/ of the
 * source tree that the program was built in. A folder counts when it has the
 * schema.
 */
#ifndef BENCHTOP_ASSETS_H
#define BENCHTOP_ASSETS_H

#include <stddef.h>

/* The folder that the running program lies in, to be freed, or NULL where the
 * kernel does not say. */
char *program_folder(void);
/* The path of an asset ("scripts/quick.lab"), to be freed, or NULL where there
 * is none of that name. */
char *asset_find(const char *name);
/* The names of the files in a folder of the assets ("scripts"), sorted, each
 * and the list to be freed; 0 where there are none. */
size_t asset_names(const char *folder, char ***names);

#endif
