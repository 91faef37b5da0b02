/*
 * Cache flushes of the device under a file system, counted by the kernel.
 *
 * A device with a volatile write cache has written data durably only after a
 * flush. The kernel counts the completed flushes of a disk: field 16 of its
 * `stat` in sysfs (Linux 5.5; Documentation/admin-guide/iostats.rst). It counts
 * them for disks with request queues (`mq` in sysfs), not for partitions and
 * not for disks made of others, such as device mapper and RAID. Those are
 * followed to their disks (`slaves`). A loop device counts its own, each of
 * which syncs its file (`backing_file`): that file may be in memory. Flushes of
 * all programs are counted.
 */
#ifndef BENCHTOP_FILE_FLUSH_H
#define BENCHTOP_FILE_FLUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILE_FLUSH_DISKS = 16 };

struct file_flush {
	int stats[FILE_FLUSH_DISKS]; /* descriptors of the `stat` files */
	size_t count;
	bool counted;  /* every disk counts its flushes */
	bool volatile_cache; /* a disk reports a volatile write cache; the
			      * kernel sends no flush to others */
	bool memory; /* the file of a loop device is in memory */
};

/* Finds the disks of a device, by its name in sysfs ("sda", "dm-0"). `root` is
 * a prefix of /sys, for tests; "" is this machine. Without a name, or with more
 * disks than fit, nothing is counted. */
void file_flush_open(struct file_flush *, const char *device, const char *root);
/* The flushes that all disks have completed; -1: unknown. */
int64_t file_flush_count(const struct file_flush *);
void file_flush_close(struct file_flush *);

#endif
