/*
 * The file system of a file, from its mount (/proc/self/mountinfo), its device
 * with scheduler and read-ahead (sysfs), and whether it is on another machine.
 *
 * A file system is remote if its mount has the type of a network file system
 * (NFS, SMB, Ceph, 9p, AFS, ..). FUSE is only a way to implement file systems.
 * A FUSE file system is remote if it is of a known kind or its source looks
 * like host:path. statfs(2) is not asked: it fails on a mount that lost its
 * server.
 */
#ifndef BENCHTOP_FILE_SYSTEM_H
#define BENCHTOP_FILE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

struct probe;

struct file_system {
	char type[48];     /* "ext4", "fuse.sshfs"; "unknown" */
	char source[96];   /* the source of the mount: "/dev/sda1",
			    * "host:/export" */
	char options[160]; /* of the mount and of the file system */
	char device[32];   /* the disk's name in sysfs; "" if none */
	char scheduler[32];
	int64_t read_ahead_bytes; /* -1: unknown */
	bool remote;
};

/* Reads the data of an open file or folder. `root` is a prefix of /proc and
 * /sys, for tests; "" is this machine. */
void file_system_read(struct file_system *, int fd, const char *root);
/* Adds the notes `file-system` and `device` to a point. */
void file_system_note(const struct file_system *, struct probe *);

#endif
