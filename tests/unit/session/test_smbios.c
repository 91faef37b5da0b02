/* Memory modules, from tables made here, byte by byte. */
#include "smbios.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

struct made {
	unsigned char bytes[8192];
	size_t length;
};

static void add(struct made *table, const void *bytes, size_t length)
{
	assert_true(table->length + length <= sizeof table->bytes);
	memcpy(table->bytes + table->length, bytes, length);
	table->length += length;
}

static void put(unsigned char *at, uint32_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

/* A memory device of SMBIOS 3.3, in MiB and million transfers per second. */
static void add_module(struct made *table, uint32_t mib, unsigned type,
	uint32_t speed, uint32_t configured, const char *device,
	const char *bank)
{
	unsigned char fields[0x5c] = { 17, sizeof fields };

	put(fields + 0x08, 72, 2);
	put(fields + 0x0a, 64, 2);
	put(fields + 0x0c, mib < 0x7fff ? mib : 0x7fff, 2);
	put(fields + 0x1c, mib < 0x7fff ? 0 : mib, 4);
	fields[0x10] = 1;
	fields[0x11] = 2;
	fields[0x12] = (unsigned char)type;
	put(fields + 0x15, speed < 0xffff ? speed : 0xffff, 2);
	put(fields + 0x54, speed, 4);
	put(fields + 0x20, configured < 0xffff ? configured : 0xffff, 2);
	put(fields + 0x58, configured, 4);
	add(table, fields, sizeof fields);
	add(table, device, strlen(device) + 1);
	add(table, bank, strlen(bank) + 1);
	add(table, "", 1);
}

static void add_other(struct made *table)
{
	static const unsigned char bios[] = { 0, 6, 1, 0, 1, 2, 'A', 0, 'B', 0,
		0 };
	static const unsigned char bare[] = { 32, 4, 2, 0, 0, 0 };

	add(table, bios, sizeof bios);
	add(table, bare, sizeof bare);
}

static void add_end(struct made *table)
{
	static const unsigned char end[] = { 127, 4, 9, 0, 0, 0 };

	add(table, end, sizeof end);
}

static void two_channels_of_a_laptop(void **state)
{
	struct made table = { .length = 0 };
	struct smbios_memory memory;

	add_other(&table);
	add_module(&table, 8192, 0x1a, 3200, 2667, "ChannelA-DIMM0", "BANK 0");
	add_module(&table, 0, 0x02, 0, 0, "ChannelA-DIMM1", "BANK 1");
	add_module(&table, 8192, 0x1a, 3200, 2667, "ChannelB-DIMM0", "BANK 2");
	add_end(&table);
	smbios_memory_read(table.bytes, table.length, &memory);
	assert_int_equal(memory.modules, 2);
	assert_int_equal(memory.channels, 2);
	assert_true(memory.channels_told);
	assert_int_equal(memory.width_bits, 64);
	assert_int_equal(memory.speed_mts, 2667);
	assert_string_equal(memory.type, "DDR4");
	assert_near(memory.size_bytes, 0x1p34);
	assert_near(memory.peak_bytes_per_s, 2667e6 * 8 * 2);
}

/* Two modules in one channel have the rate of one. */
static void modules_share_channels(void **state)
{
	static const char *const forms[][4] = {
		{ "CPU0_DIMM_A1", "CPU0_DIMM_A2", "CPU1_DIMM_A1",
			"CPU1_DIMM_B1" },
		{ "DIMMA1", "DIMMA2", "DIMMB1", "DIMMC1" },
	};

	for (size_t form = 0; form < 2; form++) {
		struct made table = { .length = 0 };
		struct smbios_memory memory;

		for (size_t i = 0; i < 4; i++)
			add_module(&table, 65536, 0x22, 4800, 4800,
				forms[form][i], "NODE 1");
		smbios_memory_read(table.bytes, table.length, &memory);
		assert_int_equal(memory.modules, 4);
		assert_int_equal(memory.channels, 3);
		assert_near(memory.size_bytes, 0x1p38);
		assert_string_equal(memory.type, "DDR5");
		assert_near(memory.peak_bytes_per_s, 4800e6 * 8 * 3);
	}
}

static void the_bank_may_name_the_channel(void **state)
{
	struct made table = { .length = 0 };
	struct smbios_memory memory;

	add_module(&table, 16384, 0x22, 5600, 0, "DIMM 0", "P0 CHANNEL A");
	add_module(&table, 16384, 0x22, 5200, 0, "DIMM 1", "P0 CHANNEL A");
	smbios_memory_read(table.bytes, table.length, &memory);
	assert_int_equal(memory.channels, 1);
	/* The slowest module decides; without a configured speed, its rated
	 * speed is used. */
	assert_int_equal(memory.speed_mts, 5200);
}

static void what_is_not_told_is_said_so(void **state)
{
	struct made table = { .length = 0 };
	struct smbios_memory memory;

	add_module(&table, 4096, 0x1a, 2400, 2400, "SODIMM", "no");
	add_module(&table, 4096, 0x18, 70000, 70000, "slot", "no");
	smbios_memory_read(table.bytes, table.length, &memory);
	assert_int_equal(memory.channels, 2);
	assert_false(memory.channels_told);
	assert_string_equal(memory.type, "");
	assert_int_equal(memory.speed_mts, 2400);
	table.length = 0;
	/* As in virtual machines. */
	add_module(&table, 4096, 0x07, 0, 0, "DIMM 0", "no");
	smbios_memory_read(table.bytes, table.length, &memory);
	assert_int_equal(memory.modules, 1);
	assert_near(memory.peak_bytes_per_s, 0);
	smbios_memory_read(table.bytes, 0, &memory);
	assert_int_equal(memory.modules, 0);
	assert_near(memory.peak_bytes_per_s, 0);
}

/* Truncated or changed anywhere, the table is read within its bounds. */
static void a_broken_table_is_survived(void **state)
{
	struct made table = { .length = 0 };
	struct smbios_memory memory;

	add_other(&table);
	add_module(&table, 8192, 0x1a, 3200, 3200, "DIMM_A1", "BANK 0");
	add_module(&table, 8192, 0x1a, 3200, 3200, "DIMM_B1", "BANK 1");
	for (size_t length = 0; length <= table.length; length++) {
		/* A separate allocation, for sanitizers. */
		unsigned char *cut = malloc(length ? length : 1);

		memcpy(cut, table.bytes, length);
		smbios_memory_read(cut, length, &memory);
		assert_int_equal(memory.modules,
			(length >= table.length) +
				(length >= table.length - 0x5c - 16));
		for (size_t i = 0; i < length; i += 3) {
			unsigned char was = cut[i];

			cut[i] = (unsigned char)(length * 7 + i);
			smbios_memory_read(cut, length, &memory);
			assert_true(memory.modules <= 2);
			cut[i] = was;
		}
		free(cut);
	}
}

static void this_machine_is_read(void **state)
{
	struct smbios_memory memory;

	smbios_memory_look("", &memory);
	assert_true(memory.channels <= memory.modules);
	if (!memory.speed_mts || !memory.width_bits)
		assert_near(memory.peak_bytes_per_s, 0);
	smbios_memory_look("/nowhere", &memory);
	assert_int_equal(memory.modules, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_channels_of_a_laptop),
		cmocka_unit_test(modules_share_channels),
		cmocka_unit_test(the_bank_may_name_the_channel),
		cmocka_unit_test(what_is_not_told_is_said_so),
		cmocka_unit_test(a_broken_table_is_survived),
		cmocka_unit_test(this_machine_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
