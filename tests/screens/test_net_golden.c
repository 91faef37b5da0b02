/* The Net screen: golden grids by content, size and tier. */
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

static void lossy_run(struct lab *lab)
{
	net_lossy(lab);
	net_keep(lab, true);
}

static void test_after_lines(void **state)
{
	static const struct {
		void (*make)(struct lab *);
		const char *view, *line;
	} rows[] = {
		{ net_lossy, "net-lossy", "focus rounds" },
		{ net_lossy, "net-sequence",
			"focus sequence; net closer; move 3" },
		{ net_lossy, "net-flight", "focus window" },
		/* A run of a session, with the kernel's window and the path's
		 * bandwidth-delay product. */
		{ lossy_run, "net-window", "focus window" },
		{ lossy_run, "net-run", "focus rounds" },
		{ net_three, "net-connections",
			"focus connections; connection to 1" },
		{ net_three, "net-lanes", "net lanes; connection to 1" },
		/* A retransmitted packet, below a mark. */
		{ net_three, "net-packets",
			"focus packets; connection 2; net mark; packet 7" },
		{ net_lossy, "net-rtt", "focus rtt" },
		{ net_lossy, "net-rate", "focus throughput" },
		{ net_lossy, "net-events", "focus events; event to 4" },
		{ net_window, "net-path", "focus path" },
		{ net_three, "net-decode", "connection 2; packet 7; decode" },
		{ net_three, "net-refused", "connection -1" },
		{ NULL, "net-nothing", "focus handshake" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		golden_of(rows[i].make, rows[i].view, rows[i].line);
}

static void test_public(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	if (!net_public(&lab, "zeek-timestamp.pcap")) {
		fixture_close(&lab, &screen);
		skip_because("no public captures here");
	}
	screen_execute(&screen, "view net; focus handshake");
	golden(&screen, "net-public");
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_after_lines),
		cmocka_unit_test(test_public),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
