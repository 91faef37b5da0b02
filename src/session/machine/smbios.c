/* SMBIOS: structures, their strings, and their information about memory. */
#include "smbios.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "peek.h"

enum {
	HEADER_BYTES = 4,
	END_OF_TABLE = 127,
	MEMORY_DEVICE = 17,
	MODULES_MAX = 256,
	LOCATOR_BYTES = 64,
	TABLE_BYTES = 1 << 17,
};

/* Offsets in a memory device. */
enum {
	DATA_WIDTH = 0x0a,
	SIZE = 0x0c,
	DEVICE_LOCATOR = 0x10,
	BANK_LOCATOR = 0x11,
	TYPE = 0x12,
	SPEED = 0x15,
	EXTENDED_SIZE = 0x1c,
	CONFIGURED_SPEED = 0x20,
	EXTENDED_SPEED = 0x54,
	EXTENDED_CONFIGURED = 0x58,
};

/* One structure: `length` bytes of fields, followed by strings. */
struct structure {
	const unsigned char *fields;
	size_t length;
	const unsigned char *strings, *end;
};

/* A field that is missing in a shorter, older structure is 0. */
static uint64_t number_at(const struct structure *structure, size_t at,
	size_t bytes)
{
	uint64_t number = 0;

	if (at + bytes > structure->length)
		return 0;
	for (size_t i = bytes; i--;)
		number = number << 8 | structure->fields[at + i];
	return number;
}

/* String number `n`, from 1; "" if it does not exist. */
static void string_at(const struct structure *structure, size_t at, char *into,
	size_t size)
{
	uint64_t n = number_at(structure, at, 1);
	const unsigned char *string = structure->strings;

	into[0] = '\0';
	if (!n)
		return;
	while (--n && string < structure->end && *string)
		string += strnlen((const char *)string,
				  (size_t)(structure->end - string)) +
			1;
	if (string < structure->end)
		snprintf(into, size, "%.*s", (int)(structure->end - string),
			(const char *)string);
}

/* Returns the structure at *at and advances *at. False at the end, or if the
 * table is inconsistent. */
static bool next_structure(const unsigned char **at, const unsigned char *end,
	struct structure *structure)
{
	const unsigned char *fields = *at;

	if (end - fields < HEADER_BYTES || fields[0] == END_OF_TABLE ||
		fields[1] < HEADER_BYTES || fields[1] > end - fields)
		return false;
	*structure = (struct structure){
		.fields = fields,
		.length = fields[1],
		.strings = fields + fields[1],
	};
	/* Two zeros end the strings, even if there are none. */
	for (const unsigned char *zero = structure->strings; end - zero >= 2;
		zero++) {
		if (zero[0] || zero[1])
			continue;
		structure->end = zero + 1;
		*at = zero + 2;
		return true;
	}
	return false;
}

/* ---- modules ---------------------------------------------------------- */

struct module {
	double size_bytes;
	unsigned width_bits, speed_mts, type;
	char channel[2 * LOCATOR_BYTES]; /* name of the channel; "" if
					  * unknown */
};

static double size_of(const struct structure *structure)
{
	uint64_t size = number_at(structure, SIZE, 2);

	if (size == 0xffff)
		return 0;
	if (size == 0x7fff)
		return (double)(number_at(structure, EXTENDED_SIZE, 4) &
			       0x7fffffff) *
			(1 << 20);
	return size & 0x8000 ? (double)(size & 0x7fff) * 1024 :
			       (double)size * (1 << 20);
}

static unsigned speed_at(const struct structure *structure, size_t at,
	size_t extended)
{
	uint64_t speed = number_at(structure, at, 2);

	if (speed == 0xffff)
		speed = number_at(structure, extended, 4) & 0x7fffffff;
	return (unsigned)speed;
}

static unsigned speed_of(const struct structure *structure)
{
	unsigned speed =
		speed_at(structure, CONFIGURED_SPEED, EXTENDED_CONFIGURED);

	return speed ? speed : speed_at(structure, SPEED, EXTENDED_SPEED);
}

/* Boards use locators such as "P0 CHANNEL A", "ChannelB-DIMM0", "CPU1_DIMM_A2",
 * "DIMM C1": the text up to the channel's name is equal for all modules of a
 * channel. Returns false for other forms. */
