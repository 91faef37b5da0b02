/* What the files of the link share: its processes, their words, the device. */
#ifndef BENCHTOP_LINK_INTERNAL_H
#define BENCHTOP_LINK_INTERNAL_H

#include "link.h"
#include "relay.h"

/* The namespaces as descriptors; user is -1 where root made them without. */
struct link_spaces {
	int user;
	int network[LINK_SIDES];
};

struct link {
	pid_t owner, keeper;
	int keeper_socket, relay_socket;
	struct link_spaces spaces;
	struct relay_shared *shared;
	bool has_ipv6;
};

/* What the keeper says, once it is ready and then after each request; the
 * descriptors come with it. */
struct keeper_answer {
	bool failed;
	bool has_ipv6;
	struct error error;
};
struct keeper_request {
	enum link_side side;
	int domain, type, protocol;
};

/* What the keeper is started with; all its other descriptors are closed. */
struct keeper_start {
	pid_t owner;
	int socket, relay_socket;
	struct relay_shared *shared;
};
/* The keeper's life: makes the namespaces, starts the relay, serves sockets
 * until the owner is gone. */
_Noreturn void keeper_run(const struct keeper_start *);

/* Makes the device of one side in the namespace the process is in, with its
 * address, up; sets what sockets there do. Its descriptor, or -1. */
int link_device_open(enum link_side, bool *has_ipv6, struct error *);
socklen_t link_side_address(enum link_side, int family,
	struct sockaddr_storage *);
/* Opens /dev/net/tun, or says what would open it. */
int link_tun_open(struct error *);

/* Makes the first network namespace, within a user namespace where it must
 * be, and moves the process into it; keeps the one the process is in as that
 * of a side. */
int link_spaces_make(struct link_spaces *, struct error *);
int link_spaces_keep(struct link_spaces *, enum link_side, struct error *);
/* Moves the process into a namespace; 0 or -1 with errno. */
int link_go(const struct link_spaces *, enum link_side);

/* Kills whatever else lives in the network namespaces but the owner: programs
 * that were started on a link do not outlive it. */
void link_spaces_empty(const struct link_spaces *, pid_t owner);

/* Why new namespaces were refused, with errno, and what would permit them.
 * `root` goes before /proc, for tests. Returns -1. */
int link_refuse_spaces(const char *root, int number, struct error *);

#endif
