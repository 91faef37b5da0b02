/* A name that takes long to resolve: the worker reports that it is alive. */
#include <time.h>

#include "check.h"
#include "name.h"

static const char *asked, *asked_port;
static struct addrinfo answer;
static int alive;

/* Replaces the function of the C library. */
int getaddrinfo(const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found)
{
	const struct timespec while_asking = { 2, 500000000 };

	asked = name;
	asked_port = port;
	nanosleep(&while_asking, NULL);
	if (!hints)
		return EAI_NONAME;
	*found = &answer;
	return 0;
}

static void count_alive(struct probe *probe)
{
	(void)probe;
	alive++;
}

static void test_alive(void **state)
{
	struct probe probe = { .alive = count_alive };
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;

	assert_int_equal(name_find(&probe, "far", "7411", &hints, &found), 0);
	assert_ptr_equal(found, &answer);
	assert_string_equal(asked, "far");
	assert_string_equal(asked_port, "7411");
	assert_true(alive >= 3);
	assert_int_equal(name_find(&probe, "none", NULL, NULL, &found),
		EAI_NONAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
