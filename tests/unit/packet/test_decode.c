/* From bytes to segments: every link type, both versions of IP, options,
 * lengths of 0 or wrong lengths, and truncated captures. */
#include "decode.h"

#include "check.h"
#include "make_packets.h"

static struct packet decode(const struct made *made, uint32_t link_type)
{
	struct packet_record record = made_record(made, link_type, 5);
	struct packet packet;

	packet_decode(&record, 1, &packet);
	return packet;
}

static struct made make(bool six, struct segment segment)
{
	struct flow flow = flow_new();

	flow.six = six;
	return segment_make(&flow, segment);
}

static void assert_segment(const struct packet *packet, bool six)
{
	assert_int_equal(packet->class, PACKET_TCP);
	assert_string_equal(endpoint_text(&packet->from).chars,
		six ? "[2001:db8::1]:40000" : "10.0.0.1:40000");
	assert_string_equal(endpoint_text(&packet->to).chars,
		six ? "[2001:db8::2]:80" : "10.0.0.2:80");
	assert_int_equal(packet->seq, 1001 + 100);
	assert_int_equal(packet->ack, 5001 + 7);
	assert_int_equal(packet->flags, TCP_ACK | TCP_PSH);
	assert_int_equal(packet->payload_bytes, 1448);
	assert_int_equal(packet->payload_captured, PAYLOAD_KEPT);
	assert_int_equal(packet->payload[0], 100);
	assert_int_equal(packet->options.tsval, 77);
	assert_int_equal(packet->options.tsecr, 88);
	assert_true(packet->window_known);
	assert_int_equal(packet->window, 1000);
}

static const struct segment data = { .flags = TCP_ACK | TCP_PSH,
	.seq = 100,
	.ack = 7,
	.length = 1448,
	.tsval = 77,
	.tsecr = 88 };

static void test_links(void **state)
{
	for (int six = 0; six < 2; six++)
		for (int on = 0; on < ENCAPSULATIONS; on++) {
			struct made ip = make(six, data);
			struct made made =
				made_on(&ip, (enum encapsulation)on, six);
			struct packet packet = decode(&made,
				encapsulation_link((enum encapsulation)on,
					six));

			assert_segment(&packet, six);
			assert_int_equal(packet.vlan_tags,
				on == ON_VLAN         ? 1 :
					on == ON_QINQ ? 2 :
							0);
			assert_int_equal(packet.pppoe,
				on == ON_PPPOE || on == ON_PPP_ETHER ||
					on == ON_JUNIPER_PPPOE);
			assert_int_equal(packet.tunnelled, on >= ON_TUNNEL);
		}
}

static void test_unknown_link(void **state)
{
	struct made made = make(false, data);

	assert_int_equal(decode(&made, 189).class, PACKET_UNKNOWN_LINK);
	assert_false(link_type_is_read(189));
	assert_string_equal(link_type_name(189), "USB_LINUX");
	assert_null(link_type_name(5));
	assert_null(link_type_name(65535));
	assert_true(link_type_is_read(LINK_RAW_BSD));
	assert_string_equal(link_type_name(LINK_RAW_BSD), "RAW");
}

/* A port of a tunnel does not make a tunnel, and the first fragment of one is
 * not decoded. */
static void test_no_tunnel(void **state)
{
	struct made ip = make(false, data);
	struct made made = made_on(&ip, ON_VXLAN, false);

	made.bytes[28] = 9;
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_OTHER);
	made = made_on(&ip, ON_GTP, false);
	made.bytes[28] = 0x54;
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_OTHER);
	made = made_on(&ip, ON_GTP, false);
	made.bytes[44] = 0xff; /* instead of IP */
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_OTHER);
	made = made_on(&ip, ON_GRE, false);
	put16(made.bytes + 6, 0x2000);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_OTHER);
	made.captured = 30;
	put16(made.bytes + 6, 0);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_TRUNCATED);
}

