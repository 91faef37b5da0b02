/*
 * The link: an emulated path between two network namespaces of its own.
 *
 *     near side                    relay                     far side
 *     TUN device  -> loss -> queue -> rate -> delay ->  TUN device
 *                 <- delay <- rate <- queue <- loss <-
 *
 * Both ends are the kernel's own network stack; between them a relay process
 * moves packets from one TUN device to the other. The host's network is never
 * changed: the namespaces are new and contain only `lo` and the device. They
 * disappear with the last process and descriptor in them.
 *
 * Two processes serve a link: the keeper, which creates sockets in either
 * namespace, and the relay. Both are children of the thread that opened the
 * link and end with it, even after kill -9, by PR_SET_PDEATHSIG and by end of
 * file on their sockets. That thread must exist as long as the link is used. At
 * the end the keeper kills all other processes in the namespaces except the
 * owner.
 *
 * Root creates the namespaces directly, so that a program on the link keeps
 * root's rights. An ordinary user creates a user namespace around them in which
 * it is root, and needs access to /dev/net/tun.
 *
 * The fate of a packet is computed when it is read, in this order:
 *   loss     drawn from the seed, the direction and the packet's index only:
 *            the same seed drops the same indices, independent of timing
 *   queue    drop-tail: a packet is dropped if the maximum of packets or bytes
 *            is already waiting; the packet being sent does not count
 *   rate     sending takes the bits of the IP packet divided by the rate, one
 *            packet after the other, in virtual time: a late relay does not
 *            make the path slower
 *   delay    half the round trip
 *   reorder  drawn like loss: the packet is held back until three later packets
 *            of its direction have overtaken it, at most a quarter of the
 *            round trip (a millisecond if that is shorter)
 * Both directions have the same settings and are independent. Multicast, which
 * a kernel sends on a new network, is neither forwarded nor counted.
 *
 * MTU 1500: the MSS is 1460 for IPv4, 1448 bytes of data with timestamps. So
 * the steady goodput of 20 Mbit/s is 20 x 1448 / 1500 = 19.31 Mbit/s. Sockets
 * on the link may use any congestion control that the kernel has loaded. The
 * kernel caches no metrics between connections (tcp_no_metrics_save).
 */
#ifndef BENCHTOP_LINK_H
#define BENCHTOP_LINK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "error.h"
#include "unit.h"

enum { LINK_MTU = 1500 };

enum link_side { LINK_NEAR, LINK_FAR, LINK_SIDES };
/* A direction is named by the side at which it begins: counters and drops of
 * [LINK_NEAR] are for packets from near to far. */

/* The ranges that link_check() accepts. */
#define LINK_RTT_LEAST_NS     0
#define LINK_RTT_MOST_NS      10e9
#define LINK_RATE_LEAST_BIT_S 64e3
#define LINK_RATE_MOST_BIT_S  1e9
#define LINK_QUEUE_LEAST      LINK_MTU
#define LINK_QUEUE_MOST       (1e5 * (double)UNIT_QUEUE_PACKETS)
#define LINK_REORDER_MOST     0.5
enum { LINK_QUEUE_BYTES_MOST = 1 << 28 };

enum { LINK_DROPS_MAX = 64 };

struct link_settings {
	int64_t rtt_ns;     /* 0 .. 10 s */
	int64_t rate_bit_s; /* 64 Kbit .. 1 Gbit, in each direction */
	/* In each direction: bytes, or N times UNIT_QUEUE_PACKETS for N
	 * packets. */
	int64_t queue;
	double loss;    /* 0 .. 1, of the packets of each direction */
	double reorder; /* 0 .. 0.5 */
	uint64_t seed;  /* of loss and reorder */
	int cpu;        /* of the relay; LINK_ANY_CPU: chosen by the
			 * scheduler */
	/* Indices of packets that are dropped for any seed, from 0,
	 * ascending. */
	unsigned drops[LINK_SIDES];
	uint64_t drop[LINK_SIDES][LINK_DROPS_MAX];
};
enum { LINK_ANY_CPU = -1 };

/* 40 ms, 20 Mbit/s, 80 packets, no loss. */
struct link_settings link_preset(void);
/* Checks the ranges. Returns 0, or -1 with an error. */
int link_check(const struct link_settings *, struct error *);

