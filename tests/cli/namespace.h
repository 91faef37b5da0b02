/* A namespace of the test's own for mounts and for the network: what it mounts
 * and listens on is nobody else's, and gone when it ends. Needs root. */
#ifndef BENCHTOP_NAMESPACE_H
#define BENCHTOP_NAMESPACE_H

#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

/* 0, or -1: not permitted here. `flags` as for unshare(2). */
int own_namespaces(int flags);

#endif
