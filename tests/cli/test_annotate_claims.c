/* What `annotate` claims of public captures in which simpler rules saw losses,
 * segments or closes that were none. */
#include "annotated.h"

/* Packets that were recorded late, reordered or merged, and packets that only
 * seemed lost. */
static void test_not_lost(void **state)
{
	static const struct {
		const char *file, *side;
		int connection;
		double bytes, again;
	} cases[] = {
		{ "zeek-smb3_multichannel.pcap", "client", 0, 1147385, 0 },
		{ "zeek-smb3_multichannel.pcap", "server", 0, 996647, 0 },
		{ "zeek-modbusBig.pcap", "server", 0, 30524, 0 },
		{ "zeek-ipv6-http-atomic-frag.pcap", "client", 0, 15, 0 },
		{ "zeek-rdp-proprietary-encryption.pcap", "server", 1, 76506,
			0 },
		{ "zeek-psql-aws-ssl-preferred.pcap", "server", 0, 4542, 0 },
		{ "zeek-psql-aws-ssl-require.pcap", "server", 0, 4542, 0 },
		{ "zeek-ssl-to-http-server.pcap", "server", 0, 341, 0 },
		{ "zeek-smb2.pcap", "client", 0, 1516006, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *tree = annotated_capture(cases[i].file);
		char path[80];

		snprintf(path, sizeof path, "connections.%d.sides.%s",
			cases[i].connection, cases[i].side);
		const cJSON *side = member(tree, path);
		assert_number(side, "payload_bytes", cases[i].bytes);
		assert_number(side, "stream_bytes", cases[i].bytes);
		assert_number(side, "retransmissions", cases[i].again);
		assert_number(side, "gap_bytes", 0);
		cJSON_Delete(tree);
	}
}

static void test_segments(void **state)
{
	static const int chat[] = { 10, 19, 38, 72, 111, 207 };
	static const int web[] = { 2, 4, 7, 14 };
	cJSON *tree = annotated_capture("zeek-retransmit-fast009.pcap");

	assert_number(tree, "connections.0.iw.segments", 10);
	assert_number(tree, "connections.0.retransmissions", 3);
	assert_number(tree, "connections.0.sides.client.duplicate_acks", 5);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-irc-dcc-send.pcapng");
	assert_segments(tree, "connections.1", chat, 6);
	assert_word(tree, "connections.0.tap", "client");
	assert_word(tree, "connections.1.tap", "server");
	assert_word(tree, "connections.2.tap", "server");
	assert_word(tree, "connections.1.exit.reason", "end_of_data");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-no_crlf.pcap");
	assert_segments(tree, "connections.0", web, 4);
	assert_word(tree, "connections.0.exit.reason", "send_buffer");
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fin", 1);
	cJSON_Delete(tree);
}

static void test_limits(void **state)
{
	cJSON *tree = annotated_capture("zeek-206_example_b.pcap");

	assert_number(tree, "connections.0.iw.segments", 5);
	assert_number(tree, "connections.0.iw.bytes", 7000);
	assert_number(tree, "connections.0.sides.server.beyond_window_packets",
		105);
	assert_number(tree, "connections.0.sides.client.zero_windows", 2);
	assert_number(tree, "connections.0.sides.client.zero_window_acks", 57);
	assert_number(tree, "connections.0.sides.server.retransmitted_partly",
		1);
	cJSON_Delete(tree);
	assert_says("zeek-206_example_b.pcap",
		"in recovery, 38 for the third time), 1 of them with new data "
		"too,");
	assert_says("zeek-206_example_b.pcap",
		"136935..180600 (43665 bytes)");
	tree = annotated_capture("tcpdump-mptcp-v1.pcap");
	assert_number(tree, "connections.0.teardown.half_close_bytes", 2076);
	cJSON_Delete(tree);
}

/* A capture of one direction shows nothing about the other direction. A reset
 * names the side that sent it. */
static void test_claims(void **state)
{
	cJSON *tree = annotated_capture("zeek-ssh.client-side-half-duplex.pcap");

	assert_unknown(tree, "connections.0.iw.segments");
	assert_unknown(tree, "connections.0.handshake.path_rtt_ns");
	assert_word(tree, "connections.0.teardown.kind", "none");
	assert_int_equal(cJSON_GetArraySize(
				 member(tree, "connections.0.events")),
		0);
	assert_unknown(tree, "connections.0.sides.server.gaps");
	assert_unknown(tree, "connections.0.sides.server.gap_bytes");
	assert_number(tree, "capture.gaps", 0);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-syn-then-stuff-then-rst.pcap");
	assert_word(tree, "connections.0.teardown.reset.kind", "abort");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-get-gzip.pcap");
	assert_word(tree, "connections.0.teardown.kind", "simultaneous");
	assert_number(tree,
		"connections.0.sides.client.retransmission_kinds.fast", 0);
	cJSON_Delete(tree);
	/* The server's FIN acknowledges that of the client, and is lost. */
	tree = annotated_capture("zeek-xmpp-dialback-starttls.pcap");
	assert_word(tree, "connections.0.teardown.kind", "timeout");
	assert_word(tree, "connections.0.teardown.first", "client");
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fast", 0);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-fragmented-syn.pcap");
	assert_number(tree, "connections.0.options.client.mss", 1460);
	cJSON_Delete(tree);
}

/* Without a complete handshake the round trip is unknown, and with it rounds,
 * the initial window and what limited the transfer. */
static void test_no_round_trip(void **state)
{
	static const char *const files[] = { "zeek-missing-syn.pcap",
		"zeek-handshake-reorder.pcap" };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		cJSON *tree = annotated_capture(files[i]);

		assert_word(tree, "connections.0.rounds_basis", "none");
		assert_unknown(tree, "connections.0.iw.segments");
		assert_unknown(tree, "connections.0.sides.server.rtt.least_ns");
		assert_unknown(tree, "connections.0.exit.reason");
		cJSON_Delete(tree);
		assert_says(files[i],
			"rounds are unknown: the round trip of the path is "
			"unknown");
	}
}

/* One conversation, recorded in three VLANs. */
static void test_vlans(void **state)
{
	static const char *const vlans[] = { NULL, "42", "10.20" };
	static const double twins[] = { 2, 1, 2 };
	cJSON *tree = annotated_capture("zeek-vlan-collisions.pcap");

	assert_number(tree, "capture.connections", 3);
	assert_number(tree, "capture.repeats", 0);
	for (int i = 0; i < 3; i++) {
		char path[40];

		snprintf(path, sizeof path, "connections.%d", i);
		const cJSON *connection = member(tree, path);
		assert_number(connection, "packets", 14);
		assert_number(connection, "retransmissions", 0);
		assert_number(connection, "handshake.syn_to_synack.took_ns",
			69740000);
		assert_number(connection, "handshake.syn_twin", twins[i]);
		if (vlans[i])
			assert_word(connection, "sides.server.vlan", vlans[i]);
		else
			assert_unknown(connection, "sides.server.vlan");
	}
	cJSON_Delete(tree);
	assert_says("zeek-vlan-collisions.pcap",
		"192.150.187.43:80, VLAN 10.20 captured");
	assert_says("zeek-vlan-collisions.pcap",
		"packet 2 is the same SYN in another VLAN: if both are one "
		"connection, the first leg is ambiguous");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_not_lost),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_no_round_trip),
		cmocka_unit_test(test_vlans),
	};

	if (access(CAPTURES, R_OK)) {
		print_message("SKIP: no public captures here\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