static bool channel_in(const char *locator, char *into, size_t size)
{
	static const char word[] = "channel";
	const char *at = strcasestr(locator, word);
	size_t length = strlen(locator);

	if (at) {
		at += strlen(word);
		at += strspn(at, " _-");
		if (!isalnum((unsigned char)*at))
			return false;
		while (isalnum((unsigned char)*at))
			at++;
		snprintf(into, size, "%.*s", (int)(at - locator), locator);
		return true;
	}
	if (!strcasestr(locator, "dimm") || length < 2 ||
		!isdigit((unsigned char)locator[length - 1]) ||
		!isupper((unsigned char)locator[length - 2]) ||
		(length > 2 && isalpha((unsigned char)locator[length - 3]) &&
			(length < 6 ||
				strncasecmp(locator + length - 6, "dimm", 4) !=
					0)))
		return false;
	snprintf(into, size, "%.*s", (int)length - 1, locator);
	return true;
}

static bool module_read(const struct structure *structure,
	struct module *module)
{
	char device[LOCATOR_BYTES], bank[LOCATOR_BYTES];
	uint64_t width = number_at(structure, DATA_WIDTH, 2);

	*module = (struct module){
		.size_bytes = size_of(structure),
		.width_bits = width == 0xffff ? 0 : (unsigned)width,
		.speed_mts = speed_of(structure),
		.type = (unsigned)number_at(structure, TYPE, 1),
	};
	string_at(structure, DEVICE_LOCATOR, device, sizeof device);
	string_at(structure, BANK_LOCATOR, bank, sizeof bank);
	if (!channel_in(bank, module->channel, sizeof module->channel))
		channel_in(device, module->channel, sizeof module->channel);
	return number_at(structure, SIZE, 2) != 0;
}

static const char *type_name(unsigned type)
{
	static const struct {
		unsigned type;
		const char *name;
	} names[] = { { 0x12, "DDR" }, { 0x13, "DDR2" },
		{ 0x14, "DDR2 FB-DIMM" }, { 0x18, "DDR3" }, { 0x1a, "DDR4" },
		{ 0x1b, "LPDDR" }, { 0x1c, "LPDDR2" }, { 0x1d, "LPDDR3" },
		{ 0x1e, "LPDDR4" }, { 0x20, "HBM" }, { 0x21, "HBM2" },
		{ 0x22, "DDR5" }, { 0x23, "LPDDR5" }, { 0x24, "HBM3" } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].type == type)
			return names[i].name;
	return "";
}

/* ---- totals -----------------------------------------------------------
  */

static unsigned count_channels(const struct module *modules, size_t count,
	bool *told)
{
	unsigned channels = 0;

	*told = true;
	for (size_t i = 0; i < count; i++) {
		size_t before = 0;

		*told &= modules[i].channel[0] != '\0';
		while (before < i &&
			strcmp(modules[before].channel, modules[i].channel) !=
				0)
			before++;
		channels += before == i;
	}
	return *told ? channels : (unsigned)count;
}

static void sum_up(const struct module *modules, size_t count,
	struct smbios_memory *memory)
{
	*memory = (struct smbios_memory){ .modules = (unsigned)count };
	if (!count)
		return;
	memory->width_bits = modules[0].width_bits;
	memory->speed_mts = modules[0].speed_mts;
	snprintf(memory->type, sizeof memory->type, "%s",
		type_name(modules[0].type));
	for (size_t i = 0; i < count; i++) {
		memory->size_bytes += modules[i].size_bytes;
		if (modules[i].width_bits != memory->width_bits)
			memory->width_bits = 0;
		if (modules[i].speed_mts < memory->speed_mts)
			memory->speed_mts = modules[i].speed_mts;
		if (modules[i].type != modules[0].type)
			memory->type[0] = '\0';
	}
	memory->channels =
		count_channels(modules, count, &memory->channels_told);
	memory->peak_bytes_per_s = 1e6 * memory->speed_mts *
		memory->width_bits / 8 * memory->channels;
}

void smbios_memory_read(const unsigned char *table, size_t size_bytes,
	struct smbios_memory *memory)
{
	const unsigned char *at = table, *end = table + size_bytes;
	struct module modules[MODULES_MAX];
	struct structure structure;
	size_t count = 0;

	while (next_structure(&at, end, &structure))
		if (structure.fields[0] == MEMORY_DEVICE &&
			count < MODULES_MAX &&
			module_read(&structure, &modules[count]))
			count++;
	sum_up(modules, count, memory);
}

void smbios_memory_look(const char *root, struct smbios_memory *memory)
{
	static unsigned char table[TABLE_BYTES];
	size_t size_bytes = peek_bytes(root, (char *)table, sizeof table,
		"/sys/firmware/dmi/tables/DMI");

	smbios_memory_read(table, size_bytes, memory);
}