static void test_options(void **state)
{
	const struct segment syn = { .flags = TCP_SYN,
		.seq = -1,
		.mss = 1460,
		.wscale = 8,
		.sack_permitted = true,
		.tsval = 1 };
	const struct segment sack = { .ack = 10,
		.sacks = 3,
		.sack = { { 20, 30 }, { 40, 50 }, { 60, 70 } } };
	struct made made = make(false, syn);
	struct packet packet = decode(&made, LINK_RAW);

	assert_int_equal(packet.options.state, OPTIONS_WHOLE);
	assert_int_equal(packet.options.present,
		OPTION_MSS | OPTION_WSCALE | OPTION_SACK_PERMITTED |
			OPTION_TIMESTAMPS);
	assert_int_equal(packet.options.mss_bytes, 1460);
	assert_int_equal(packet.options.wscale, 7);
	made = make(false, sack);
	packet = decode(&made, LINK_RAW);
	assert_int_equal(packet.options.sack_count, 3);
	assert_int_equal(packet.options.sack[2].from, 5001 + 60);
	assert_int_equal(packet.options.sack[2].to, 5001 + 70);
}

/* A capture truncated at any byte: known fields are correct, and nothing is
 * guessed. */
static void test_cut(void **state)
{
	const struct segment syn = { .flags = TCP_SYN,
		.seq = -1,
		.mss = 1460,
		.wscale = 8,
		.sack_permitted = true,
		.tsval = 1 };
	struct made ip = make(false, syn);
	struct made made = made_on(&ip, ON_QINQ, false);
	uint32_t tcp_at = made.captured - 44;

	for (uint32_t kept = 0; kept < made.captured; kept++) {
		struct made cut = made;

		cut.captured = kept;
		struct packet packet = decode(&cut, LINK_ETHERNET);
		if (kept < tcp_at + 14) {
			assert_int_equal(packet.class, PACKET_TRUNCATED);
			continue;
		}
		assert_int_equal(packet.class, PACKET_TCP);
		assert_int_equal(packet.seq, 1000);
		assert_int_equal(packet.options.state, OPTIONS_TRUNCATED);
		assert_int_equal(packet.window_known, kept >= tcp_at + 16);
		assert_int_equal((packet.options.present & OPTION_MSS) != 0,
			kept >= tcp_at + 24);
		assert_int_equal((packet.options.present & OPTION_WSCALE) != 0,
			kept >= tcp_at + 27);
	}
}

/* A packet with inconsistent fields is invalid, not truncated. */
static void test_lies(void **state)
{
	struct made made = make(false, data), lie;

	lie = made;
	lie.bytes[0] = 0x44; /* a header of 16 bytes */
	assert_int_equal(decode(&lie, LINK_RAW).class, PACKET_INVALID);
	lie = made;
	lie.bytes[0] = 0x55; /* version 5 does not exist */
	assert_int_equal(decode(&lie, LINK_RAW).class, PACKET_INVALID);
	lie = made;
	put16(lie.bytes + 2, 30); /* no room for TCP */
	assert_int_equal(decode(&lie, LINK_RAW).class, PACKET_INVALID);
	lie = made;
	lie.bytes[32] = 0x40; /* a TCP header of 16 bytes */
	assert_int_equal(decode(&lie, LINK_RAW).class, PACKET_INVALID);
	lie = made;
	lie.bytes[43] = 1; /* an option of one byte */
	assert_int_equal(decode(&lie, LINK_RAW).options.state, OPTIONS_INVALID);
	lie = made;
	lie.bytes[43] = 200; /* longer than the header */
	assert_int_equal(decode(&lie, LINK_RAW).options.state, OPTIONS_INVALID);
}

/* Segmentation offload and BIG TCP: if the header's length is 0, the length on
 * the wire is used. It is not used for padded short frames. */
static void test_lengths(void **state)
{
	struct segment big = data;
	struct made made, padded;

	big.length = 80000;
	made = make(false, big);
	put16(made.bytes + 2, 0);
	assert_int_equal(decode(&made, LINK_RAW).payload_bytes, 80000);
	made = make(true, big);
	put16(made.bytes + 4, 0);
	assert_int_equal(decode(&made, LINK_RAW).payload_bytes, 80000);
	struct made ack = make(false, (struct segment){ .tsval = -1 });
	padded = made_on(&ack, ON_ETHERNET, false);
	memset(padded.bytes + padded.captured, 0, 6);
	padded.captured += 6;
	padded.wire += 6;
	assert_int_equal(decode(&padded, LINK_ETHERNET).payload_bytes, 0);
	/* More bytes than the frame has on the wire: a tool has truncated
	 * it. */
	made = make(false, data);
	made.wire -= 8;
	struct packet packet = decode(&made, LINK_RAW);
	assert_true(packet.overlong);
	assert_int_equal(packet.payload_bytes, 1440);
}

