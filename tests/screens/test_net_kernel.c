/* Data on the Net screen that is not from packets: the kernel's window, the
 * capacity of the path, and why a run has no packets. */
#include <math.h>

#include "net_fixture.h"
#include "tiers.h"

#include "seated.h"

static int open_lab(void **state)
{
	net_lossy_open(&lab, &screen, "path");
	return 0;
}

static bool shows(const char *words)
{
	return drawn_has(80, 24, words);
}

/* ---- the capacity of the path ----------------------------------------- */

/* 40 Mbit/s x 40 ms are 200 000 bytes, packets of 1500. */
static void test_told(void **state)
{
	struct net_product product;

	net_keep(&lab, true);
	struct net_scene at = net_shown(&screen);
	net_find_product(&at, &product);
	assert_true(product.told);
	assert_true(fabs(product.segments - 200000 / 1500.) < .01);
	assert_true(fabs(product.queue_segments - 40) < .01);
	assert_true(shows("40 Mbit/s x 40 ms"));
	assert_true(shows("133 + 40 segments"));
	assert_true(shows("reno"));
	assert_true(shows("recovery, ssthresh 80"));
	screen_execute(&screen, "focus rounds");
	assert_true(shows("BDP"));
	screen_execute(&screen, "focus window");
	assert_true(shows("window: TCP_INFO, reno"));
	assert_true(shows("ssthresh"));
	assert_true(shows("+queue"));
}

/* The largest round, 300 segments, was acknowledged in a round trip. */
static void test_seen(void **state)
{
	struct net_product product;
	struct net_scene at = net_shown(&screen);

	net_find_product(&at, &product);
	assert_false(product.told);
	assert_true(fabs(product.segments - 300) < 2);
	assert_true(product.queue_segments <= 0);
	assert_true(shows("best round"));
	screen_execute(&screen, "focus window");
	assert_true(shows("the packets do not show cwnd"));
	assert_true(shows("flight"));
	assert_false(shows("ssthresh"));
}

/* Without reports of the kernel, as in older sessions. */
static void test_not_told(void **state)
{
	net_keep(&lab, false);
	assert_true(shows("at least "));
	screen_execute(&screen, "focus window");
	assert_true(shows("the packets do not show cwnd"));
}

/* ---- zoomed, without packets ------------------------------------------ */

static void test_closer(void **state)
{
	net_keep(&lab, true);
	screen_execute(&screen, "focus window");
	char *whole = xstrdup(drawn_at(80, 24));
	press("Down");
	press("+");
	press("+");
	assert_int_equal(net_shown(&screen).options->closer, 2);
	assert_true(strcmp(whole, drawn_at(80, 24)) != 0);
	press("0");
	assert_int_equal(net_shown(&screen).options->closer, 0);
	assert_string_equal(whole, drawn_at(80, 24));
	free(whole);
}

/* ---- all connections --------------------------------------------------- */

static void test_choose(void **state)
{
	net_three(&lab);
	screen_execute(&screen, "focus connections");
	assert_int_equal(net_shown(&screen).index, 2);
	press("Home");
	assert_int_equal(net_shown(&screen).index, 0);
	assert_true(shows("orderly"));
	assert_true(shows("refused"));
	press("Down");
	assert_int_equal(net_shown(&screen).index, 1);
	assert_true(shows("connection 2 of 3"));
	press("End");
	assert_int_equal(net_shown(&screen).index, 2);
	screen_execute(&screen, "connection to 2");
	assert_int_equal(net_shown(&screen).index, 1);
	press("Enter");
	assert_int_equal(screen.focus[VIEW_NET], NET_HANDSHAKE);
	screen_execute(&screen, "connection upto 2");
	assert_non_null(strstr(screen.message.chars, "`connection to NUMBER`"));
}

/* ---- why there are no packets ------------------------------------------ */

static struct results *measured(void)
{
	capture_file_close(&lab.capture_file);
	fixture_measure(&lab);
	return lab.session->runs[lab.session->run_count - 1];
}

static void test_not_permitted(void **state)
{
	struct results *results = measured();

	point_add_note(&results->points[0], "capture",
		"off: cannot capture on lo: needs CAP_NET_RAW; `sudo setcap "
		"cap_net_raw+ep /x` permits it");
	assert_true(shows("was measured without packets."));
	assert_true(shows("sudo setcap"));
	assert_true(shows("host=link"));
	net_enter(&screen);
	assert_non_null(strstr(screen.message.chars, "was not captured"));
	/* A file that is opened later is newer than the run. */
	net_three(&lab);
	lab.capture_file.after_runs = lab.session->run_count;
	assert_int_equal(net_shown(&screen).source.kind, NET_FILE);
	press("O");
	assert_true(shows("was measured without packets."));
}

static void test_captured(void **state)
{
	struct results *results = measured();

	point_add_note(&results->points[0], "capture", "on");
	assert_int_equal(net_shown(&screen).source.kind, NET_NOTHING);
	assert_true(shows("`annotate FILE` opens a pcap"));
}

static void test_not_measured(void **state)
{
	struct results *results = measured();
	struct point *point = &results->points[0];

	results->plan.traits |= TRAIT_CAPTURE;
	for (size_t i = 0; i < results->point_count; i++)
		results->points[i].state = POINT_UNAVAILABLE;
	free(point->why);
	point->why = xstrdup("no \033[2J link");
	assert_true(shows("was not measured: no \\x1b[2J link."));
	assert_null(strchr(drawn_at(80, 24), '\033'));
}

/* The page of keys explains every part of the screen. */
static void test_explained(void **state)
{
	press("?");
	for (const struct view_place *place = views[VIEW_NET].places;
		place->name; place++) {
		assert_non_null(place->about);
		assert_non_null(strstr(screen.page.text, place->about));
		assert_non_null(strstr(screen.page.text, place->title));
	}
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_told),
		IN_LAB(test_seen),
		IN_LAB(test_not_told),
		IN_LAB(test_closer),
		IN_LAB(test_choose),
		IN_LAB(test_not_permitted),
		IN_LAB(test_captured),
		IN_LAB(test_not_measured),
		IN_LAB(test_explained),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
