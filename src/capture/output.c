/* Collects records and writes them to the pipe. */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 << 10, NS_PER_S = 1000000000 };

static struct {
	char bytes[BUFFER_BYTES];
	size_t used;
	uint64_t total;
} output;

void output_flush(void)
{
	size_t done = 0;

	while (done < output.used) {
		ssize_t wrote = write(STDOUT_FILENO, output.bytes + done,
			output.used - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			exit(1);
		done += (size_t)wrote;
	}
	output.total += done;
	output.used = 0;
}

uint64_t output_total(void)
{
	return output.total;
}

void output_put(const struct capture_header *header, const void *bytes)
{
	size_t padded = capture_padded(header->byte_count);

	if (output.used + sizeof *header + padded > sizeof output.bytes)
		output_flush();
	char *at = output.bytes + output.used;
	memcpy(at, header, sizeof *header);
	at += sizeof *header;
	if (header->byte_count)
		memcpy(at, bytes, header->byte_count);
	memset(at + header->byte_count, 0, padded - header->byte_count);
	output.used += sizeof *header + padded;
}

void output_ready(uint16_t link_type, uint32_t snap_bytes)
{
	output_put(
		&(struct capture_header){
			.kind = CAPTURE_READY,
			.captured_bytes = snap_bytes,
			.wire_bytes = CAPTURE_VERSION,
			.link_type = link_type,
		},
		NULL);
}

/* Seconds are limited to the range of 64 bits of nanoseconds, the fraction to
 * one second. */
static int64_t stamp_ns(const struct captured *packet, uint8_t *stamp)
{
	const int64_t most_s = INT64_MAX / NS_PER_S - 1;
	int64_t second = packet->second, ns = packet->ns;

	*stamp = packet->stamp_invalid ? CAPTURE_STAMP_INVALID : 0;
	if (second > most_s || second < 0) {
		*stamp = CAPTURE_STAMP_INVALID;
		second = second < 0 ? 0 : most_s;
	}
	if (ns < 0 || ns >= NS_PER_S) {
		*stamp = CAPTURE_STAMP_INVALID;
		ns = NS_PER_S - 1;
	}
	return second * NS_PER_S + ns;
}

struct capture_header output_header(const struct captured *packet)
{
	struct capture_header header = {
		.captured_bytes = packet->captured_bytes,
		.wire_bytes = packet->wire_bytes,
		.link_type = packet->link_type,
		.interface = packet->interface,
		.byte_count = (uint16_t)output_kept(packet->captured_bytes),
		.kind = CAPTURE_PACKET,
	};

	header.t_ns = stamp_ns(packet, &header.stamp);
	return header;
}

int output_fail(enum capture_kind kind, const char *what, const char *why)
{
	char sentence[400];
	int length = snprintf(sentence, sizeof sentence, "%s%s%s", what,
		*why ? ": " : "", why);
	struct capture_header header = { .kind = (uint8_t)kind };

	if (length >= (int)sizeof sentence)
		length = sizeof sentence - 1;
	header.byte_count = (uint16_t)length;
	output_put(&header, sentence);
	output_flush();
	return 1;
}

int output_end(void)
{
	output_put(&(struct capture_header){ .kind = CAPTURE_END }, NULL);
	output_flush();
	return 0;
}
