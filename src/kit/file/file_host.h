/*
 * Whose a remote file is: the machine behind an NFS URL or a mount, by name
 * and address, and whether a round trip of this session went there.
 *
 * Nothing is asked of the file system, which may be one that no longer
 * answers: a path is looked for among the mount points by its letters
 * (/proc/self/mountinfo), so that one which goes through a symbolic link to a
 * mount has no known host. Nor is a name resolved: the same machine by
 * another name is another one, except where the mount names the address too.
 */
#ifndef BENCHTOP_FILE_HOST_H
#define BENCHTOP_FILE_HOST_H

#include <stdbool.h>

struct basis;
struct range;

struct file_host {
	char name[256];   /* "nas", "10.0.0.7", "fe80::1" */
	char address[64]; /* of the mount's option addr=; "" unknown */
};
/* False where no machine is named. `root` goes before /proc, for tests. */
bool file_host(struct file_host *, const char *where, const char *root);

/* Is a row `host` of a network experiment that machine? loopback is what is
 * mounted from this machine; a link never is. */
bool file_host_is(const struct file_host *, const char *host);

/* The latest round trip of this session to that machine, ns, where there was
 * one: by TCP rather than by anything else. */
bool file_host_round_trip(const struct file_host *, struct basis *,
	struct range *);

#endif
