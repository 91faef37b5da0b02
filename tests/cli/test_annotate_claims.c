/* What `annotate` claims of public captures in which simpler rules saw losses,
 * segments or closes that were none. */
#include <glob.h>
#include <string.h>

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

/* Every connection of these files was captured whole and lost nothing, though
 * some acknowledgements were recorded before their data. */
static void test_whole(void **state)
{
	static const struct {
		const char *file;
		int connections, keepalives;
	} cases[] = {
		{ "zeek-smb3_multichannel.pcap", 4, 24 },
		{ "zeek-modbusBig.pcap", 3, 0 },
		{ "zeek-ipv6-http-atomic-frag.pcap", 4, 0 },
		{ "zeek-smb2.pcap", 1, 0 },
	};
	static const char *const names[] = { "client", "server" };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *tree = annotated_capture(cases[i].file);
		double keepalives = 0;

		assert_number(tree, "capture.connections",
			cases[i].connections);
		assert_number(tree, "capture.gaps", 0);
		for (int k = 0; k < 2 * cases[i].connections; k++) {
			char path[80];

			snprintf(path, sizeof path, "connections.%d.sides.%s",
				k / 2, names[k % 2]);
			const cJSON *side = member(tree, path);
			assert_number(side, "retransmissions", 0);
			assert_number(side, "reordered_or_sent_again", 0);
			assert_number(side, "gap_bytes", 0);
			keepalives += member(side, "keepalives")->valuedouble;
		}
		assert_true(keepalives == cases[i].keepalives);
		cJSON_Delete(tree);
	}
	cJSON *tree = annotated_capture("zeek-ssl-to-http-server.pcap");
	assert_word(tree, "connections.0.sender", "server");
	cJSON_Delete(tree);
}

static void assert_forward(const cJSON *tree, const char *file)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, tree)
	{
		size_t length = item->string ? strlen(item->string) : 0;

		if (length > 3 && !strcmp(item->string + length - 3, "_ns") &&
			cJSON_IsNumber(item) && item->valuedouble < 0)
			fail_msg("%s: %s is %g", file, item->string,
				item->valuedouble);
		assert_forward(item, file);
	}
}

/* No time of any capture is negative, in whatever order the packets were
 * recorded. */
static void test_times(void **state)
{
	glob_t files;

	assert_int_equal(glob(CAPTURES "/*.pcap*", 0, NULL, &files), 0);
	assert_true(files.gl_pathc > 30);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		cJSON *tree = annotated(files.gl_pathv[i]);

		assert_forward(tree, files.gl_pathv[i]);
		cJSON_Delete(tree);
	}
	globfree(&files);
}

static void test_segments(void **state)
{
	static const int chat[] = { 10, 19, 38, 72, 111, 207 };
	static const int web[] = { 2, 4, 7, 14 };
	cJSON *tree = annotated_capture("zeek-retransmit-fast009.pcap");

	assert_number(tree, "connections.0.iw.segments", 10);
	assert_number(tree, "connections.0.iw.bytes", 14300);
	assert_number(tree, "connections.0.retransmissions", 3);
	assert_number(tree, "connections.0.sides.client.duplicate_acks", 5);
	assert_word(tree, "connections.0.teardown.kind", "reset");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-irc-dcc-send.pcapng");
	assert_segments(tree, "connections.1", chat, 6);
	/* All three captured at 10.0.0.7. */
	assert_word(tree, "connections.0.client", "10.0.0.7:59069");
	assert_word(tree, "connections.1.server", "10.0.0.7:59130");
	assert_word(tree, "connections.2.server", "10.0.0.7:59214");
	assert_word(tree, "connections.0.tap", "client");
	assert_word(tree, "connections.1.tap", "server");
	assert_word(tree, "connections.2.tap", "server");
	assert_word(tree, "connections.1.exit.reason", "end_of_data");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-no_crlf.pcap");
	assert_segments(tree, "connections.0", web, 4);
	assert_word(tree, "connections.0.exit.reason", "send_buffer");
	assert_number(tree, "connections.0.retransmissions", 1);
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fin", 1);
	assert_word(tree, "connections.0.events.6.kind", "fin_again");
	assert_number(tree, "connections.0.events.6.t_ns", 84789086000);
	cJSON_Delete(tree);
	assert_says("zeek-no_crlf.pcap", "each of 32768 bytes");
}

static void test_limits(void **state)
{
	cJSON *tree = annotated_capture("zeek-206_example_b.pcap");

	assert_number(tree, "connections.0.iw.segments", 5);
	assert_number(tree, "connections.0.iw.bytes", 7000);
	assert_number(tree, "connections.0.sides.server.beyond_window_packets",
		105);
	/* Not all: of the second excess, 5600 bytes were kept, and the third
	 * was never sent again. */
	assert_number(tree, "connections.0.sides.server.discarded_bytes",
		43665 + 40865 - 5600);
	assert_number(tree, "connections.0.sides.client.zero_windows", 2);
	assert_number(tree, "connections.0.sides.client.zero_window_acks", 57);
	assert_number(tree, "connections.0.sides.server.retransmissions", 108);
	assert_number(tree, "connections.0.sides.server.retransmitted_partly",
		1);
	assert_word(tree, "connections.0.teardown.kind", "reset");
	cJSON_Delete(tree);
	assert_says("zeek-206_example_b.pcap",
		"in recovery, 38 for the third time or later), 1 of them with new "
		"data too,");
	assert_says("zeek-206_example_b.pcap",
		"(by at least 58154 bytes; the receiver discarded 78930 "
		"bytes)");
	assert_says("zeek-206_example_b.pcap",
		"slow start ended: the receiver discarded data beyond its "
		"window (round 4, seen at packet 217");
	assert_says("zeek-206_example_b.pcap",
		"136935..180600 (43665 bytes)");
	tree = annotated_capture("tcpdump-mptcp-v1.pcap");
	assert_true(cJSON_IsTrue(
		member(tree, "connections.0.options.client.mptcp")));
	/* The first of four packets with data. */
	assert_number(tree, "connections.0.sides.client.largest_bytes", 7100);
	assert_number(tree, "connections.0.sides.client.payload_bytes", 10268);
	assert_number(tree, "connections.0.sides.server.payload_bytes", 10268);
	assert_number(tree, "connections.0.teardown.half_close_bytes", 2076);
	cJSON_Delete(tree);
}

