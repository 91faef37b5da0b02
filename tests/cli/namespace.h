/* A namespace of the test's own for mounts and for the network: what it mounts
 * and listens on is nobody else's, and gone when it ends. Needs root. */
#ifndef BENCHTOP_NAMESPACE_H
#define BENCHTOP_NAMESPACE_H

#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

static inline int loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	request.ifr_flags = IFF_UP | IFF_RUNNING;
	int failed = ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
	return failed;
}

/* 0, or -1: not permitted here. `flags` as for unshare(2). */
static inline int own_namespaces(int flags)
{
	if (geteuid() || unshare(flags) ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	return flags & CLONE_NEWNET ? loopback_up() : 0;
}

#endif