static void test_fragments(void **state)
{
	struct made made = make(false, data);

	put16(made.bytes + 6, 0x2000); /* the first fragment */
	struct packet packet = decode(&made, LINK_RAW);
	assert_int_equal(packet.class, PACKET_TCP);
	assert_true(packet.ip_fragment);
	put16(made.bytes + 6, 0x00b9);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_FRAGMENT);
}

/* A first fragment may end within the options, a complete packet may not. */
static void test_short_fragment(void **state)
{
	struct made made = make(false, data);

	put16(made.bytes + 2, 20 + 24);
	made.captured = made.wire = 20 + 24;
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_INVALID);
	put16(made.bytes + 6, 0x2000);
	struct packet packet = decode(&made, LINK_RAW);
	assert_int_equal(packet.class, PACKET_TCP);
	assert_int_equal(packet.payload_bytes, 0);
	assert_int_equal(packet.options.state, OPTIONS_TRUNCATED);
}

/* IPv6 extension headers before TCP. A fragment that is the whole packet is
 * decoded, a later one is not. Nine headers are too many. */
static struct made extended(const uint8_t *headers, uint32_t bytes,
	uint8_t first)
{
	struct made made = make(true, data), longer = made;

	memcpy(longer.bytes + 40, headers, bytes);
	memcpy(longer.bytes + 40 + bytes, made.bytes + 40, made.captured - 40);
	longer.bytes[6] = first;
	put16(longer.bytes + 4, made.wire - 40 + bytes);
	longer.captured += bytes;
	longer.wire += bytes;
	return longer;
}

static void test_extensions(void **state)
{
	static const uint8_t hop[8] = { 44, 0, 1, 4 };
	uint8_t headers[16], many[72];
	struct made made;

	memcpy(headers, hop, 8);
	memcpy(headers + 8, (uint8_t[8]){ 6, 0, 0, 0, 1, 2, 3, 4 }, 8);
	made = extended(headers, 16, 0);
	struct packet packet = decode(&made, LINK_RAW);
	assert_segment(&packet, true);
	headers[11] = 8; /* at offset 8 */
	made = extended(headers, 16, 0);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_FRAGMENT);
	memset(many, 0, sizeof many);
	for (int i = 0; i < 9; i++)
		many[i * 8] = i < 8 ? 60 : 6;
	made = extended(many, 72, 60);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_INVALID);
	/* The length of an authentication header is in units of four bytes. */
	made = extended((const uint8_t[24]){ 6, 4 }, 24, 51);
	packet = decode(&made, LINK_RAW);
	assert_segment(&packet, true);
}

static void test_too_big(void **state)
{
	struct made quoted = make(false, data), made = quoted;

	made.bytes[9] = 1;
	put32(made.bytes + 20, 0x03040000);
	put32(made.bytes + 24, 1400);
	memcpy(made.bytes + 28, quoted.bytes, 28);
	made.captured = made.wire = 56;
	put16(made.bytes + 2, 56);
	struct packet packet = decode(&made, LINK_RAW);
	assert_int_equal(packet.class, PACKET_TOO_BIG);
	assert_int_equal(packet.mtu_bytes, 1400);
	assert_int_equal(packet.from.port, 40000);
	assert_int_equal(packet.seq, 1101);
	made.captured = made.wire = 40;
	put16(made.bytes + 2, 40);
	assert_int_equal(decode(&made, LINK_RAW).class, PACKET_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_unknown_link),
		cmocka_unit_test(test_no_tunnel),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_lies),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_fragments),
		cmocka_unit_test(test_short_fragment),
		cmocka_unit_test(test_extensions),
		cmocka_unit_test(test_too_big),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