/* A capture of one direction shows nothing about the other direction. */
static void test_one_direction(void **state)
{
	const cJSON *connection;
	cJSON *tree = annotated_capture("zeek-ssh.client-side-half-duplex.pcap");

	assert_number(tree, "capture.connections", 20);
	assert_number(tree, "capture.gaps", 0);
	cJSON_ArrayForEach(connection, member(tree, "connections"))
	{
		assert_unknown(connection, "iw.segments");
		assert_unknown(connection, "handshake.path_rtt_ns");
		assert_word(connection, "teardown.kind", "none");
		assert_number(connection, "teardown.server.fins", 0);
		assert_unknown(connection, "sides.server.gaps");
		assert_unknown(connection, "sides.server.gap_bytes");
		assert_unknown(connection, "retransmissions");
		assert_unknown(connection, "sides.server.retransmissions");
		assert_unknown(connection,
			"sides.server.retransmission_kinds.fast");
		assert_unknown(connection, "sides.server.duplicate_acks");
		assert_unknown(connection, "sides.server.zero_windows");
	}
	assert_int_equal(cJSON_GetArraySize(
				 member(tree, "connections.0.events")),
		0);
	cJSON_Delete(tree);
}

/* JSON has every count of packets that the text says were left out, cut off or
 * seen twice. */
static void test_left_out(void **state)
{
	static const struct {
		const char *words, *member;
		const char *of_one; /* if it differs from the words */
	} counts[] = {
		{ " of other link types)", "linktype_others", NULL },
		{ " fragments without a TCP header;", "ip_fragments",
			" fragment without a TCP header;" },
		{ " of other protocols;", "other", " of another protocol;" },
		{ " cut off before their TCP header;", "truncated",
			" cut off before its TCP header;" },
		{ " invalid;", "invalid", NULL },
		{ " of link types that are not read ", "unknown_link",
			" of a link type that is not read " },
		{ " not captured whole;", "cut", NULL },
		{ " in tunnels;", "tunnel_packets", NULL },
		{ " with header lengths beyond their frames;", "overlong", NULL },
		{ " with TCP options cut off;", "options_truncated", NULL },
		{ " with invalid TCP options;", "options_invalid", NULL },
		{ " identical to an earlier packet;", "duplicates", NULL },
		{ " retransmitted or captured twice (", "repeats_uncertain", NULL },
		{ " sorted by time, ", "ts_sorted", NULL },
		{ " with a timestamp before ", "ts_backwards", NULL },
		{ " without a valid timestamp,", "ts_invalid", NULL },
		{ " events, rounds or ranges not kept:", "left_out", NULL },
	};
	int compared = 0;
	glob_t found;

	assert_int_equal(glob(CAPTURES "/*.pcap*", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;
		cJSON *tree = annotated_capture(name);
		const cJSON *capture = member(tree, "capture");

		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
			double count =
				member(capture, counts[k].member)->valuedouble;
			char words[80];

			snprintf(words, sizeof words, " %.0f%s", count,
				count == 1 && counts[k].of_one ?
					counts[k].of_one :
					counts[k].words);
			if (count > 0)
				assert_says(name, words);
			else
				assert_never_says(name, counts[k].words);
			compared += count > 0;
		}
		cJSON_Delete(tree);
	}
	assert_true(compared > 10);
	globfree(&found);
}

/* A reset names the side that sent it. */
static void test_claims(void **state)
{
	cJSON *tree = annotated_capture("zeek-syn-then-stuff-then-rst.pcap");
	assert_word(tree, "connections.0.teardown.reset.by", "client");
	assert_word(tree, "connections.0.teardown.reset.kind", "abort");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-get-gzip.pcap");
	assert_word(tree, "connections.0.teardown.kind", "simultaneous");
	assert_number(tree, "connections.0.retransmissions", 1);
	assert_number(tree,
		"connections.0.sides.client.retransmission_kinds.fin", 1);
	cJSON_Delete(tree);
	/* The server's FIN acknowledges that of the client, so they did not
	 * cross, and it is lost. */
	tree = annotated_capture("zeek-xmpp-dialback-starttls.pcap");
	assert_word(tree, "connections.0.teardown.kind", "unanswered");
	assert_word(tree, "connections.0.teardown.first", "client");
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fast", 0);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-psql-aws-ssl-require.pcap");
	assert_number(tree, "connections.0.sides.server.reordered", 1);
	assert_number(tree, "connections.0.retransmissions", 0);
	assert_number(tree,
		"connections.0.sides.server.reordered_or_sent_again", 0);
	cJSON_Delete(tree);
	assert_says("zeek-psql-aws-ssl-require.pcap",
		"late, not retransmitted: reordered");
	tree = annotated_capture("zeek-fragmented-syn.pcap");
	assert_number(tree, "capture.ip_fragments", 1);
	assert_number(tree, "connections.0.handshake.syn.0.packet", 1);
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
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_left_out),
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
