/* Reports about data connections. */
#include "account.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file.h"

void account_add(struct account *account, int fd)
{
	struct tcp_report report;
	bool first = !account->mss;

	tcp_report(fd, &report);
	account->retransmissions += report.account.total_retrans;
	if (tcp_has(&report, data_segments_out)) {
		account->segments += report.account.data_segments_out;
		account->segments_known = true;
	}
	if (!first)
		return;
	tcp_congestion(fd, "", account->congestion);
	account->mss = report.account.send_mss;
	account->congestion_window = report.account.congestion_window;
	account->least_rtt_us = report.account.least_rtt_us;
	account->send_buffer = (uint32_t)tcp_send_buffer(fd);
	account->receive_buffer = (uint32_t)tcp_receive_buffer(fd);
}

void account_put(struct wire_out *out, const struct account *account)
{
	wire_put_text(out, account->congestion);
	wire_put_u32(out, account->mss);
	wire_put_u32(out, account->congestion_window);
	wire_put_u32(out, account->least_rtt_us);
	wire_put_u32(out, account->send_buffer);
	wire_put_u32(out, account->receive_buffer);
	wire_put_u64(out, account->segments);
	wire_put_u64(out, account->retransmissions);
	wire_put_u8(out, account->segments_known);
}

void account_get(struct wire_in *in, struct account *account)
{
	memset(account, 0, sizeof *account);
	wire_get_text(in, account->congestion, sizeof account->congestion);
	account->mss = wire_get_u32(in);
	account->congestion_window = wire_get_u32(in);
	account->least_rtt_us = wire_get_u32(in);
	account->send_buffer = wire_get_u32(in);
	account->receive_buffer = wire_get_u32(in);
	account->segments = wire_get_u64(in);
	account->retransmissions = wire_get_u64(in);
	account->segments_known = wire_get_u8(in) != 0;
}

void account_note(struct probe *probe, const struct account *sender,
	const struct account *receiver)
{
	probe_note(probe, "congestion-control", "%s", sender->congestion);
	probe_note(probe, "mss", "%u B", sender->mss);
	probe_note(probe, "congestion-window", "%u segments at the end",
		sender->congestion_window);
	probe_note(probe, "buffers", "%u B to send, %u B to receive at the end",
		sender->send_buffer, receiver->receive_buffer);
	probe_note(probe, "kernel-round-trip", "%u us minimum",
		sender->least_rtt_us);
	if (sender->segments_known)
		probe_note(probe, "retransmissions",
			"%llu of %llu segments in the last transfer",
			(unsigned long long)sender->retransmissions,
			(unsigned long long)sender->segments);
	else
		probe_note(probe, "retransmissions",
			"%llu segments in the last transfer",
			(unsigned long long)sender->retransmissions);
}

/* Is the word one of those between blanks? */
static bool offers(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; *at; at += strspn(at, " ")) {
		size_t next = strcspn(at, " ");

		if (next == length && !memcmp(at, word, length))
			return true;
		at += next;
	}
	return false;
}

static int refuse(const char *congestion, int why, char *sentence, size_t size)
{
	char offered[256];
	bool allowed = why == EPERM;

	file_peek(allowed ? "/proc/sys/net/ipv4/"
			    "tcp_allowed_congestion_control" :
			    "/proc/sys/net/ipv4/"
			    "tcp_available_congestion_control",
		offered, sizeof offered);
	/* Then something in between has changed the name, or failed. */
	if (!allowed && offers(offered, congestion)) {
		snprintf(sentence, size,
			"congestion=%s cannot be set, although the kernel "
			"offers it: %s; qemu-user, for one, passes on only "
			"four bytes of the name",
			congestion, strerror(why));
		return -1;
	}
	snprintf(sentence, size,
		allowed ? "congestion=%s needs root here, others may use %s: "
			  "`sysctl -w net.ipv4.tcp_allowed_congestion_"
			  "control='%s %s'` or host=link permits it" :
			  "congestion=%s is not available, expected one of: "
			  "%s; `modprobe tcp_%s` may add it",
		congestion, offered, allowed ? offered : congestion,
		congestion);
	return -1;
}

int account_prepare(int fd, const char *congestion, int64_t buffer_bytes,
	uint64_t rate_bit_s, char *sentence, size_t size)
{
	bool usual = !*congestion || !strcmp(congestion, "default");
	uint64_t rate_bytes_s = rate_bit_s / 8;
	char used[16];
	int failed = tcp_congestion(fd, usual ? "" : congestion, used);

	if (failed)
		return refuse(congestion, -failed, sentence, size);
	if (buffer_bytes > 0)
		tcp_buffers(fd, (int)buffer_bytes);
	if (rate_bytes_s)
		setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate_bytes_s,
			sizeof rate_bytes_s);
	return 0;
}
