/* /dev/net/tun of any rights, for this process and its children alone: what an
 * ordinary user finds on most machines, and on others. */
#ifndef BENCHTOP_TEST_DEVICE_H
#define BENCHTOP_TEST_DEVICE_H

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* In a mount namespace of its own; only root may. 0 or -1 with errno. */
int bring_device(mode_t rights);
/* For good; the files in /proc are the process's own again, as after exec.
 * 0 or -1. */
int become_nobody(void);

#endif
