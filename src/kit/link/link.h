/*
 * The link: an emulated path between two network namespaces of its own.
 *
 *     near side                    relay                     far side
 *     TUN device  -> loss -> queue -> rate -> delay ->  TUN device
 *                 <- delay <- rate <- queue <- loss <-
 *
 * Both ends are the kernel's own network stack; what lies between is a relay
 * process that moves packets from one TUN device to the other. The host's
 * network is never touched: the namespaces are new, hold nothing but `lo` and
 * the device, and are gone when the last process and descriptor in them is.
 *
 * Two processes serve a link: the keeper, which makes sockets in either
 * namespace, and the relay. Both are children of the thread that opened the
 * link and die with it, kill -9 included, by PR_SET_PDEATHSIG and by the end
 * of file on their sockets; that thread must outlive its use. At the end the
 * keeper kills whatever else lives in the namespaces but the owner.
 *
 * Root makes the namespaces directly, so that a program on the link keeps
 * root's rights. An ordinary user makes a user namespace around them in which
 * it is root, and needs /dev/net/tun to be open to it.
 *
 * What a packet meets, in this order, is worked out when it is read:
 *   loss     drawn from the seed, the direction and the packet's index alone:
 *            the same seed drops the same indices whatever the timing
 *   queue    drop-tail: a packet is dropped when so many packets or bytes are
 *            waiting already; the one being sent does not wait
 *   rate     sending takes the bits of the IP packet over the rate, one packet
 *            after the other, in virtual time: a relay that comes late does not
 *            make the path slower
 *   delay    half the round trip
 *   reorder  drawn like loss: the packet is held back until three later ones
 *            of its direction have overtaken it, at most a quarter of the
 *            round trip (a millisecond on a shorter one)
 * Both directions are alike and know nothing of each other. Multicast, with
 * which a kernel greets a new network, is neither carried nor counted.
 *
 * MTU 1500: an MSS of 1460 for IPv4, 1448 bytes of data with timestamps; so
 * the steady goodput of 20 Mbit/s is 20 x 1448 / 1500 = 19.31 Mbit/s. Sockets
 * on the link may choose any congestion control the kernel has loaded; nothing
 * is remembered from one connection to the next (tcp_no_metrics_save).
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
/* A direction is named by the side it starts from: counters and drops of
 * [LINK_NEAR] are those of packets from near to far. */

/* What link_check() accepts. */
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
	/* In each direction: bytes, or so many times UNIT_QUEUE_PACKETS. */
	int64_t queue;
	double loss;    /* 0 .. 1, of the packets of each direction */
	double reorder; /* 0 .. 0.5 */
	uint64_t seed;  /* of loss and reorder */
	int cpu;        /* of the relay; LINK_ANY_CPU: wherever there is
			     * time */
	/* Packets that are dropped whatever the seed says: their indices,
	 * from 0, ascending. */
	unsigned drops[LINK_SIDES];
	uint64_t drop[LINK_SIDES][LINK_DROPS_MAX];
};
enum { LINK_ANY_CPU = -1 };

/* 40 ms, 20 Mbit, 80 packets, no loss. */
struct link_settings link_preset(void);
/* Are they in range? */
int link_check(const struct link_settings *, struct error *);

/* Of one direction, since link_open() or link_configure(). Packets arrive, and
 * are then lost, refused by the queue, or (a moment later) delivered; the rest
 * is under way. */
struct link_counters {
	uint64_t packets, bytes; /* that arrived; IP header included */
	uint64_t delivered, delivered_bytes;
	uint64_t lost;       /* by loss and by scripted drops */
	uint64_t refused;    /* the queue was full */
	uint64_t reordered;  /* were overtaken */
	uint64_t queue_peak; /* packets that waited at one time */
	uint64_t queue_peak_bytes;
	uint64_t busy_ns;               /* of sending what was accepted */
	uint64_t late_ns, late_peak_ns; /* deliveries after their time: the sum
				     * and the worst. What the emulation owes
				     * to the machine it runs on */
	uint64_t ignored; /* multicast, not IP; not in `packets` */
	/* The indices of the first packets lost. */
	uint64_t lost_index[LINK_DROPS_MAX];
};

struct link;

/* Makes the namespaces and starts the relay. On failure *link is NULL, nothing
 * is left behind and the error is one sentence with the cure: STATUS_PERMISSION
 * where the machine does not permit it. */
int link_open(const struct link_settings *, struct link **link, struct error *);
/* Other settings on the same namespaces: what was under way is discarded,
 * counters and indices begin at 0. Sockets stay open, but a connection across
 * the change has lost packets. */
int link_configure(struct link *, const struct link_settings *, struct error *);
/* Ends the processes; NULL is nothing. The namespaces go when the sockets made
 * in them are closed as well. */
void link_close(struct link *);

/* A socket in the namespace of one side, close-on-exec, like socket(2); a raw
 * one (ICMP) is permitted. -1 and the error. Takes some 50 us: it asks the
 * keeper. */
int link_socket(struct link *, enum link_side, int domain, int type,
	int protocol, struct error *);
/* The address of one side: 10.77.0.1 and .2, or fd77::1 and ::2, port 0. Its
 * length, or 0 where the kernel has no such family. */
socklen_t link_address(const struct link *, enum link_side, int family,
	struct sockaddr_storage *);
struct link_counters link_counters(const struct link *, enum link_side from);

/* Moves the calling process into the namespace of one side: from then on its
 * own sockets, and what it executes, live there. For a process that was forked
 * for it: there is no way back, an ordinary user becomes root of the user
 * namespace, and the process must have one thread only. */
int link_enter(const struct link *, enum link_side, struct error *);

enum { LINK_PROGRAM_FDS_MAX = 16 };

/* A process in the namespace of one side, as a child of the caller, that dies
 * with the caller's thread. */
struct link_program {
	const char *const *argv;    /* found by PATH; or, where it is NULL, */
	int (*body)(void *context); /* whose result is the exit code */
	void *context;
	/* Descriptors it shall have as 0 .. fd_count - 1; it has no others.
	 * NULL: the first three of the caller. */
	const int *fds;
	size_t fd_count;
	/* "NAME=VALUE" beside the caller's environment, NULL-terminated; NULL:
	 * nothing. BENCHTOP_LINK_NEAR and BENCHTOP_LINK_FAR, the addresses of
	 * the sides, are always there. */
	const char *const *environment;
	/* In a process group of its own: no key of the terminal reaches it,
	 * and kill(-pid) whatever it starts. */
	bool own_group;
};
/* Its process id, or -1 and the error; it is the caller's to wait for. A
 * program that cannot be executed is an error here, not an exit code. */
pid_t link_spawn(struct link *, enum link_side, const struct link_program *,
	struct error *);

#endif
