/* What the tests of serve share: a server of the test's own, and a good client
 * that asks it for a round trip. */
#ifndef BENCHTOP_SERVING_H
#define BENCHTOP_SERVING_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/run.h"
#include "far.h"
#include "tcp.h"
#include "tick.h"

/* A port of this test program's own, so that two may run at once. */
uint16_t test_port(void);
const char *test_host(void);
/* Starts `benchtop serve` with two more words (NULL: none) and waits until it
 * listens. */
pid_t serve_with(const char *option, const char *value);
/* Ends it politely: exit code 0. */
void serve_stop(pid_t pid);
bool log_says(const char *what);
/* Waits for the log to say it: 20 s are for ever. */
void await_log(const char *what);
int connect_to(int type, uint16_t port);

struct client {
	struct far far;
	int data;
};

/* Greets and opens; what it was refused for is an answer as well. */
bool client_open(struct client *client, const char *proto);
bool client_round_trip(struct client *client);
void client_close(struct client *client);
/* A good client is served within a second, all of it; on a machine that is
 * busy with something else, in one of three attempts. */
void assert_served(void);

#endif
