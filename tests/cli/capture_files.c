/* Capture files written by the tests. */
#include "capture_files.h"

static void write16(struct capture_file *to, uint32_t value)
{
	uint16_t word = (uint16_t)value;

	if (to->swapped)
		word = __builtin_bswap16(word);
	assert_int_equal(fwrite(&word, sizeof word, 1, to->file), 1);
}

static void write32(struct capture_file *to, uint32_t value)
{
	if (to->swapped)
		value = __builtin_bswap32(value);
	assert_int_equal(fwrite(&value, sizeof value, 1, to->file), 1);
}

static void write_options(struct capture_file *to,
	const struct made_interface *interface)
{
	if (interface->resolution) {
		const uint8_t value[4] = { interface->resolution };

		write16(to, 9); /* if_tsresol */
		write16(to, 1);
		fwrite(value, 1, sizeof value, to->file);
	}
	if (interface->offset_s) {
		uint64_t offset_s = (uint64_t)interface->offset_s;

		if (to->swapped)
			offset_s = __builtin_bswap64(offset_s);
		write16(to, 14); /* if_tsoffset */
		write16(to, 8);
		fwrite(&offset_s, sizeof offset_s, 1, to->file);
	}
	write32(to, 0); /* end of options */
}

void capture_file_section(struct capture_file *to)
{
	write32(to, 0x0a0d0d0a);
	write32(to, 28);
	write32(to, 0x1a2b3c4d);
	write16(to, 1);
	write16(to, 0);
	write32(to, UINT32_MAX);
	write32(to, UINT32_MAX);
	write32(to, 28);
}

void capture_file_interface(struct capture_file *to,
	const struct made_interface *interface)
{
	uint32_t length = 24 + (interface->resolution ? 8 : 0) +
		(interface->offset_s ? 12 : 0);

	write32(to, 1);
	write32(to, length);
	write16(to, interface->link_type);
	write16(to, 0);
	write32(to, interface->snap_bytes);
	write_options(to, interface);
	write32(to, length);
}

void capture_file_packet(struct capture_file *to, uint32_t kind,
	uint32_t interface, const struct made *made, uint64_t stamp)
{
	static const char zeros[4];
	uint32_t pad = (4 - made->captured % 4) % 4;
	uint32_t length = (kind == PACKET_SIMPLE ? 16 : 32) + made->captured +
		pad;

	write32(to, kind);
	write32(to, length);
	if (kind == PACKET_OLD) {
		write16(to, interface);
		write16(to, 0); /* dropped */
	} else if (kind == PACKET_ENHANCED) {
		write32(to, interface);
	}
	if (kind != PACKET_SIMPLE) {
		write32(to, (uint32_t)(stamp >> 32));
		write32(to, (uint32_t)stamp);
		write32(to, made->captured);
	}
	write32(to, made->wire);
	fwrite(made->bytes, 1, made->captured, to->file);
	fwrite(zeros, 1, pad, to->file);
	write32(to, length);
}

void capture_file_create(struct capture_file *to, const char *path)
{
	to->file = fopen(path, "we");
	assert_non_null(to->file);
}

void capture_file_open(struct capture_file *to, const char *path,
	uint32_t link_type)
{
	capture_file_create(to, path);
	if (to->ng) {
		capture_file_section(to);
		capture_file_interface(to,
			&(struct made_interface){
				.link_type = link_type,
				.snap_bytes = 65535,
				.resolution = to->nano ? 9 : 0,
			});
		return;
	}
	write32(to, to->nano ? 0xa1b23c4d : 0xa1b2c3d4);
	write16(to, 2);
	write16(to, 4);
	write32(to, 0);
	write32(to, 0);
	write32(to, 65535);
	write32(to, link_type);
}

void capture_file_add(struct capture_file *to, const struct made *made,
	int64_t t_ns)
{
	uint64_t units = (uint64_t)t_ns / (to->nano ? 1 : 1000);
	uint64_t second = to->nano ? 1000000000 : 1000000;

	if (to->ng) {
		capture_file_packet(to, PACKET_ENHANCED, 0, made, units);
		return;
	}
	write32(to, (uint32_t)(units / second));
	write32(to, (uint32_t)(units % second));
	write32(to, made->captured);
	write32(to, made->wire);
	fwrite(made->bytes, 1, made->captured, to->file);
}

void capture_file_close(struct capture_file *to)
{
	assert_int_equal(fclose(to->file), 0);
}
