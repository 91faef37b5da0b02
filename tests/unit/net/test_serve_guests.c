/* Who loses its place if all places of the greeting are taken. */
#include <arpa/inet.h>
#include <string.h>

#include "check.h"
#include "serve_internal.h"

static struct guest guests[SERVE_GUESTS];

static struct origin origin_named(const char *address)
{
	struct sockaddr_storage at = { .ss_family =
			strchr(address, ':') ? AF_INET6 : AF_INET };
	struct sockaddr_in *four = (struct sockaddr_in *)&at;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&at;

	assert_int_equal(inet_pton(at.ss_family, address,
				 at.ss_family == AF_INET6 ?
					 (void *)&six->sin6_addr :
					 (void *)&four->sin_addr),
		1);
	return origin_of(&at);
}

/* Lets a client in as serve does. Returns the place. */
static struct guest *come(const char *address, uint64_t when_ns)
{
	struct guest *guest = guest_place(guests);

	guest->fd = 0;
	guest->origin = origin_named(address);
	guest->came_ns = when_ns;
	return guest;
}

static void test_free_places_come_first(void **state)
{
	guests_init(guests);
	for (uint64_t i = 1; i <= SERVE_GUESTS; i++) {
		assert_int_equal(guest_place(guests)->fd, -1);
		come("192.0.2.1", i);
	}
	assert_int_equal(guest_place(guests)->fd, 0);
}

/* A flood of any length, before and after, never takes a place of others. */
static void test_a_flood_displaces_itself(void **state)
{
	uint64_t now_ns = 0;

	guests_init(guests);
	while (now_ns < 1000)
		come("192.0.2.1", ++now_ns);
	const struct guest *good = come("192.0.2.2", ++now_ns);
	const struct guest *six = come("2001:db8::1", ++now_ns);
	uint64_t came_ns = good->came_ns, six_ns = six->came_ns;
	while (now_ns < 10000) {
		const struct guest *flood = come("192.0.2.1", ++now_ns);

		assert_ptr_not_equal(flood, good);
		assert_ptr_not_equal(flood, six);
	}
	assert_true(good->came_ns == came_ns && six->came_ns == six_ns);
}

/* The flood's own oldest client goes: the others still have time. */
static void test_the_oldest_of_the_flood_goes(void **state)
{
	guests_init(guests);
	come("192.0.2.2", 1);
	struct guest *oldest = come("192.0.2.1", 2);
	for (uint64_t i = 3; i <= SERVE_GUESTS; i++)
		come("192.0.2.1", i);
	assert_ptr_equal(guest_place(guests), oldest);
}

/* All addresses of a /64 are one origin; of IPv4, each address. */
static void test_a_network_of_ipv6_is_one_origin(void **state)
{
	char address[64];

	guests_init(guests);
	come("2001:db8:0:1::1", 1);
	come("198.51.100.1", 2);
	for (uint64_t i = 3; i <= SERVE_GUESTS; i++) {
		snprintf(address, sizeof address, "2001:db8::%x", (unsigned)i);
		come(address, i);
	}
	assert_true(guest_place(guests)->came_ns == 3);
	struct origin a = origin_named("2001:db8::1"),
		      b = origin_named("32.1.13.184"),
		      c = origin_named("2001:db8:0:1::1");
	assert_false(origin_same(&a, &b));
	assert_false(origin_same(&a, &c));
	origin_text(&a, address, sizeof address);
	assert_string_equal(address, "2001:db8::/64");
	origin_text(&b, address, sizeof address);
	assert_string_equal(address, "32.1.13.184");
}

/* Clients of as many origins as places: the oldest has had the most time. */
static void test_among_equals_the_oldest_goes(void **state)
{
	char address[64];

	guests_init(guests);
	for (unsigned i = 0; i < SERVE_GUESTS; i++) {
		snprintf(address, sizeof address, "192.0.2.%u", i);
		come(address, 1000 + (i + 10) % SERVE_GUESTS);
	}
	assert_true(guest_place(guests)->came_ns == 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_places_come_first),
		cmocka_unit_test(test_a_flood_displaces_itself),
		cmocka_unit_test(test_the_oldest_of_the_flood_goes),
		cmocka_unit_test(test_a_network_of_ipv6_is_one_origin),
		cmocka_unit_test(test_among_equals_the_oldest_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
