/*
 * The kernel's TCP counters of this network namespace: /proc/net/netstat and
 * /proc/net/snmp. They count for all processes of the namespace. Counters of
 * one connection are in its TCP_INFO (tcp.h).
 */
#ifndef BENCHTOP_NETSTAT_H
#define BENCHTOP_NETSTAT_H

#include <stdbool.h>
#include <stdint.h>

struct netstat {
	uint64_t syn_retransmissions, listen_overflows, retransmissions;
	bool known; /* the files could be read */
};
struct netstat netstat_now(void);
/* The differences to earlier counters. */
struct netstat netstat_since(struct netstat);

#endif
