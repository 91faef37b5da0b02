/*
 * A test file on an NFS server that is spoken to directly (libnfs): no mount,
 * no root, and no cache on this side.
 *
 * `nfs://server/export/folder/?version=4` names the folder; what may follow
 * the question mark (version, nfsport, mountport, uid, gid) is libnfs's. The
 * file must have a name, since an NFS server knows no others: it says whose it
 * is (leftover.h), is removed by file_nfs_close(), and swept away by the next
 * file made there when a crash had left it. A server that is gone is noticed
 * within FILE_NFS_SILENT_MS and not waited for; to mount, which is several
 * questions, may take up to FILE_NFS_MOUNT_S. The server's name is looked up
 * once, however long that takes, and signs of life are shown meanwhile.
 *
 * Where benchtop was built without libnfs, file_nfs_make() says so.
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
/* A file of `size_bytes` with the content of `seed`, synced; NULL with a
 * sentence. *lost is set where the server cannot be reached, rather than
 * refuses. The probe (may be NULL) is kept alive. */
struct file_nfs *file_nfs_make(const char *url, uint64_t size_bytes,
	uint64_t seed, struct probe *, bool *lost, struct error *);
/* All of `length` bytes from `offset`, over as many calls as the server wants.
 * False: file_nfs_why() says why. */
bool file_nfs_read(struct file_nfs *, void *into, size_t length,
	uint64_t offset);
const char *file_nfs_why(const struct file_nfs *);
/* What it is: "nfs 3", "nfs 4". */
const char *file_nfs_type(const struct file_nfs *);
/* Removes the file, if the server still answers, and lets go of all. */
void file_nfs_close(struct file_nfs *);

#endif
