/* Reading the packets of a run. */
#include "packets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture_save.h"
#include "capture_wire.h"
#include "memory.h"
#include "text.h"

enum { BUFFER_BYTES = 256 << 10, ETHERNET_BYTES = 14 };

struct packets {
	int fd;
	off_t at; /* file offset after the buffer's content */
	struct packets_state state;
	struct capture_counts before; /* of helpers that have ended */
	struct tcpinfo_log tcpinfo;
	size_t first, end;
	_Alignas(struct capture_header) char buffer[BUFFER_BYTES];
};

struct packets *packets_follow(int fd)
{
	struct packets *packets = xcalloc(1, sizeof *packets);

	packets->fd = fd;
	tcpinfo_init(&packets->tcpinfo);
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
	tcpinfo_release(&packets->tcpinfo);
	free(packets);
}

const struct packets_state *packets_state(const struct packets *packets)
{
	return &packets->state;
}

const struct tcpinfo_log *packets_tcpinfo(const struct packets *packets)
{
	return &packets->tcpinfo;
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

/* The next complete record, or NULL. */
static const struct capture_header *take(struct packets *packets,
	const uint8_t **bytes)
{
	while (!packets->state.damaged) {
		const struct capture_header *header =
			(const void *)(packets->buffer + packets->first);
		size_t there = packets->end - packets->first;
		size_t whole = sizeof *header;

		if (there >= whole && !capture_is_possible(header)) {
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

/* Stores a report of the experiment. Copied, because it may be misaligned. */
static void note_told(struct packets *packets,
	const struct capture_header *header, const uint8_t *bytes)
{
	struct tcpinfo_sample sample;
	struct tcpinfo_path path;

	if (header->kind == CAPTURE_TOLD_SAMPLE &&
		header->byte_count == sizeof sample) {
		memcpy(&sample, bytes, sizeof sample);
		tcpinfo_add_sample(&packets->tcpinfo, &sample);
	} else if (header->kind == CAPTURE_TOLD_PATH &&
		header->byte_count == sizeof path) {
		memcpy(&path, bytes, sizeof path);
		path.congestion[sizeof path.congestion - 1] = '\0';
		tcpinfo_add_path(&packets->tcpinfo, &path);
	} else {
		packets->state.damaged = true;
	}
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
	case CAPTURE_TOLD_PATH:
	case CAPTURE_TOLD_SAMPLE:
		note_told(packets, header, bytes);
		break;
	default:
		text_add_safe(&why, (const char *)bytes, header->byte_count);
		snprintf(state->why, sizeof state->why, "%s", text_chars(&why));
		state->denied = header->kind == CAPTURE_DENIED;
		text_free(&why);
	}
}

/* On loopback both Ethernet addresses are zero. */
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
			.interface = header->interface,
			.stamp_invalid = header->stamp & CAPTURE_STAMP_INVALID,
			.stamp_sorted = header->stamp & CAPTURE_STAMP_SORTED,
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

/* ---- reports of the experiment ---------------------------------------- */

int64_t packets_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* A single write(), so that records of several writers do not mix. */
static void tell(int fd, enum capture_kind kind, const void *bytes, size_t size)
{
	struct capture_header header = { .kind = (uint8_t)kind,
		.byte_count = (uint16_t)size };
	char record[sizeof header + 128] = { 0 };

	size_t all = sizeof header + capture_padded((uint32_t)size);
	memcpy(record, &header, sizeof header);
	memcpy(record + sizeof header, bytes, size);
	if (fd >= 0 && write(fd, record, all) < 0)
		return; /* no memory: the record is lost */
}
_Static_assert(sizeof(struct tcpinfo_path) <= 128, "tell()");
_Static_assert(sizeof(struct tcpinfo_sample) <= 128, "tell()");

void packets_tell_path(int fd, uint16_t port, int64_t t_ns,
	const char *congestion, const struct link_args *link)
{
	struct tcpinfo_path path;

	memset(&path, 0, sizeof path);
	path.t_ns = t_ns;
	path.port = port;
	snprintf(path.congestion, sizeof path.congestion, "%s", congestion);
	if (link) {
		bool counted = link->queue >= UNIT_QUEUE_PACKETS;

		path.rate_bit_s = link->rate_bit_s;
		path.rtt_ns = link->rtt_ns;
		path.queue_bytes = counted ?
			link->queue / UNIT_QUEUE_PACKETS * LINK_MTU :
			link->queue;
	}
	tell(fd, CAPTURE_TOLD_PATH, &path, sizeof path);
}

void packets_tell_sample(int fd, uint16_t port, int64_t t_ns,
	const struct tcp_report *report)
{
	const struct tcp_account *account = &report->account;
	struct tcpinfo_sample sample;
	int64_t mss = account->send_mss;

	if (!tcp_has(report, total_retrans))
		return;
	memset(&sample, 0, sizeof sample);
	sample.t_ns = t_ns;
	sample.port = port;
	sample.window_bytes = account->congestion_window * mss;
	if (account->send_ssthresh < INT32_MAX)
		sample.threshold_bytes = account->send_ssthresh * mss;
	/* The kernel's formula: sent segments that are neither acknowledged,
	 * nor received out of order, nor lost; plus retransmissions. */
	sample.in_flight_bytes = ((int64_t)account->unacked - account->sacked -
					 account->lost + account->retrans) *
		mss;
	sample.rtt_ns = (int64_t)account->rtt_us * 1000;
	sample.resent = account->total_retrans;
	tell(fd, CAPTURE_TOLD_SAMPLE, &sample, sizeof sample);
}

/* ---- saving ----------------------------------------------------------- */

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
				"cannot save one pcap file: the run has "
				"packets of link types %u and %u",
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
