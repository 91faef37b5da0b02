/*
 * The interface by which packets to an address leave, from the kernel's routes:
 * a datagram socket is connected to the address, and sends nothing.
 */
#ifndef BENCHTOP_ROUTE_H
#define BENCHTOP_ROUTE_H

#include <net/if.h>
#include <stdbool.h>
#include <sys/socket.h>

/* "lo" for addresses of this machine. False if there is no route. */
bool route_interface(const struct sockaddr_storage *to, socklen_t length,
	char name[IF_NAMESIZE]);

#endif