/* Counters of one direction, since link_open() or link_configure(). Packets
 * arrive, and are then lost, refused by the queue, or (later) delivered; the
 * remaining packets are in transit. */
struct link_counters {
	uint64_t packets, bytes; /* arrived; IP header included */
	uint64_t delivered, delivered_bytes;
	uint64_t lost;       /* by loss and by scripted drops */
	uint64_t refused;    /* the queue was full */
	uint64_t reordered;  /* overtaken by others */
	uint64_t queue_peak; /* most packets waiting at one time */
	uint64_t queue_peak_bytes;
	uint64_t busy_ns;               /* time spent on sending accepted
					 * packets */
	uint64_t late_ns, late_peak_ns; /* lateness of deliveries: sum and
					 * maximum. It is caused by the machine
					 * that runs the emulation */
	uint64_t ignored; /* multicast, not IP; not in `packets` */
	/* The indices of the first packets lost. */
	uint64_t lost_index[LINK_DROPS_MAX];
};

struct link;

/* Creates the namespaces and starts the relay. On failure *link is NULL,
 * nothing is left behind, and the error includes the cure. The status is
 * STATUS_PERMISSION if the machine does not permit it. */
int link_open(const struct link_settings *, struct link **link, struct error *);
/* Changes the settings on the same namespaces. Packets in transit are
 * discarded; counters and indices restart at 0. Sockets stay open, but a
 * connection that spans the change has lost packets. */
int link_configure(struct link *, const struct link_settings *, struct error *);
/* Ends the processes; does nothing for NULL. The namespaces disappear when the
 * sockets created in them are closed too. */
void link_close(struct link *);

/* Creates a socket in the namespace of one side, close-on-exec, like socket(2).
 * Raw sockets (ICMP) are permitted. Returns -1 with an error. Takes about 50
 * us, because the keeper creates it. */
int link_socket(struct link *, enum link_side, int domain, int type,
	int protocol, struct error *);
/* The address of one side: 10.77.0.1 and .2, or fd77::1 and ::2, port 0.
 * Returns its length, or 0 if the kernel lacks the family. */
socklen_t link_address(const struct link *, enum link_side, int family,
	struct sockaddr_storage *);
struct link_counters link_counters(const struct link *, enum link_side from);
/* True after the relay has been killed, alone or with the keeper: no packet
 * arrives any more, and sockets on the link may not report it. The kernel
 * removes the routes of a killed relay shortly before: after an error of a
 * socket wait up to LINK_GONE_MS, otherwise 0. */
bool link_ended(const struct link *, int wait_ms);
enum { LINK_GONE_MS = 500 };
#define LINK_GONE "the link has ended: its relay was killed"

/* Moves the calling process into the namespace of one side: sockets that it
 * creates later, and programs that it executes, are there. For a process that
 * was forked for this purpose, because it cannot return. An ordinary user
 * becomes root of the user namespace. The process must have only one thread. */
int link_enter(const struct link *, enum link_side, struct error *);

enum { LINK_PROGRAM_FDS_MAX = 16 };

/* A process in the namespace of one side: a child of the caller that ends with
 * the caller's thread. */
struct link_program {
	const char *const *argv;    /* searched in PATH; or, if NULL, */
	int (*body)(void *context); /* a function; its result is the exit
				     * code */
	void *context;
	/* Descriptors that become 0 .. fd_count - 1; all others are closed.
	 * NULL: the first three of the caller. */
	const int *fds;
	size_t fd_count;
	/* "NAME=VALUE" to add to the caller's environment, NULL-terminated; may
	 * be NULL. BENCHTOP_LINK_NEAR and BENCHTOP_LINK_FAR, the addresses of
	 * the sides, are always added. */
	const char *const *environment;
	/* Runs in a process group of its own: keys of the terminal do not reach
	 * it, and kill(-pid) reaches everything it starts. */
	bool own_group;
};
/* Returns the process id, which the caller waits for, or -1 with an error. A
 * program that cannot be executed gives an error, not an exit code. */
pid_t link_spawn(struct link *, enum link_side, const struct link_program *,
	struct error *);

#endif
