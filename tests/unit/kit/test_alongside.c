/* Blocking calls in a thread: completed, and abandoned. */
#include "alongside.h"

#include <stdatomic.h>
#include <time.h>

#include "check.h"

static int alive;
static atomic_int done;

static void count_alive(struct probe *probe)
{
	(void)probe;
	alive++;
}

static void take(void *context)
{
	nanosleep(context, NULL);
	atomic_fetch_add(&done, 1);
}

static void it_is_waited_for(void **state)
{
	struct probe probe = { .alive = count_alive };
	struct timespec some = { 2, 200000000 }, none = { 0, 0 };

	alive = 0;
	assert_true(alongside(&probe, take, &some, 0));
	assert_int_equal(atomic_load(&done), 1);
	assert_true(alive >= 3);
	/* A longer limit does not delay a call that ends sooner. */
	assert_true(alongside(&probe, take, &none, 60));
	assert_int_equal(atomic_load(&done), 2);
	assert_true(alongside(NULL, take, &none, 60));
	assert_int_equal(atomic_load(&done), 3);
}

static void it_is_given_up(void **state)
{
	static struct timespec long_time = { 1000, 0 };
	struct probe probe = { .alive = count_alive };

	alive = 0;
	atomic_store(&done, 0);
	assert_false(alongside(&probe, take, &long_time, 2));
	assert_int_equal(atomic_load(&done), 0);
	assert_int_equal(alive, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_waited_for),
		cmocka_unit_test(it_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
