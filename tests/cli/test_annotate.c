/* Public captures with known contents, and the verb `annotate` itself. */
#include "annotated.h"
#include "schema.h"

static char captures[] = CAPTURES;

static void test_receiver(void **state)
{
	static const int segments[] = { 10, 20, 40, 80, 158, 238 };
	cJSON *tree = annotated_capture("zeek-timestamp.pcap");

	assert_number(tree, "capture.packets", 878);
	/* All packets with data, by the snap length. */
	assert_number(tree, "capture.cut", 691);
	assert_word(tree, "capture.tap", "client");
	assert_number(tree, "connections.0.handshake.syn_to_synack.took_ns",
		50854000);
	assert_number(tree, "connections.0.handshake.synack_to_ack.took_ns",
		427000);
	assert_word(tree, "connections.0.sender", "server");
	assert_word(tree, "connections.0.rounds_basis", "timestamp_echo");
	assert_segments(tree, "connections.0", segments, 6);
	assert_number(tree, "connections.0.iw.segments", 10);
	assert_word(tree, "connections.0.iw.state", "whole");
	assert_number(tree, "connections.0.retransmissions", 0);
	assert_word(tree, "connections.0.teardown.kind", "orderly");
	assert_number(tree, "connections.0.sides.server.payload_bytes",
		1000000);
	cJSON_Delete(tree);
}

static void test_lossy(void **state)
{
	static const int segments[] = { 2, 3, 5, 8, 13 };
	cJSON *tree = annotated_capture("zeek-206_example_a.pcap");

	assert_segments(tree, "connections.1", segments, 5);
	assert_number(tree, "connections.1.iw.segments", 2);
	assert_int_equal(cJSON_GetArraySize(
				 member(tree, "connections.1.handshake.syn")),
		2);
	assert_int_equal(count_kind(tree, "connections.1.events", "syn_again"),
		1);
	assert_int_equal(count_kind(tree, "connections.1.events",
				 "synack_again"),
		1);
	assert_number(tree, "connections.1.handshake.syn.1.t_ns", 3002168000);
	assert_number(tree, "connections.1.handshake.synack.1.t_ns",
		3002650000);
	/* Three seconds are not its round trip. */
	assert_number(tree, "connections.1.handshake.path_rtt_ns", 370126000);
	assert_unknown(tree, "connections.1.handshake.synack_to_ack.took_ns");
	assert_number(tree, "connections.1.handshake.synack_to_ack.least_ns",
		369718000);
	assert_number(tree, "connections.1.sides.client.duplicate_acks", 80);
	assert_true(member(tree, "connections.1.sides.client.sack_acks")
			    ->valuedouble > 0);
	assert_number(tree, "connections.1.sides.client.retransmissions", 1);
	assert_number(tree, "connections.1.sides.server.retransmissions", 18);
	assert_number(tree, "connections.1.retransmissions", 19);
	assert_word(tree, "connections.1.exit.reason", "loss");
	cJSON_Delete(tree);
}

static void test_reassembly(void **state)
{
	cJSON *tree = annotated_capture("zeek-reassembly.pcap");
	double fins = member(tree, "connections.0.teardown.client.fins")
			      ->valuedouble +
		member(tree, "connections.0.teardown.server.fins")->valuedouble;

	assert_number(tree, "connections.0.retransmissions", 20);
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fin", 3);
	/* After silences of 1.6, 4.0 and 3.2 s. */
	assert_number(tree,
		"connections.0.sides.client.retransmission_kinds.timeout", 3);
	/* No fast retransmission: the server's FIN is repeated in its ACKs of
	 * new data. */
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.fast", 0);
	assert_number(tree,
		"connections.0.sides.client.retransmission_kinds.fast", 0);
	assert_number(tree, "capture.gaps", 8);
	assert_number(tree, "connections.0.sides.client.gaps", 8);
	assert_true(fins == 6);
	cJSON_Delete(tree);
	/* Ranges of one gap may be acknowledged apart. */
	assert_says("zeek-reassembly.pcap",
		"8 gaps, 4376 bytes acknowledged but not captured");
}

