/* Reading the packets of a run. */
#include "packets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture_save.h"
#include "capture_wire.h"
#include "memory.h"
#include "text.h"

enum { BUFFER_BYTES = 256 << 10, ETHERNET_BYTES = 14 };

struct packets {
	int fd;
	off_t at; /* of what follows the buffer's content in the file */
	struct packets_state state;
	struct capture_counts before; /* of helpers that are through */
	size_t first, end;
	_Alignas(struct capture_header) char buffer[BUFFER_BYTES];
};

struct packets *packets_follow(int fd)
{
	struct packets *packets = xcalloc(1, sizeof *packets);

	packets->fd = fd;
	return packets;
}

struct packets *packets_follow_new(int fd)
{
	struct packets *packets = packets_follow(fd);
	struct stat is;

	if (!fstat(fd, &is))
		packets->at = is.st_size;
	return packets;
}

void packets_unfollow(struct packets *packets)
{
	free(packets);
}

const struct packets_state *packets_state(const struct packets *packets)
{
	return &packets->state;
}

static bool fill(struct packets *packets)
{
	ssize_t got;

	if (packets->first) {
		packets->end -= packets->first;
		memmove(packets->buffer, packets->buffer + packets->first,
			packets->end);
		packets->first = 0;
	}
	do
		got = pread(packets->fd, packets->buffer + packets->end,
			sizeof packets->buffer - packets->end, packets->at);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	packets->at += got;
	packets->end += (size_t)got;
	return true;
}

static bool is_possible(const struct capture_header *header)
{
	return header->kind >= CAPTURE_READY && header->kind <= CAPTURE_END &&
		header->byte_count <= CAPTURE_BYTES_MOST;
}

/* The next whole record, or NULL. */
static const struct capture_header *take(struct packets *packets,
	const uint8_t **bytes)
{
	while (!packets->state.damaged) {
		const struct capture_header *header =
			(const void *)(packets->buffer + packets->first);
		size_t there = packets->end - packets->first;
		size_t whole = sizeof *header;

		if (there >= whole && !is_possible(header)) {
			packets->state.damaged = true;
			break;
		}
		if (there >= whole)
			whole += capture_padded(header->byte_count);
		if (there >= whole) {
			packets->first += whole;
			*bytes = (const uint8_t *)(header + 1);
			return header;
		}
		if (!fill(packets))
			break;
	}
	return NULL;
}

static void note_counts(struct packets *packets,
	const struct capture_header *header)
{
	const struct capture_counts *before = &packets->before;

	packets->state.counts = (struct capture_counts){
		.received = before->received + (uint64_t)header->t_ns,
		.dropped = before->dropped + header->captured_bytes,
		.interface_dropped =
			before->interface_dropped + header->wire_bytes,
	};
}

static void note(struct packets *packets, const struct capture_header *header,
	const uint8_t *bytes)
{
	struct packets_state *state = &packets->state;
	struct text why = { 0 };

	switch (header->kind) {
	case CAPTURE_READY:
		state->begun++;
		if (header->captured_bytes > state->snap_bytes)
			state->snap_bytes = header->captured_bytes;
		packets->before = state->counts;
		break;
	case CAPTURE_STATISTICS:
		note_counts(packets, header);
		break;
	case CAPTURE_END:
		state->ended++;
		packets->before = state->counts;
		break;
	default:
		text_add_safe(&why, (const char *)bytes, header->byte_count);
		snprintf(state->why, sizeof state->why, "%s", text_chars(&why));
		state->denied = header->kind == CAPTURE_DENIED;
		text_free(&why);
	}
}

/* Both addresses of loopback's frames are zero. */
static bool is_loopback(const struct packet_record *record)
{
	static const uint8_t zeros[12];

	return record->link_type == LINK_ETHERNET &&
		record->captured_bytes >= ETHERNET_BYTES &&
		record->wire_bytes >= ETHERNET_BYTES &&
		!memcmp(record->bytes, zeros, sizeof zeros);
}

bool packets_next(struct packets *packets, struct packet_record *record)
{
	const struct capture_header *header;
	const uint8_t *bytes;

	while ((header = take(packets, &bytes))) {
		if (header->kind != CAPTURE_PACKET) {
			note(packets, header, bytes);
			continue;
		}
		*record = (struct packet_record){
			.t_ns = header->t_ns,
			.bytes = bytes,
			.captured_bytes = header->byte_count,
			.recorded_bytes = header->byte_count,
			.wire_bytes = header->wire_bytes,
			.link_type = header->link_type,
			.stamp_invalid = header->stamp_invalid,
		};
		if (record->link_type == LINK_RAW_BSD ||
			record->link_type == LINK_RAW_OPENBSD)
			record->link_type = LINK_RAW;
		if (is_loopback(record)) {
			record->bytes += ETHERNET_BYTES;
			record->captured_bytes -= ETHERNET_BYTES;
			record->recorded_bytes -= ETHERNET_BYTES;
			record->wire_bytes -= ETHERNET_BYTES;
			record->link_type = LINK_RAW;
		}
		return true;
	}
	return false;
}

int packets_save(int fd, const char *path, struct error *error)
{
	struct packets *packets = packets_follow(fd);
	struct capture_save *save = NULL;
	struct packet_record record;
	uint32_t link_type = LINK_RAW;
	int failed = 0;

	while (!failed && packets_next(packets, &record)) {
		if (!save) {
			link_type = record.link_type;
			save = capture_save_open(path, link_type,
				CAPTURE_BYTES_MOST, error);
			failed = save ? 0 : -1;
		}
		if (record.link_type != link_type)
			failed = error_set(error, STATUS_OUTPUT,
				"the run has packets of link types %u and %u, "
				"which no one pcap file can hold",
				link_type, record.link_type);
		if (!failed)
			capture_save_add(save, &record);
	}
	packets_unfollow(packets);
	if (!save && !failed)
		failed = error_set(error, STATUS_USAGE,
			"the run has no packets");
	if (capture_save_close(save, failed ? &(struct error){ 0 } : error))
		failed = -1;
	return failed;
}
