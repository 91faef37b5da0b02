/*
 * TCP for the network experiments: options, the kernel's statistics of a
 * connection, addresses.
 */
#ifndef BENCHTOP_TCP_H
#define BENCHTOP_TCP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Sets timeouts. Reading and writing return EAGAIN after a second, so that the
 * caller can check other conditions. The kernel closes a connection if data is
 * not acknowledged for 8 s, or if it is idle and does not answer probes. */
void tcp_guard(int fd);
/* Sets only the receive and send timeouts, for any socket. */
void tcp_timeouts(int fd, int milliseconds);
void tcp_no_delay(int fd, bool on);
/* Busy polling: the kernel polls the device for a while before it sleeps.
 * Ignored without privilege. */
void tcp_poll_busily(int fd);
/* Sets a congestion control, "" for the default, and returns the one in use in
 * `used`. Returns 0 or -errno: ENOENT if unknown, EPERM if not permitted. */
int tcp_congestion(int fd, const char *name, char used[16]);
/* Requests buffers of `bytes` in both directions. The kernel doubles the value
 * and limits it to net.core.[rw]mem_max. */
void tcp_buffers(int fd, int bytes);
/* The actual sizes, as the kernel counts them. */
int tcp_send_buffer(int fd);
int tcp_receive_buffer(int fd);
/* close() sends a reset. */
void tcp_reset_on_close(int fd);

/* The kernel's statistics of a connection: TCP_INFO of linux/tcp.h. Its layout
 * is unchanged since 2.6, except for fields added at the end. An older kernel
 * fills in fewer fields: tcp_has() is true if a field was filled in. */
struct tcp_account {
	uint8_t state, ca_state, retransmits, probes, backoff, options;
	uint8_t scales; /* send window in the low half, receive window in the
			 * high */
	uint8_t rate_app_limited;
	uint32_t rto_us, ato_us, send_mss, receive_mss;
	uint32_t unacked, sacked, lost, retrans, fackets;
	uint32_t last_data_sent_ms, last_ack_sent_ms, last_data_received_ms,
		last_ack_received_ms;
	uint32_t path_mtu, receive_ssthresh, rtt_us, rtt_var_us, send_ssthresh,
		congestion_window, advertised_mss, reordering;
	uint32_t receive_rtt_us, receive_space, total_retrans;
	uint64_t pacing_bytes_s, max_pacing_bytes_s, bytes_acked,
		bytes_received;
	uint32_t segments_out, segments_in;
	uint32_t unsent_bytes, least_rtt_us, data_segments_in,
		data_segments_out;
	uint64_t delivery_bytes_s, busy_us, receive_limited_us, send_limited_us;
	uint32_t delivered, delivered_ce;
	uint64_t bytes_sent, bytes_retransmitted;
	uint32_t dsack_duplicates, reordering_seen, received_out_of_order,
		send_window;
};
struct tcp_report {
	size_t length; /* bytes that the kernel filled in; 0: failed */
	struct tcp_account account;
};
void tcp_report(int fd, struct tcp_report *);
#define tcp_has(report, field)                                     \
	((report)->length >= offsetof(struct tcp_account, field) + \
			sizeof((report)->account.field))

/* Addresses of IPv4 and IPv6. */
uint16_t tcp_port_of(int fd); /* local port; 0: none */
/* Returns the address's length. */
socklen_t tcp_set_port(struct sockaddr_storage *, uint16_t port);
/* All addresses of 127/8 are one host. */
bool tcp_same_host(const struct sockaddr_storage *,
	const struct sockaddr_storage *);
/* "192.0.2.1:80", "[2001:db8::1]:80"; port 0 is omitted. */
void tcp_address_text(const struct sockaddr_storage *, char *into, size_t size);

#endif
