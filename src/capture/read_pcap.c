/* Reads pcap files. */
#include <string.h>

#include "order.h"
#include "read_file.h"

/* A file, as its first 24 bytes describe it. */
struct pcap_file {
	bool swapped;
	int64_t unit_ns;     /* of the fractions of a second */
	size_t header_bytes; /* of each packet */
	uint16_t link_type;
};

static bool recognise(const uint8_t *magic, struct pcap_file *file)
{
	static const struct {
		uint32_t magic;
		int64_t unit_ns;
		size_t header_bytes;
	} kinds[] = {
		{ 0xa1b2c3d4, 1000, 16 },
		{ 0xa1b23c4d, 1, 16 },
		/* The patched format also has an interface, a protocol and a
		 * direction. */
		{ 0xa1b2cd34, 1000, 24 },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (int swapped = 0; swapped < 2; swapped++)
			if (file_u32(magic, swapped) == kinds[i].magic) {
				file->swapped = swapped;
				file->unit_ns = kinds[i].unit_ns;
				file->header_bytes = kinds[i].header_bytes;
				return true;
			}
	return false;
}

/* Reads the header of the file after its magic number. The upper bits of the
 * link type are flags. */
static bool read_header(struct pcap_file *file)
{
	const uint8_t *at = input_take(20);

	if (!at)
		return read_over(false, 0);
	unsigned major = file_u16(at, file->swapped);
	unsigned minor = file_u16(at + 2, file->swapped);
	if (major != 2 || minor < 4)
		return read_damaged("its pcap version is %u.%u, expected 2.4",
			major, minor);
	file->link_type =
		(uint16_t)(file_u32(at + 16, file->swapped) & 0xffff);
	output_ready(file->link_type, file_u32(at + 12, file->swapped));
	return true;
}

static bool read_packet(const struct pcap_file *file, uint64_t number)
{
	const uint8_t *at = input_take(file->header_bytes);

	if (!at)
		return read_over(true, number);
	struct captured packet = {
		.second = file_u32(at, file->swapped),
		.ns = file_u32(at + 4, file->swapped) * file->unit_ns,
		.captured_bytes = file_u32(at + 8, file->swapped),
		.wire_bytes = file_u32(at + 12, file->swapped),
		.link_type = file->link_type,
	};
	if (packet.captured_bytes > PACKET_BYTES_MOST)
		return read_damaged("packet %llu states a captured length of "
				    "%u bytes, expected at most %d",
			(unsigned long long)number, packet.captured_bytes,
			PACKET_BYTES_MOST);
	uint32_t kept = output_kept(packet.captured_bytes);
	if (packet.captured_bytes <= INPUT_TAKE_MOST) {
		packet.bytes = input_take(packet.captured_bytes);
	} else {
		packet.bytes = read_keep(input_take(kept), kept);
		if (!input_skip(packet.captured_bytes - kept))
			packet.bytes = NULL;
	}
	if (!packet.bytes)
		return read_over(false, number);
	order_packet(&packet);
	return true;
}

void read_pcap(const uint8_t *magic)
{
	struct pcap_file file = { .header_bytes = 0 };
	uint64_t number = 1;

	if (!recognise(magic, &file)) {
		read_damaged("expected pcap or pcapng, plain or compressed "
			     "with gzip or zstd");
		return;
	}
	if (!read_header(&file))
		return;
	while (read_packet(&file, number))
		number++;
}
