/* Separate namespaces for mounts and network. */
#include "namespace.h"

#include <net/if.h>
#include <sys/ioctl.h>

static int loopback_up(void)
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

int own_namespaces(int flags)
{
	if (geteuid() || unshare(flags) ||
		mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	return flags & CLONE_NEWNET ? loopback_up() : 0;
}
