/* The Net screen: golden grids by what is drawn, size and tier. */
#include "golden.h"
#include "net_fixture.h"

static void golden_of(void (*make)(struct lab *), const char *name,
	const char *line)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	if (make)
		make(&lab);
	screen_execute(&screen, "view net");
	screen_execute(&screen, line);
	golden(&screen, name);
	fixture_close(&lab, &screen);
}

static void test_lossy(void **state)
{
	(void)state;
	golden_of(net_lossy, "net-lossy", "focus rounds");
}

static void test_sequence(void **state)
{
	(void)state;
	golden_of(net_lossy, "net-sequence",
		"focus sequence; net closer; move 3");
}

static void test_flight(void **state)
{
	(void)state;
	golden_of(net_lossy, "net-flight", "focus window");
}

static void lossy_run(struct lab *lab)
{
	net_lossy(lab);
	net_keep(lab, true);
}

/* A run of a session: the kernel's window, the path's bandwidth x delay. */
static void test_window(void **state)
{
	(void)state;
	golden_of(lossy_run, "net-window", "focus window");
}

static void test_rounds_of_run(void **state)
{
	(void)state;
	golden_of(lossy_run, "net-run", "focus rounds");
}

static void test_connections(void **state)
{
	(void)state;
	golden_of(net_three, "net-connections",
		"focus connections; connection to 1");
}

/* A packet that was sent again, below a mark. */
static void test_packets(void **state)
{
	(void)state;
	golden_of(net_three, "net-packets",
		"focus packets; connection 2; net mark; packet 7");
}

static void test_path(void **state)
{
	(void)state;
	golden_of(net_window, "net-path", "focus path");
}

static void test_decode(void **state)
{
	(void)state;
	golden_of(net_three, "net-decode", "connection 2; packet 7; decode");
}

static void test_refused(void **state)
{
	(void)state;
	golden_of(net_three, "net-refused", "connection -1");
}

static void test_nothing(void **state)
{
	(void)state;
	golden_of(NULL, "net-nothing", "focus handshake");
}

static void test_public(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	if (!net_public(&lab, "zeek-timestamp.pcap")) {
		print_message("no public captures here\n");
		fixture_close(&lab, &screen);
		skip();
	}
	screen_execute(&screen, "view net; focus handshake");
	golden(&screen, "net-public");
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_flight),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_rounds_of_run),
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_public),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
