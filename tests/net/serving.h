/* Shared by the tests of serve: a server for the test, and a correct client
 * that requests a round trip. */
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

/* A port of this test program, so that two programs can run at once. */
uint16_t test_port(void);
const char *test_host(void);
/* Starts `benchtop serve` with two more arguments (NULL: none) and waits until
 * it listens. */
pid_t serve_with(const char *option, const char *value);
/* Stops it by a signal and checks exit code 0. */
void serve_stop(pid_t pid);
/* For all tests of a program: a folder, and a server without options. */
extern pid_t serving_pid;
int serving_begin(void **state);
int serving_end(void **state);
/* The whole log of the last server; freed by the caller. */
char *read_log(void);
bool log_says(const char *what);
/* Waits until the log contains the text; fails after 20 s. */
void await_log(const char *what);
int connect_to(int type, uint16_t port);
/* The same from another address of loopback, "127.0.0.2". */
int connect_from(const char *address, int type, uint16_t port);

struct client {
	struct far far;
	int data;
};

/* Performs the greeting and opens a session; a refusal is returned too. */
bool client_open(struct client *client, const char *proto);
bool client_round_trip(struct client *client);
void client_close(struct client *client);
/* Checks that a correct client is served completely within a second; on a busy
 * machine, in one of three attempts. */
void assert_served(void);

#endif
