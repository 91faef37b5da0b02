/* Finding a route. */
#include "route.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tcp.h"

/* The local address that is used to reach `to`. */
static bool find_local(const struct sockaddr_storage *to, socklen_t length,
	struct sockaddr_storage *local)
{
	socklen_t room = sizeof *local;
	int fd = socket(to->ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool found = fd >= 0 &&
		!connect(fd, (const struct sockaddr *)to, length) &&
		!getsockname(fd, (struct sockaddr *)local, &room);

	if (fd >= 0)
		close(fd);
	return found;
}

static bool has_address(const struct ifaddrs *interface,
	const struct sockaddr_storage *local)
{
	const struct sockaddr *address = interface->ifa_addr;
	struct sockaddr_storage copy = { 0 };

	if (!address || address->sa_family != local->ss_family)
		return false;
	memcpy(&copy, address,
		address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
						 sizeof(struct sockaddr_in));
	return tcp_same_host(&copy, local);
}

bool route_interface(const struct sockaddr_storage *to, socklen_t length,
	char name[IF_NAMESIZE])
{
	struct sockaddr_storage local = { 0 };
	struct ifaddrs *all;

	*name = '\0';
	if (!find_local(to, length, &local) || getifaddrs(&all))
		return false;
	if (tcp_same_host(to, &local))
		snprintf(name, IF_NAMESIZE, "lo");
	for (struct ifaddrs *at = all; at && !*name; at = at->ifa_next)
		if (has_address(at, &local))
			snprintf(name, IF_NAMESIZE, "%s", at->ifa_name);
	freeifaddrs(all);
	return *name != '\0';
}
