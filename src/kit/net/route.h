/*
 * Which interface packets to an address leave by: the kernel's routes are asked
 * by a datagram socket that is connected and sends nothing.
 */
#ifndef BENCHTOP_ROUTE_H
#define BENCHTOP_ROUTE_H

#include <net/if.h>
#include <stdbool.h>
#include <sys/socket.h>

/* "lo" for this machine's own addresses. False: there is no route. */
bool route_interface(const struct sockaddr_storage *to, socklen_t length,
	char name[IF_NAMESIZE]);

#endif
