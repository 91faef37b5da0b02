/* The version of this build. */
#ifndef BENCHTOP_VERSION_H
#define BENCHTOP_VERSION_H

/* "1.0.0" of a release, "1.0.0+git.1fa2d340" of a git tree that is not at the
 * tag of a release (cmake/version.cmake). */
extern const char benchtop_version[];

#endif
