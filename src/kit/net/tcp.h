/*
 * TCP as the network experiments use it: options, the kernel's own account of
 * a connection, addresses.
 */
#ifndef BENCHTOP_TCP_H
#define BENCHTOP_TCP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Reading and writing give up after a second with EAGAIN, so that a caller can
 * look round; a connection whose data is not acknowledged for 8 s, or that is
 * silent and does not answer probes, is dead. */
void tcp_guard(int fd);
/* The receive and send timeouts alone, for any socket. */
void tcp_timeouts(int fd, int milliseconds);
void tcp_no_delay(int fd, bool on);
/* The kernel asks the device for a while before it sleeps; refused without
 * privilege, and no matter then. */
void tcp_poll_busily(int fd);
/* Chooses a congestion control, "" the default, and reads back what is used.
 * 0 or -errno: ENOENT unknown here, EPERM not permitted. */
int tcp_congestion(int fd, const char *name, char used[16]);
/* Asks for buffers of so many bytes both ways; the kernel doubles that and cuts
 * it at net.core.[rw]mem_max. */
void tcp_buffers(int fd, int bytes);
/* What they are, as the kernel counts them. */
int tcp_send_buffer(int fd);
int tcp_receive_buffer(int fd);
/* close() sends a reset. */
void tcp_reset_on_close(int fd);

/* The kernel's account of a connection, TCP_INFO of linux/tcp.h in the layout
 * it has had since 2.6 and grown at its end since. A kernel that is older fills
 * in less: tcp_has() says whether a field was there. */
struct tcp_account {
	uint8_t state, ca_state, retransmits, probes, backoff, options;
	uint8_t scales; /* send window in the low half, receive in the high */
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
	size_t length; /* bytes the kernel filled in; 0: none */
	struct tcp_account account;
};
void tcp_report(int fd, struct tcp_report *);
#define tcp_has(report, field)                                     \
	((report)->length >= offsetof(struct tcp_account, field) + \
			sizeof((report)->account.field))

/* Addresses of IPv4 and IPv6. */
uint16_t tcp_port_of(int fd); /* local; 0: none */
/* Returns the address's length. */
socklen_t tcp_set_port(struct sockaddr_storage *, uint16_t port);
/* All of 127/8 is one host. */
bool tcp_same_host(const struct sockaddr_storage *,
	const struct sockaddr_storage *);
/* "192.0.2.1:80", "[2001:db8::1]:80"; port 0 is left out. */
void tcp_address_text(const struct sockaddr_storage *, char *into, size_t size);

#endif
