/* Shared by the tests of the link: opening it, or skipping if the machine does
 * not permit it; addresses, time, packets. */
#ifndef BENCHTOP_ON_LINK_H
#define BENCHTOP_ON_LINK_H

#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "link.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

int64_t now_ns(void);
/* For main(), before the tests: ends the program if no link can be opened. */
void need_link(void);
struct link *opened(const struct link_settings *settings);
/* A path without effect on the test: 1 Gbit/s, no delay, a long queue. */
struct link_settings quick_path(void);
int socket_on(struct link *link, enum link_side side, int domain, int type,
	int protocol);
/* The address of a side with a port. */
socklen_t at_port(const struct link *link, enum link_side side, int family,
	uint16_t port, struct sockaddr_storage *out);
/* A socket on a side, bound to its address and a port. */
int bound(struct link *link, enum link_side side, int family, int type,
	uint16_t port);
bool readable(int fd, int timeout_ms);
/* Both ends of a TCP connection from near to far. */
void connected(struct link *link, uint16_t port, int ends[2]);
/* Waits until everything that arrived is lost, refused or delivered. */
struct link_counters settled(const struct link *link, enum link_side from,
	uint64_t packets);

#endif
