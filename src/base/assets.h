/*
 * The files that are installed with the program: scripts, the schema of session
 * files.
 *
 * All assets are in one folder. If $BENCHTOP_ASSETS is set, only that folder is
 * tried. Otherwise it is ../share/benchtop relative to the folder of the
 * running program, where `cmake --install` puts it under any prefix. The last
 * choice is assets/ of the source tree in which the program was built. A folder
 * is accepted if it contains the schema.
 */
#ifndef BENCHTOP_ASSETS_H
#define BENCHTOP_ASSETS_H

#include <stddef.h>

/* The folder of the running program, which the caller frees; NULL if it is
 * unknown. */
char *program_folder(void);
/* The path of an asset ("scripts/quick.lab"), which the caller frees; NULL if
 * no asset has that name. */
char *asset_find(const char *name);
/* The sorted names of the files in a folder of the assets ("scripts"). The
 * caller frees each name and the list. Returns their number; 0 if there are
 * none. */
size_t asset_names(const char *folder, char ***names);

#endif
