/* Capture files of generated packets. */
#include "pcap_files.h"

void begin_file(FILE *file)
{
	const uint32_t header[6] = { 0xa1b23c4d, 2 | 4 << 16, 0, 0, 65535,
		LINK_RAW };

	rewind(file);
	fwrite(header, sizeof header, 1, file);
}

void add_packet(FILE *file, struct flow *flow, struct segment segment)
{
	struct made made = segment_make(flow, segment);
	int64_t t_ns = segment_ns(flow, &segment);
	const uint32_t header[4] = { (uint32_t)(t_ns / 1000000000),
		(uint32_t)(t_ns % 1000000000), made.captured, made.wire };

	fwrite(header, sizeof header, 1, file);
	fwrite(made.bytes, 1, made.captured, file);
}

void write_long(FILE *file, int packets)
{
	struct flow flow = flow_new();
	int64_t at = 0;

	add_packet(file, &flow,
		(struct segment){ .flags = TCP_SYN,
			.seq = -1,
			.mss = 1460,
			.wscale = 8 });
	add_packet(file, &flow,
		(struct segment){ .ms = 20,
			.side = 1,
			.flags = TCP_SYN | TCP_ACK,
			.seq = -1,
			.mss = 1460,
			.wscale = 8 });
	add_packet(file, &flow, (struct segment){ .ms = 20.1 });
	for (int i = 0; i < packets / 3; i++) {
		double ms = 21 + i * 0.05;
		bool again = i % 1000 == 999;

		for (int k = 0; k < 2; k++, at += again ? 0 : 1448)
			add_packet(file, &flow,
				(struct segment){ .ms = ms,
					.seq = at,
					.length = 1448 });
		add_packet(file, &flow,
			(struct segment){ .ms = ms + 0.01,
				.side = 1,
				.ack = at - 40 * 1448 });
	}
}
