/* The end of a process with that of its parent. */
#ifndef BENCHTOP_DIE_WITH_H
#define BENCHTOP_DIE_WITH_H

#include <sys/types.h>

/* For a child, soon after fork(): the kernel sends it the signal `number` when
 * the process `parent` ends (PR_SET_PDEATHSIG in prctl(2)). If that has already
 * ended, the child exits. A new user namespace and a change of user clear the
 * setting: call it after those. */
void die_with(pid_t parent, int number);

#endif
