/* System calls that the kernel headers of an old distribution do not name.
 * Their numbers are the same on every architecture. */
#ifndef BENCHTOP_NEW_CALLS_H
#define BENCHTOP_NEW_CALLS_H

#include <sys/syscall.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9 */
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438 /* Linux 5.6 */
#endif

#endif
