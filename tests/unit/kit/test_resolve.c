/* Host names in a static program: they are resolved by the program getent. A
 * fake one is the only program on PATH. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "resolve.h"

#ifdef __GLIBC__
static const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };

static int fake_begin(void **state)
{
	static char folder[] = "/tmp/benchtop_resolve_XXXXXX";

	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("PATH", folder, 1), 0);
	assert_int_equal(chdir(folder), 0);
	*state = folder;
	return 0;
}

static int fake_end(void **state)
{
	unlink("getent");
	return rmdir(*state);
}

/* A getent of these lines of the shell; NULL: none. */
static void fake(const char *lines)
{
	unlink("getent");
	if (!lines)
		return;
	FILE *file = fopen("getent", "we");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", lines);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod("getent", 0700), 0);
}

static void assert_address(const struct addrinfo *at, const char *wanted)
{
	char host[64], port[8], both[80];

	assert_non_null(at);
	assert_int_equal(at->ai_socktype, SOCK_STREAM);
	assert_int_equal(getnameinfo(at->ai_addr, at->ai_addrlen, host,
				 sizeof host, port, sizeof port,
				 NI_NUMERICHOST | NI_NUMERICSERV),
		0);
	snprintf(both, sizeof both, "%s %s", host, port);
	assert_string_equal(both, wanted);
}

/* Every address once, in the order of getent, as a list of the C library. */
static void test_lines(void **state)
{
	struct addrinfo *found;

	fake("[ \"$*\" = 'ahosts far' ] || exit 2\n"
	     "echo '::1             STREAM far'\n"
	     "echo '::1             DGRAM  '\n"
	     "echo 'nonsense'\n"
	     "echo\n"
	     "echo '192.0.2.7\tSTREAM'\n"
	     "echo '192.0.2.7\tRAW'\n"
	     "printf '192.0.2.9'");
	assert_int_equal(
		resolve_by_getent("far", "7411", &hints, &found, 20000), 0);
	assert_address(found, "::1 7411");
	assert_address(found->ai_next, "192.0.2.7 7411");
	assert_address(found->ai_next->ai_next, "192.0.2.9 7411");
	assert_null(found->ai_next->ai_next->ai_next);
	freeaddrinfo(found);
}

/* An address needs no getent. */
static void test_addresses(void **state)
{
	struct addrinfo *found;

	fake(NULL);
	assert_int_equal(
		resolve_by_getent("192.0.2.1", "80", &hints, &found, 20000), 0);
	assert_address(found, "192.0.2.1 80");
	freeaddrinfo(found);
	assert_int_equal(
		resolve_by_getent("2001:db8::1", "80", &hints, &found, 20000),
		0);
	assert_address(found, "2001:db8::1 80");
	freeaddrinfo(found);
}

static void test_unknown(void **state)
{
	struct addrinfo *found;

	fake("exit 2");
	assert_int_equal(
		resolve_by_getent("none", "80", &hints, &found, 20000),
		EAI_NONAME);
	fake("echo 192.0.2.1");
	assert_int_equal(
		resolve_by_getent("--help", "80", &hints, &found, 20000),
		EAI_NONAME);
}

static void test_missing(void **state)
{
	struct addrinfo *found;

	fake(NULL);
	assert_int_equal(resolve_by_getent("far", "80", &hints, &found, 20000),
		RESOLVE_NO_GETENT);
	fake("exit 127");
	assert_int_equal(resolve_by_getent("far", "80", &hints, &found, 20000),
		RESOLVE_NO_GETENT);
	assert_string_equal(resolve_why(RESOLVE_NO_GETENT),
		"this static program asks getent, which is missing here: give "
		"an address");
	assert_string_equal(resolve_why(EAI_NONAME), gai_strerror(EAI_NONAME));
}

/* One that hangs is killed; one that never ends its list is cut. */
static void test_hostile(void **state)
{
	struct addrinfo *found;

	fake("exec /bin/sleep 600");
	assert_int_equal(resolve_by_getent("far", "80", &hints, &found, 100),
		EAI_AGAIN);
	fake("while echo 192.0.2.1; do :; done 2>&-");
	assert_int_equal(resolve_by_getent("far", "80", &hints, &found, 20000),
		0);
	assert_address(found, "192.0.2.1 80");
	freeaddrinfo(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, fake_begin, fake_end);
}
#else
/* The C library loads no modules: there is nothing to test. */
int main(void)
{
	return 77;
}
#endif
