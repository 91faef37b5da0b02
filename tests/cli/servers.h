/* Real servers for tests: on a loopback of the test's own where namespaces are
 * permitted, in a folder below the one the tests run in, ended with the test.
 */
#ifndef BENCHTOP_CLI_SERVERS_H
#define BENCHTOP_CLI_SERVERS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/types.h>

#include "namespace.h"
#include "run.h"

extern char top[512]; /* holds all of what follows */
extern bool isolated; /* namespaces are ours */

const char *in_top(const char *name);
bool is_here(const char *program);
pid_t serve(const char *const *words);

#define SERVE(...) serve((const char *const[]){ __VA_ARGS__, NULL })

struct sockaddr_in here(int port);
/* A connection, or -1. */
int dial(int port);
/* Waits until somebody listens; false when `server` has ended instead. */
bool await_port(int port, pid_t server);
void shell(const char *command);

/* A run that something happens to: started, and collected when it is over. */
struct running {
	pid_t pid;
	int out, err;
};

struct running start_run(const char *const *words);
struct ran end_run(const struct running *running);
/* The server was lost in mid-run: one sentence, the exit code of the network,
 * and what was measured is kept. */
void lost_its_server(struct ran *ran);
int make_servers(void **state);
int end_servers(void **state);

#endif
