/* A ring in shared memory: bytes keep their order across its end, and both ends
 * wait. */
#include "ring.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { TOTAL = 3 << 20 };

static unsigned char byte_at(size_t at)
{
	return (unsigned char)(at * 7 + at / 251);
}

/* Lengths that do not divide the ring, and some longer than it. */
static size_t length_of(size_t number, size_t most)
{
	size_t length = number * 37 % 300 + 1;

	return length < most ? length : most;
}

static void write_bytes(struct ring *ring)
{
	unsigned char bytes[300];
	size_t number = 0;

	for (size_t done = 0; done < TOTAL;) {
		size_t length = length_of(number++, TOTAL - done);

		for (size_t i = 0; i < length; i++)
			bytes[i] = byte_at(done + i);
		ring_write(ring, bytes, length);
		done += length;
	}
	_exit(0);
}

static void bytes_keep_their_order(void **state)
{
	struct ring *ring = ring_new(100);
	unsigned char bytes[300];
	size_t number = 0;
	int status;

	assert_int_equal(ring_capacity(ring), 128);
	pid_t child = fork();
	if (!child)
		write_bytes(ring);
	for (size_t done = 0; done < TOTAL;) {
		size_t most = length_of(number++ * 5, TOTAL - done);
		size_t got = ring_read(ring, bytes, most);

		assert_in_range(got, 1, most);
		for (size_t i = 0; i < got; i++)
			if (bytes[i] != byte_at(done + i))
				fail_msg("byte %zu", done + i);
		done += got;
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(ring_filled(ring), 0);
	ring_free(ring);
}

static void what_is_unread_is_counted(void **state)
{
	struct ring *ring = ring_new(64);
	char bytes[64] = { 0 };

	ring_write(ring, bytes, 64);
	assert_int_equal(ring_filled(ring), 64);
	assert_int_equal(ring_read(ring, bytes, 10), 10);
	assert_int_equal(ring_filled(ring), 54);
	ring_free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_keep_their_order),
		cmocka_unit_test(what_is_unread_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
