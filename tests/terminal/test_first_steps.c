/* The first start of a user, in 80x24 and 120x40, ASCII and without colour. */
#include <stdlib.h>

#include "check.h"
#include "cli/run.h"
#include "seat.h"

static char home[] = "/dev/shm/benchtop-steps-XXXXXX";
static char config[64], state_home[64];

static const char *const environment[] = { config, state_home, "NO_COLOR=1",
	NULL };
static const char *const words[] = { "--glyphs=ascii", NULL };

static void open_seat(struct seat *seat, int columns, int rows)
{
	seat_open(seat,
		&(struct seat_options){ .columns = columns,
			.rows = rows,
			.environment = environment,
			.words = words });
	seat_idle(seat);
}

static void make_new(void)
{
	struct text line = { 0 };

	text_add(&line, "rm -rf %s/config %s/state", home, home);
	assert_int_equal(system(line.chars), 0);
	text_free(&line);
}

static void leave(struct seat *seat)
{
	seat_send(seat, "q", 1);
	assert_ended(seat, 0);
	seat_close(seat);
}

/* The steps are to predict, run and read. At the next start they are not
 * shown. */
static void walk(int columns, int rows)
{
	struct seat seat;

	make_new();
	open_seat(&seat, columns, rows);
	assert_true(seat_find(&seat, "Step 1 of 3: press p", NULL, NULL));
	assert_true(seat_find(&seat, "H hides this", NULL, NULL));
	assert_true(seat_find(&seat, "What does entering the kernel cost?",
		NULL, NULL));
	seat_type(&seat, ":set launches=6 budget=2s\r");
	seat_type(&seat, "p1..5ns\r");
	seat_shows(&seat, "Step 2 of 3: press r");
	seat_type(&seat, "r");
	seat_shows(&seat, "Step 3 of 3: press d");
	seat_type(&seat, "d");
	seat_shows(&seat, "First steps done.");
	seat_type(&seat, "q");
	leave(&seat);
	open_seat(&seat, columns, rows);
	assert_false(seat_find(&seat, " of 3: ", NULL, NULL));
	leave(&seat);
}

static void test_first_steps(void **state)
{
	walk(80, 24);
	walk(120, 40);
}

static void test_dismissed_for_good(void **state)
{
	struct seat seat;

	make_new();
	open_seat(&seat, 80, 24);
	assert_true(seat_find(&seat, "Step 1 of 3", NULL, NULL));
	seat_type(&seat, "H");
	assert_false(seat_find(&seat, "Step 1 of 3", NULL, NULL));
	leave(&seat);
	open_seat(&seat, 80, 24);
	assert_false(seat_find(&seat, "Step 1 of 3", NULL, NULL));
	leave(&seat);
}

static int make_home(void **state)
{
	if (!mkdtemp(home))
		return -1;
	snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/config", home);
	snprintf(state_home, sizeof state_home, "XDG_STATE_HOME=%s/state",
		home);
	return 0;
}

static int remove_home(void **state)
{
	struct text line = { 0 };

	text_add(&line, "rm -rf %s", home);
	int failed = system(line.chars);
	text_free(&line);
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_steps),
		cmocka_unit_test(test_dismissed_for_good),
	};

	return cmocka_run_group_tests(tests, make_home, remove_home);
}
