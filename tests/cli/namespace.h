/* Separate namespaces for mounts and network: what the test mounts and listens
 * on is invisible to others, and is gone when the test ends. Needs root. */
#ifndef BENCHTOP_NAMESPACE_H
#define BENCHTOP_NAMESPACE_H

#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

/* Returns 0, or -1 if it is not permitted. `flags` as for unshare(2). */
int own_namespaces(int flags);

#endif
