/* The first start of a user, and the tour in 80x24 and 120x40, ASCII and
 * without colour. */
#include <stdlib.h>

#include "check.h"
#include "cli/run.h"
#include "seat.h"

static char home[] = "/dev/shm/benchtop-steps-XXXXXX";
static char config[64], state_home[64];

static const char *const environment[] = { config, state_home, "NO_COLOR=1",
	NULL };
static const char *const plain[] = { "--glyphs=ascii", NULL };
static const char *const tour[] = { "--glyphs=ascii", "tour", NULL };

static void open_seat(struct seat *seat, const char *const *words, int columns,
	int rows)
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

/* The whole tour with the program's own experiments, by the keys that the steps
 * name. `sizes` may limit the longest run. */
static void walk(int columns, int rows, const char *sizes)
{
	struct seat seat;

	make_new();
	open_seat(&seat, tour, columns, rows);
	seat_shows(&seat, "1/14");
	seat_type(&seat, ":set launches=6 budget=2s\r");
	seat_type(&seat, "\r");
	seat_shows(&seat, "2/14");
	seat_type(&seat, "p50..500ns\r");
	seat_shows(&seat, "3/14");
	seat_type(&seat, "r");
	seat_shows(&seat, "4/14");
	seat_type(&seat, "d");
	seat_shows(&seat, "5/14");
	seat_shows(&seat, "] 95 %");
	seat_key(&seat, VTERM_KEY_ESCAPE);
	seat_shows(&seat, "6/14");
	seat_type(&seat, ":run mem.latency order=local");
	seat_type(&seat, sizes);
	seat_type(&seat, "\r");
	seat_shows(&seat, "7/14");
	seat_type(&seat, "2");
	/* The sweep takes as long as other tasks make it. */
	while (!seat_find(&seat, "9/14", NULL, NULL))
		seat_next_mark(&seat, seat.mark.serial);
	seat_shows(&seat, "9/14");
	assert_true(seat_find(&seat, "knees", NULL, NULL));
	seat_key(&seat, VTERM_KEY_LEFT);
	seat_type(&seat, "1");
	seat_shows(&seat, "10/14");
	seat_type(&seat, "/switch\r");
	seat_shows(&seat, "11/14");
	seat_type(&seat, "p1..3us\r");
	seat_type(&seat, "r");
	seat_shows(&seat, "12/14");
	seat_type(&seat, "E");
	seat_shows(&seat, "13/14");
	seat_key(&seat, VTERM_KEY_ESCAPE);
	seat_type(&seat, "5");
	seat_shows(&seat, "14/14");
	seat_type(&seat, ">");
	seat_shows(&seat, "The tour has ended");
	leave(&seat);
}

static void test_tour(void **state)
{
	walk(80, 24, "");
	walk(120, 40, " size=1K..16M");
}

static const char offer[] = "New here? > starts a tour";

/* The first start offers the tour, until a session is kept. */
static void test_offer(void **state)
{
	struct seat seat;

	make_new();
	open_seat(&seat, plain, 80, 24);
	seat_shows(&seat, offer);
	seat_type(&seat, "H");
	seat_shows_no(&seat, offer);
	leave(&seat);
	open_seat(&seat, plain, 80, 24);
	seat_shows(&seat, offer);
	seat_type(&seat, ">");
	seat_shows(&seat, "1/14");
	seat_type(&seat, ":set launches=6 budget=2s\r");
	seat_type(&seat, "r");
	seat_shows(&seat, "6 launches");
	leave(&seat);
	open_seat(&seat, plain, 80, 24);
	assert_false(seat_find(&seat, offer, NULL, NULL));
	leave(&seat);
}

/* The strip follows a new size, and a window that was too small. */
static void test_resized(void **state)
{
	struct seat seat;

	make_new();
	open_seat(&seat, tour, 120, 40);
	seat_shows(&seat, "1/14");
	seat_resize(&seat, 40, 10);
	seat_shows(&seat, "1/14 select syscall");
	seat_resize(&seat, 30, 8);
	seat_shows_no(&seat, "1/14");
	seat_resize(&seat, 80, 24);
	seat_shows(&seat, "Each experiment in the list");
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
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_offer),
		cmocka_unit_test(test_resized),
	};

	return cmocka_run_group_tests(tests, make_home, remove_home);
}
