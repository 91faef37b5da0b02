/* A server whose name takes long to resolve: libnfs is given an address. */
#include "file_nfs.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "probe.h"

static int names, numbers, alive;

/* Replaces the C library's function, also for libnfs: a name takes 2.5 s to
 * resolve, a numeric address no time. */
int getaddrinfo(const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	static struct sockaddr_in loopback = { .sin_family = AF_INET };
	static struct addrinfo answer = { .ai_family = AF_INET,
		.ai_socktype = SOCK_STREAM,
		.ai_addr = (struct sockaddr *)&loopback,
		.ai_addrlen = sizeof loopback };
	const struct timespec slow = { 2, 500000000 };
	struct in_addr figure;

	(void)port;
	(void)hints;
	loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (inet_pton(AF_INET, name, &figure) == 1) {
		numbers++;
	} else {
		names++;
		nanosleep(&slow, NULL);
	}
	*found = &answer;
	return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
	(void)list;
}

static void count_alive(struct probe *probe)
{
	(void)probe;
	alive++;
}

static void a_name_is_asked_for_once(void **state)
{
	struct probe probe = { .alive = count_alive };
	struct error error = { .message = "" };
	bool lost;

	/* Port 1 has no server. */
	struct file_nfs *file =
		file_nfs_make("nfs://far/export/?nfsport=1&mountport=1", 4096,
			1, &probe, &lost, &error);
	assert_null(file);
	if (strstr(error.message, "needs libnfs"))
		skip_because("no libnfs here");
	assert_true(lost);
	assert_non_null(strstr(error.message, "nfs://far/export/"));
	assert_int_equal(names, 1);
	assert_true(numbers >= 1);
	assert_true(alive >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_asked_for_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
