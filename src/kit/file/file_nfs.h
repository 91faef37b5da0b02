/*
 * A test file on an NFS server, accessed directly by libnfs: without a mount,
 * without root, and without a cache on the client.
 *
 * `nfs://server/export/folder/?version=4` names the folder. The options after
 * the question mark (version, nfsport, mountport, uid, gid) are those of
 * libnfs. NFS has no files without names, so the name identifies the creator
 * (leftover.h). file_nfs_close() removes the file. If a crash left one behind,
 * the next file created there removes it.
 *
 * A server that stops responding is detected within FILE_NFS_SILENT_MS.
 * Mounting, which takes several requests, may take up to FILE_NFS_MOUNT_S. The
 * server's name is resolved once, without a time limit, while probe_alive() is
 * called.
 *
 * If benchtop was built without libnfs, file_nfs_make() fails with that error.
 */
#ifndef BENCHTOP_FILE_NFS_H
#define BENCHTOP_FILE_NFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

enum { FILE_NFS_SILENT_MS = 5000, FILE_NFS_MOUNT_S = 30 };

struct file_nfs;
struct probe;

bool file_nfs_is_url(const char *where);
/* Creates and syncs a file of `size_bytes` with the content of `seed`. Returns
 * NULL with an error. *lost is set if the server is unreachable, not if it
 * refuses. Calls probe_alive() (the probe may be NULL). */
struct file_nfs *file_nfs_make(const char *url, uint64_t size_bytes,
	uint64_t seed, struct probe *, bool *lost, struct error *);
/* Reads `length` bytes from `offset`, with as many calls as the server needs.
 * False on failure, with the cause in file_nfs_why(). */
bool file_nfs_read(struct file_nfs *, void *into, size_t length,
	uint64_t offset);
const char *file_nfs_why(const struct file_nfs *);
/* The protocol: "nfs 3", "nfs 4". */
const char *file_nfs_type(const struct file_nfs *);
/* Removes the file if the server still responds, and frees everything. */
void file_nfs_close(struct file_nfs *);

#endif
