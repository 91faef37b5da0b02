/* /dev/net/tun of any rights, for this process and its children alone: what an
 * ordinary user finds on most machines, and on others. */
#ifndef BENCHTOP_TEST_DEVICE_H
#define BENCHTOP_TEST_DEVICE_H

#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* In a mount namespace of its own; only root may. 0 or -1 with errno. */
static inline int bring_device(mode_t rights)
{
	static const char path[] = "/dev/shm/benchtop-test-tun";

	if (unshare(CLONE_NEWNS) ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		mount("none", "/dev/shm", "tmpfs", 0, NULL) ||
		mknod(path, S_IFCHR | rights, makedev(10, 200)) ||
		chmod(path, rights) ||
		mount(path, "/dev/net/tun", NULL, MS_BIND, NULL))
		return -1;
	return 0;
}

/* For good; the files in /proc are the process's own again, as after exec.
 * 0 or -1. */
static inline int become_nobody(void)
{
	return setgid(NOBODY) || setuid(NOBODY) || prctl(PR_SET_DUMPABLE, 1) ?
		-1 :
		0;
}

#endif