static void test_copies(void **state)
{
	cJSON *tree = annotated_capture("zeek-m57-long-49583-80.pcap");

	assert_number(tree, "capture.packets", 227);
	assert_number(tree, "capture.duplicates", 113);
	assert_number(tree, "connections.0.retransmissions", 0);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-pppoe-over-qinq.pcap");
	assert_number(tree, "capture.vlan_tags", 2);
	assert_number(tree, "capture.pppoe_packets", 86);
	assert_number(tree, "capture.repeats", 32);
	assert_says("zeek-pppoe-over-qinq.pcap",
		"23 retransmitted or captured twice (same sender");
	/* The other nine are acknowledgements without identification. */
	assert_never_says("zeek-irc-dcc-send.pcapng", "captured twice");
	/* Its times are written in one unit. */
	assert_says("zeek-pppoe-over-qinq.pcap", " 38.208757 s 79 ");
	assert_says("zeek-pppoe-over-qinq.pcap", " 273.626833 s 82 ");
	/* Four retransmissions, each after twice the time of the one before. */
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.tail_probe",
		0);
	assert_number(tree,
		"connections.0.sides.server.retransmission_kinds.timeout", 3);
	cJSON_Delete(tree);
}

static void test_odd_ends(void **state)
{
	cJSON *tree = annotated_capture("zeek-fin_retransmission.pcap");

	assert_int_equal(count_kind(tree, "connections.0.events", "fin_early"),
		1);
	assert_int_equal(count_kind(tree, "connections.0.events", "fin_again"),
		1);
	assert_word(tree, "connections.0.teardown.reset.by", "server");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-retransmit-timeout.pcapng");
	assert_word(tree, "connections.0.role", "guessed");
	assert_int_equal(cJSON_GetArraySize(
				 member(tree, "connections.0.handshake.syn")),
		0);
	assert_number(tree, "connections.0.retransmissions", 1);
	assert_number(tree,
		"connections.0.sides.client.retransmission_kinds.spurious", 1);
	assert_word(tree, "connections.0.handshake.syn_to_synack.state",
		"unseen");
	cJSON_Delete(tree);
	/* The client itself reset the connection; the server did not refuse
	 * it. */
	tree = annotated_capture("zeek-syn-then-rst.pcap");
	assert_word(tree, "connections.0.teardown.kind", "reset");
	assert_word(tree, "connections.0.teardown.reset.by", "client");
	assert_word(tree, "connections.0.teardown.reset.kind", "abort");
	cJSON_Delete(tree);
	assert_never_says("zeek-syn-then-rst.pcap", "refused");
}

static void test_odd_beginnings(void **state)
{
	cJSON *tree = annotated_capture("zeek-handshake-reorder.pcap");

	assert_word(tree, "connections.0.role", "syn");
	assert_word(tree, "connections.0.handshake.syn_to_synack.state",
		"out_of_order");
	assert_unknown(tree, "connections.0.handshake.syn_to_synack.took_ns");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-missing-syn.pcap");
	assert_word(tree, "connections.0.role", "synack");
	assert_word(tree, "connections.0.client", "141.42.64.125:56730");
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-payload-syn.pcap");
	assert_word(tree, "capture.linktype", "RAW");
	assert_number(tree, "connections.0.options.client.syn_payload_bytes",
		100);
	assert_number(tree, "connections.0.sides.client.payload_bytes", 100);
	cJSON_Delete(tree);
	assert_says("zeek-payload-syn.pcap",
		"rounds are unknown: no new data is known to be sent after "
		"the handshake");
}

