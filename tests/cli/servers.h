/* Real servers for tests: on a loopback of the test's own if namespaces are
 * permitted, in a folder below the current one, stopped at the end of the
 * test. */
#ifndef BENCHTOP_CLI_SERVERS_H
#define BENCHTOP_CLI_SERVERS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/types.h>

#include "namespace.h"
#include "run.h"

extern char top[512]; /* folder of everything below */
extern bool isolated; /* the test has its own namespaces */

const char *in_top(const char *name);
bool is_here(const char *program);
pid_t serve(const char *const *words);

#define SERVE(...) serve((const char *const[]){ __VA_ARGS__, NULL })

struct sockaddr_in here(int port);
/* Returns a connection, or -1. */
int dial(int port);
/* Waits until a process listens; false if `server` has ended instead. */
bool await_port(int port, pid_t server);
void shell(const char *command);

/* A run during which the test does something: started, and collected at its
 * end. */
struct running {
	pid_t pid;
	int out, err;
};

struct running start_run(const char *const *words);
struct ran end_run(const struct running *running);
/* Checks a run whose server was lost: one sentence, the exit code for the
 * network, and the measured data is kept. */
void lost_its_server(struct ran *ran);
int make_servers(void **state);
int end_servers(void **state);

#endif
