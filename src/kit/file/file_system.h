/*
 * What a file lies on: the file system by its mount (/proc/self/mountinfo), the
 * device with its scheduler and read-ahead (sysfs), and whether it is another
 * machine's.
 *
 * A file system is remote when statfs(2) says so (NFS, SMB, Ceph, 9p, AFS, ..)
 * or, since FUSE is only a way to write one, when a FUSE file system is of a
 * known kind or was mounted from somewhere like host:path.
 */
#ifndef BENCHTOP_FILE_SYSTEM_H
#define BENCHTOP_FILE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

struct probe;

struct file_system {
	char type[48];     /* "ext4", "fuse.sshfs"; "unknown" */
	char source[96];   /* what was mounted: "/dev/sda1", "host:/export" */
	char options[160]; /* of the mount and of the file system */
	char device[32];   /* the disk's name in sysfs; "" none */
	char scheduler[32];
	int64_t read_ahead_bytes; /* -1 unknown */
	bool remote;
};

/* Of an open file or folder. `root` goes before /proc and /sys, for tests; ""
 * is this machine. */
void file_system_read(struct file_system *, int fd, const char *root);
/* The notes `file-system` and `device` of a point. */
void file_system_note(const struct file_system *, struct probe *);

#endif
