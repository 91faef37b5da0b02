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

/* Section header and the description of one interface. */
static void write_sections(struct capture_file *to, uint32_t link_type)
{
	write32(to, 0x0a0d0d0a);
	write32(to, 28);
	write32(to, 0x1a2b3c4d);
	write16(to, 1);
	write16(to, 0);
	write32(to, UINT32_MAX);
	write32(to, UINT32_MAX);
	write32(to, 28);
	write32(to, 1);
	write32(to, to->nano ? 32 : 20);
	write16(to, link_type);
	write16(to, 0);
	write32(to, 65535);
	if (to->nano) {
		const uint8_t resolution[4] = { 9, 0, 0, 0 };

		write16(to, 9); /* if_tsresol */
		write16(to, 1);
		fwrite(resolution, 1, sizeof resolution, to->file);
		write32(to, 0); /* end of options */
	}
	write32(to, to->nano ? 32 : 20);
}

void capture_file_open(struct capture_file *to, const char *path,
	uint32_t link_type)
{
	to->file = fopen(path, "we");
	assert_non_null(to->file);
	if (to->ng) {
		write_sections(to, link_type);
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
	static const char zeros[4];
	uint64_t units = (uint64_t)t_ns / (to->nano ? 1 : 1000);
	uint64_t second = to->nano ? 1000000000 : 1000000;
	uint32_t pad = (4 - made->captured % 4) % 4;

	if (!to->ng) {
		write32(to, (uint32_t)(units / second));
		write32(to, (uint32_t)(units % second));
		write32(to, made->captured);
		write32(to, made->wire);
		fwrite(made->bytes, 1, made->captured, to->file);
		return;
	}
	write32(to, 6);
	write32(to, 32 + made->captured + pad);
	write32(to, 0);
	write32(to, (uint32_t)(units >> 32));
	write32(to, (uint32_t)units);
	write32(to, made->captured);
	write32(to, made->wire);
	fwrite(made->bytes, 1, made->captured, to->file);
	fwrite(zeros, 1, pad, to->file);
	write32(to, 32 + made->captured + pad);
}

void capture_file_close(struct capture_file *to)
{
	assert_int_equal(fclose(to->file), 0);
}
