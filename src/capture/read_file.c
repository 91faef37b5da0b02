/* Recognises the format of a capture file, and reports its end. */
#include "read_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "order.h"

static int status; /* of the program */

uint16_t file_u16(const uint8_t *at, bool swapped)
{
	uint16_t value;

	memcpy(&value, at, sizeof value);
	return swapped ? __builtin_bswap16(value) : value;
}

uint32_t file_u32(const uint8_t *at, bool swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return swapped ? __builtin_bswap32(value) : value;
}

bool read_damaged(const char *format, ...)
{
	char sentence[200];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	const char *fault = input_fault_to_end();
	order_release();
	status = output_fail(CAPTURE_FAILED, fault ? fault : sentence, "");
	return false;
}

const uint8_t *read_keep(const uint8_t *bytes, uint32_t count)
{
	static uint8_t kept[INPUT_TAKE_MOST];

	return bytes ? memcpy(kept, bytes, count) : NULL;
}

/* A writer that SIGINT has stopped may have written half a packet. */
bool read_over(bool regular, uint64_t packet)
{
	if (input_fault())
		return read_damaged("%s", input_fault());
	if ((regular && !input_has_rest()) || input_stopped()) {
		order_release();
		status = output_end();
		return false;
	}
	if (!packet)
		return read_damaged("it ends before the first packet");
	return read_damaged("it ends within packet %llu",
		(unsigned long long)packet);
}

static void read_any(void)
{
	static const uint8_t pcapng[] = { 0x0a, 0x0d, 0x0d, 0x0a };
	uint8_t magic[4];
	const uint8_t *at = input_take(sizeof magic);

	if (!at && !input_has_rest() && !input_fault()) {
		read_damaged("it is empty");
		return;
	}
	if (!at) {
		read_over(false, 0);
		return;
	}
	memcpy(magic, at, sizeof magic);
	if (memcmp(magic, pcapng, sizeof magic))
		read_pcap(magic);
	else
		read_pcapng();
}

int read_file(void)
{
	read_any();
	input_close();
	return status;
}
