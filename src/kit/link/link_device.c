/* The TUN device of one side of a link, and the settings of its namespace. */
#include "link_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	PREFIX_4 = 24,
	PREFIX_6 = 64,
	/* Packets that may wait for the relay: 120 ms at 1 Gbit/s. */
	DEVICE_QUEUE = 10000,
};
static const char device_name[] = "link";

/* Layout of linux/ipv6.h, which conflicts with netinet/in.h. */
struct address_6 {
	struct in6_addr address;
	uint32_t prefix;
	int index;
};

int link_tun_open(struct error *error)
{
	static const char path[] = "/dev/net/tun";
	int tun = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (tun >= 0)
		return tun;
	switch (errno) {
	case EACCES:
	case EPERM:
		return error_set(error, STATUS_PERMISSION,
			"cannot open %s: the link needs access for this user, "
			"as by `chmod 0666 %s`",
			path, path);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return error_set(error, STATUS_PERMISSION,
			"cannot open %s: the link needs the kernel's TUN "
			"device, as by `modprobe tun`",
			path);
	default:
		return error_set(error, STATUS_NETWORK, "cannot open %s: %s",
			path, strerror(errno));
	}
}

static int set(int socket, unsigned what, struct ifreq *request,
	const char *name, struct error *error)
{
	snprintf(request->ifr_name, sizeof request->ifr_name, "%s", name);
	if (!ioctl(socket, what, request))
		return 0;
	return error_set(error,
		errno == EPERM ? STATUS_PERMISSION : STATUS_NETWORK,
		"cannot set up device '%s' of the link: %s", name,
		strerror(errno));
}

/* Sets the number of packets that may wait for the relay: by netlink, because
 * the ioctl requires root on the host. Returns 0, or -1 with errno. */
static int set_queue(uint32_t packets)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
		struct rtattr attribute;
		uint32_t packets;
	} request = {
		.header = { sizeof request, RTM_NEWLINK,
			NLM_F_REQUEST | NLM_F_ACK, 0, 0 },
		.link.ifi_index = (int)if_nametoindex(device_name),
		.attribute = { RTA_LENGTH(sizeof packets), IFLA_TXQLEN },
		.packets = packets,
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char request[sizeof request];
	} answer = { .error.error = -EIO };
	int netlink =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (netlink < 0)
		return -1;
	if (send(netlink, &request, sizeof request, 0) == sizeof request &&
		recv(netlink, &answer, sizeof answer, 0) < 0)
		answer.error.error = -errno;
	close(netlink);
	errno = -answer.error.error;
	return answer.error.error ? -1 : 0;
}

static int bring_up(int socket, const char *name, struct error *error)
{
	struct ifreq request = { .ifr_flags = 0 };

	if (set(socket, SIOCGIFFLAGS, &request, name, error))
		return -1;
	request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
	return set(socket, SIOCSIFFLAGS, &request, name, error);
}

static int set_address_4(int socket, enum link_side side, struct error *error)
{
	struct sockaddr_storage address;
	struct sockaddr_in *mask;
	struct ifreq request = { .ifr_flags = 0 };

	link_side_address(side, AF_INET, &address);
	memcpy(&request.ifr_addr, &address, sizeof request.ifr_addr);
	if (set(socket, SIOCSIFADDR, &request, device_name, error))
		return -1;
	mask = (struct sockaddr_in *)(void *)&request.ifr_netmask;
	mask->sin_addr.s_addr = htonl(~0u << (32 - PREFIX_4));
	return set(socket, SIOCSIFNETMASK, &request, device_name, error);
}

/* A kernel without IPv6 gives a link without IPv6. The address is usable a
 * moment after it was set. */
static bool set_address_6(enum link_side side)
{
	enum { WAITS = 1000 };
	int socket6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct address_6 request = {
		.prefix = PREFIX_6,
		.index = (int)if_nametoindex(device_name),
	};
	struct sockaddr_storage address;

	if (socket6 < 0)
		return false;
	socklen_t size = link_side_address(side, AF_INET6, &address);
	request.address = ((struct sockaddr_in6 *)(void *)&address)->sin6_addr;
	bool made = !ioctl(socket6, SIOCSIFADDR, &request);
	for (int i = 0; made && i < WAITS; i++) {
		if (!bind(socket6, (struct sockaddr *)&address, size))
			break;
		usleep(1000);
	}
	close(socket6);
	return made;
}

/* If /proc is read-only, as in some containers, the setting stays: the kernel's
 * defaults work too. */
static void set_kernel(const char *path, const char *value)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	if (file < 0)
		return;
	ssize_t written = write(file, value, strlen(value));
	(void)written;
	close(file);
}

static int set_device(int socket, enum link_side side, struct error *error)
{
	struct ifreq mtu = { .ifr_flags = 0 };

	mtu.ifr_mtu = LINK_MTU;
	if (set_queue(DEVICE_QUEUE))
		return error_set(error, STATUS_NETWORK,
			"cannot give the link's device a queue: %s",
			strerror(errno));
	if (set(socket, SIOCSIFMTU, &mtu, device_name, error) ||
		set_address_4(socket, side, error) ||
		bring_up(socket, device_name, error) ||
		bring_up(socket, "lo", error))
		return -1;
	return 0;
}

int link_device_open(enum link_side side, bool *has_ipv6, struct error *error)
{
	struct ifreq made = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int socket4 = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int tun = link_tun_open(error);

	/* One connection must not affect the next; there is no router. */
	set_kernel("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
	set_kernel("/proc/sys/net/ipv6/conf/default/accept_ra", "0");
	set_kernel("/proc/sys/net/ipv6/conf/default/router_solicitations", "0");
	if (tun >= 0 &&
		(set(tun, TUNSETIFF, &made, device_name, error) ||
			set_device(socket4, side, error))) {
		close(tun);
		tun = -1;
	}
	close(socket4);
	if (tun >= 0)
		*has_ipv6 = set_address_6(side);
	return tun;
}