static void test_options(void **state)
{
	cJSON *tree = annotated_capture("zeek-window-scale-range.pcap");

	assert_number(tree, "connections.0.options.client.wscale", 255);
	assert_number(tree, "connections.0.options.client.wscale_used", 14);
	assert_int_equal(count_kind(tree, "connections.0.events",
				 "wscale_clamped"),
		1);
	assert_number(tree, "connections.0.sides.client.window_most_bytes",
		65535.0 * (1 << 14));
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-truncated-header.pcap");
	assert_number(tree, "capture.packets", 24);
	assert_number(tree, "capture.cut", 24);
	assert_word(tree, "connections.0.options.client.state", "truncated");
	assert_unknown(tree, "connections.0.options.client.wscale");
	assert_unknown(tree, "connections.0.options.window_scaling");
	assert_unknown(tree, "connections.0.sides.client.window_most_bytes");
	cJSON_Delete(tree);
}

static void test_formats(void **state)
{
	cJSON *tree = annotated_capture("tcpdump-tcp-handshake-nano.pcap");

	assert_word(tree, "capture.linktype", "LINUX_SLL");
	assert_number(tree, "capture.ts_resolution_ns", 1);
	assert_number(tree, "connections.0.handshake.syn_to_synack.took_ns",
		127521774);
	assert_number(tree, "connections.0.handshake.synack_to_ack.took_ns",
		87895);
	cJSON_Delete(tree);
	tree = annotated_capture("tcpdump-timestamp_invalid_nano.pcap");
	assert_number(tree, "capture.ts_invalid", 2);
	assert_word(tree, "capture.tap", "unknown");
	assert_word(tree, "connections.0.handshake.syn_to_synack.state",
		"untimed");
	assert_unknown(tree, "connections.0.handshake.syn_to_synack.took_ns");
	assert_unknown(tree, "connections.0.handshake.path_rtt_ns");
	cJSON_Delete(tree);
	/* Many interfaces, with different snap lengths and link types. */
	tree = annotated_capture("zeek-gap-data-missing.pcapng");
	assert_number(tree, "capture.packets", 18);
	assert_number(tree, "capture.cut", 0);
	assert_number(tree, "capture.connections", 1);
	cJSON_Delete(tree);
	tree = annotated_capture("zeek-http-vlan-0.pcap");
	assert_number(tree, "capture.vlan_tags", 1);
	assert_number(tree, "capture.vlan_packets", 14);
	cJSON_Delete(tree);
	tree = annotated_capture("tcpdump-print-flags.pcap");
	assert_word(tree, "connections.0.tap", "loopback");
	assert_true(cJSON_IsTrue(
		member(tree, "connections.0.handshake.complete")));
	assert_number(tree, "connections.0.options.client.mss", 16396);
	assert_number(tree, "connections.0.sides.server.largest_bytes", 5559);
	assert_word(tree, "connections.0.iw.state", "not_observable");
	assert_unknown(tree, "connections.0.iw.segments");
	assert_word(tree, "connections.0.teardown.kind", "orderly");
	cJSON_Delete(tree);
	tree = annotated_capture("tcpdump-gso-ipv4.pcap");
	assert_number(tree, "connections.0.sides.client.frames", 0);
	assert_number(tree, "connections.0.sides.server.payload_bytes", 7240);
	assert_number(tree, "connections.0.sides.server.frames", 1);
	/* The handshake is missing, and with it the size of a segment. */
	assert_unknown(tree, "connections.0.sides.server.segments");
	cJSON_Delete(tree);
}

