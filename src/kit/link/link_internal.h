/* Shared by the files of the link: its processes, their messages, the
 * device. */
#ifndef BENCHTOP_LINK_INTERNAL_H
#define BENCHTOP_LINK_INTERNAL_H

#include "link.h"
#include "relay.h"

/* The namespaces as descriptors; user is -1 if root created them without
 * one. */
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

/* A message of the keeper: one when it is ready, then one after each request.
 * The descriptors come with it. */
struct keeper_answer {
	bool failed;
	bool has_ipv6;
	struct error error;
};
struct keeper_request {
	enum link_side side;
	int domain, type, protocol;
};

/* The arguments of the keeper; all its other descriptors are closed. */
struct keeper_start {
	pid_t owner;
	int socket, relay_socket;
	struct relay_shared *shared;
};
/* The keeper's main function: creates the namespaces, starts the relay and
 * serves sockets until the owner has ended. */
_Noreturn void keeper_run(const struct keeper_start *);

/* Creates the device of one side in the process's namespace, with its address,
 * and sets it up; configures the sockets there. Returns its descriptor, or
 * -1. */
int link_device_open(enum link_side, bool *has_ipv6, struct error *);
socklen_t link_side_address(enum link_side, int family,
	struct sockaddr_storage *);
/* Opens /dev/net/tun, or sets an error with the cure. */
int link_tun_open(struct error *);

/* link_spaces_make() creates the first network namespace, inside a user
 * namespace if necessary, and moves the process into it. link_spaces_keep()
 * keeps the present namespace of the process as that of a side. */
int link_spaces_make(struct link_spaces *, struct error *);
int link_spaces_keep(struct link_spaces *, enum link_side, struct error *);
/* Moves the process into a namespace. Returns 0, or -1 with errno. */
int link_go(const struct link_spaces *, enum link_side);

/* Kills all processes in the network namespaces except the owner: programs
 * started on a link do not outlive it. */
void link_spaces_empty(const struct link_spaces *, pid_t owner);

/* Sets the error for refused namespaces, with errno and the cure. `root` is a
 * prefix of /proc, for tests. Returns -1. */
int link_refuse_spaces(const char *root, int number, struct error *);

#endif
