/*
 * The host of a remote file: the machine of an NFS URL or a mount, by name and
 * address, and the round trips of this session to it.
 *
 * The file system itself is not accessed, because it may no longer respond. A
 * path is compared as text with the mount points (/proc/self/mountinfo), so a
 * path that reaches a mount through a symbolic link has no known host. Names
 * are not resolved: two names of one machine count as two machines, unless the
 * mount also has the address.
 */
#ifndef BENCHTOP_FILE_HOST_H
#define BENCHTOP_FILE_HOST_H

#include <stdbool.h>

struct basis;
struct range;

struct file_host {
	char name[256];   /* "nas", "10.0.0.7", "fe80::1" */
	char address[64]; /* from the mount's option addr=; "" if unknown */
};
/* False if no machine is named. `root` is a prefix of /proc, for tests. */
bool file_host(struct file_host *, const char *where, const char *root);

/* True if `host`, a row of a network experiment, is that machine. "loopback"
 * matches what is mounted from this machine; "link" never matches. */
bool file_host_is(const struct file_host *, const char *host);

/* The latest round trip of this session to that machine, ns, preferably by TCP.
 * False if there is none. */
bool file_host_round_trip(const struct file_host *, struct basis *,
	struct range *);

#endif
