/* /dev/net/tun with any mode, for this process and its children only: as an
 * ordinary user finds it on different machines. */
#ifndef BENCHTOP_TEST_DEVICE_H
#define BENCHTOP_TEST_DEVICE_H

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* Creates it in a separate mount namespace; needs root. Returns 0, or -1 with
 * errno. */
int bring_device(mode_t rights);
/* Changes to the user nobody, permanently. The files in /proc belong to the
 * process again, as after exec. Returns 0 or -1. */
int become_nobody(void);

#endif