static void assert_narrow(char *out)
{
	char *rest = NULL;

	/* The first line is the name, however long. */
	strtok_r(out, "\n", &rest);
	for (char *line = strtok_r(NULL, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		if (strlen(line) > 80)
			fail_msg("%zu columns: %s", strlen(line), line);
		for (const char *at = line; *at; at++)
			if ((unsigned char)*at >= 0x7f)
				fail_msg("not ASCII: %s", line);
	}
}

/* The text for every capture has at most 80 columns, is ASCII, and appears
 * quickly. A file that libpcap refuses is refused in one sentence. */
static void test_text(void **state)
{
	struct ran names = RUN("/usr/bin/env", "ls", captures);
	char *rest = NULL;
	int count = 0;

	for (char *name = strtok_r(names.out.chars, "\n", &rest); name;
		name = strtok_r(NULL, "\n", &rest)) {
		if (!strstr(name, ".pcap"))
			continue;
		int64_t before = now_ms();
		struct ran ran = RUN(PROGRAM, "annotate", capture_path(name));
		/* It takes a second on a quiet machine; this machine may be
		 * busy. */
		assert_true(now_ms() - before < 10000);
		if (ran.status == 3) {
			assert_contains(ran.err, "cannot read");
			ran_free(&ran);
			continue;
		}
		assert_status(ran, 0);
		if (strstr(ran.out.chars, " -> "))
			assert_contains(ran.out, "handshake");
		assert_narrow(ran.out.chars);
		ran_free(&ran);
		count++;
	}
	assert_true(count > 10);
	ran_free(&names);
}

/* Every reply to `annotate FILE` and an option is valid by its schema. */
static void check_schema(const char *option, const char *schema)
{
	struct ran ran = RUN("/usr/bin/env", "python3", "-W", "ignore", "-c",
		"import glob, json, jsonschema, subprocess, sys\n"
		"schema = json.load(open(sys.argv[1]))\n"
		"kind = jsonschema.validators.validator_for(schema)\n"
		"kind.check_schema(schema)\n"
		"validator = kind(schema)\n"
		"files = glob.glob(sys.argv[3] + '/*.pcap*')\n"
		"assert len(files) > 10\n"
		"for name in files:\n"
		"    reply = subprocess.run([sys.argv[2], 'annotate', name,\n"
		"        '--json'] + sys.argv[4:], capture_output=True)\n"
		"    if reply.returncode == 3: continue\n"
		"    validator.validate(json.loads(reply.stdout))\n",
		schema, PROGRAM, captures, option);
	if (ran.status)
		fail_msg("%s", text_chars(&ran.err));
	ran_free(&ran);
}

static void test_schema(void **state)
{
	if (!has_jsonschema())
		return;
	check_schema(NULL, SOURCE_FOLDER "/assets/connections.schema.json");
	check_schema("--summary",
		SOURCE_FOLDER "/assets/connection-list.schema.json");
}

/* ---- without the captures ---------------------------------------------- */

static void test_refused(void **state)
{
	write_file(in_folder("words.txt"), "these are no packets\n");
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("words.txt"));
	assert_status(ran, 3);
	assert_contains(ran.err, "as a capture file");
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate", in_folder("nothing.pcap"));
	assert_status(ran, 3);
	assert_contains(ran.err, "cannot open");
	ran_free(&ran);
	write_file(in_folder("empty.pcap"), "");
	ran = RUN(PROGRAM, "annotate", in_folder("empty.pcap"));
	assert_status(ran, 3);
	ran_free(&ran);
	ran = RUN(PROGRAM, "annotate");
	assert_status(ran, 2);
	ran_free(&ran);
}

/* A file without packets states neither a link type nor a resolution. */
static void test_packetless(void **state)
{
	static const uint32_t header[] = { 0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535,
		1 };
	FILE *file = fopen(in_folder("none.pcap"), "we");

	assert_non_null(file);
	fwrite(header, sizeof header, 1, file);
	assert_int_equal(fclose(file), 0);
	cJSON *tree = annotated(in_folder("none.pcap"));
	assert_number(tree, "capture.packets", 0);
	assert_unknown(tree, "capture.linktype");
	assert_unknown(tree, "capture.linktype_number");
	assert_unknown(tree, "capture.ts_resolution_ns");
	cJSON_Delete(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_packetless),
		cmocka_unit_test(test_receiver),
		cmocka_unit_test(test_lossy),
		cmocka_unit_test(test_reassembly),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_odd_ends),
		cmocka_unit_test(test_odd_beginnings),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_schema),
	};

	if (access(captures, R_OK)) {
		printf("SKIP: no public captures here\n");
		int failed =
			cmocka_run_group_tests(((const struct CMUnitTest[]){
						       tests[0] }),
				make_folder, remove_folder);
		return failed ? failed : 77;
	}
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
