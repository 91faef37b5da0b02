/* Packets generated for tests. */
#include "make_packets.h"

struct flow flow_new(void)
{
	return (struct flow){
		.start_ns = INT64_C(1700000000000000000),
		.isn = { 1000, 5000 },
		.port = { 40000, 80 },
		.address = { 1, 2 },
		.timestamps = true,
		.id_next = { 1, 30000 },
	};
}

uint8_t *put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
	return at + 2;
}

uint8_t *put32(uint8_t *at, uint32_t value)
{
	return put16(put16(at, value >> 16), value);
}

static uint8_t *put_options(const struct flow *flow,
	const struct segment *segment, uint32_t ack_base, uint8_t *at)
{
	uint8_t *begin = at;

	if (segment->mss) {
		*at++ = 2;
		*at++ = 4;
		at = put16(at, (uint32_t)segment->mss);
	}
	if (segment->wscale) {
		*at++ = 3;
		*at++ = 3;
		*at++ = (uint8_t)(segment->wscale - 1);
	}
	if (segment->sack_permitted) {
		*at++ = 4;
		*at++ = 2;
	}
	if (flow->timestamps && segment->tsval >= 0) {
		*at++ = 1;
		*at++ = 1;
		*at++ = 8;
		*at++ = 10;
		at = put32(at, (uint32_t)segment->tsval);
		at = put32(at, (uint32_t)segment->tsecr);
	}
	if (segment->sacks) {
		*at++ = 5;
		*at++ = (uint8_t)(2 + 8 * segment->sacks);
		for (unsigned i = 0; i < segment->sacks; i++) {
			at = put32(at,
				ack_base + (uint32_t)segment->sack[i][0]);
			at = put32(at,
				ack_base + (uint32_t)segment->sack[i][1]);
		}
	}
	while ((at - begin) % 4)
		*at++ = 1;
	return at;
}

static uint8_t *put_ip(const struct flow *flow, const struct segment *segment,
	uint32_t tcp_bytes, uint8_t *at)
{
	int from = segment->side, to = flow->self ? from : !from;
	int ttl = segment->ttl ? segment->ttl : 64;

	if (flow->six) {
		at = put32(at, 0x60012345);
		at = put16(at, tcp_bytes);
		*at++ = 6;
		*at++ = (uint8_t)ttl;
		for (int i = 0; i < 2; i++) {
			memset(at, 0, 16);
			put32(at, 0x20010db8);
			at[15] = flow->address[i ? to : from];
			at += 16;
		}
		return at;
	}
	at = put16(at, 0x4500);
	at = put16(at, tcp_bytes + 20);
	at = put16(at, (uint32_t)segment->ip_id);
	at = put16(at, 0x4000);
	*at++ = (uint8_t)ttl;
	*at++ = 6;
	at = put16(at, 0);
	for (int i = 0; i < 2; i++)
		at = put32(at, 0x0a000000u + flow->address[i ? to : from]);
	return at;
}

struct made segment_make(struct flow *flow, struct segment s)
{
	struct made made = { .captured = 0 };
	uint8_t tcp[60], *at = tcp;
	int to = flow->self ? s.side : !s.side;
	uint32_t seq_base = flow->isn[s.side] + 1;
	uint32_t ack_base = flow->isn[to] + 1;
	if (!s.flags)
		s.flags = TCP_ACK;
	bool acks = s.flags & TCP_ACK;

	if (!s.tsval)
		s.tsval = (int)(100000 * (s.side + 1) + s.ms);
	if (!s.tsecr && acks)
		s.tsecr = (int)flow->tsval_last[to];
	if (!s.ip_id)
		s.ip_id = flow->id_next[s.side]++;
	flow->tsval_last[s.side] = (uint32_t)s.tsval;
	at = put16(at, flow->port[s.side]);
	at = put16(at, flow->port[to]);
	at = put32(at, seq_base + (uint32_t)s.seq);
	at = put32(at, acks ? ack_base + (uint32_t)s.ack : 0);
	uint8_t *offset = at;
	at += 2;
	at = put16(at,
		s.window < 0 ? 0 : (uint32_t)(s.window ? s.window : 1000));
	at = put32(at, 0);
	at = put_options(flow, &s, ack_base, at);
	uint32_t header = (uint32_t)(at - tcp);
	put16(offset, header / 4 << 12 | s.flags);
	uint8_t *end = put_ip(flow, &s, header + s.length, made.bytes);
	memcpy(end, tcp, header);
	end += header;
	uint32_t kept = s.length < PAYLOAD_KEPT ? s.length : PAYLOAD_KEPT;
	for (uint32_t i = 0; i < kept; i++)
		end[i] = (uint8_t)(s.seq + i);
	made.captured = (uint32_t)(end - made.bytes) + kept;
	made.wire = made.captured - kept + s.length;
	return made;
}

int64_t segment_ns(const struct flow *flow, const struct segment *segment)
{
	return flow->start_ns + (int64_t)(segment->ms * 1000) * 1000;
}

struct packet_record made_record(const struct made *made, uint32_t link_type,
	int64_t t_ns)
{
	return (struct packet_record){
		.t_ns = t_ns,
		.bytes = made->bytes,
		.captured_bytes = made->captured,
		.wire_bytes = made->wire,
		.link_type = link_type,
	};
}
