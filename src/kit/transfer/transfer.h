/*
 * Bytes across connections, timed at the end that receives them.
 *
 * The receiver's time runs from when the first byte can be read to the return
 * of the read that brought the last; it is the whole transfer. The steady part
 * is what came after the half: of the bytes where their number is known, of the
 * time where that is; of fewer than eight reads there is none. One connection
 * is read and written by blocking calls, several in turn by one thread that
 * polls.
 */
#ifndef BENCHTOP_TRANSFER_H
#define BENCHTOP_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum {
	TRANSFER_STREAMS = 16,
	TRANSFER_TRACE = 256, /* reads whose time and size are kept */
};

/* Looks round about once a second, being told how many bytes have moved since
 * the last time. False: give up. */
struct transfer_watch {
	bool (*go_on)(void *context, uint64_t bytes);
	void *context;
};

struct transfer {
	int fd[TRANSFER_STREAMS]; /* with timeouts of a second */
	size_t count;
	uint64_t bytes;       /* to move in all; 0: */
	uint64_t duration_ns; /* as long as this. The receiver then reads to
			       * the end of all connections */
	size_t call_bytes;    /* of a write, or at most of a read */
	char *buffer;         /* of so many */
	struct transfer_watch watch;
};

/* What the receiver saw. */
struct receipt {
	uint64_t bytes, whole_ns;
	uint64_t steady_bytes, steady_ns; /* 0: none */
	uint64_t reads;
	size_t trace_count;
	struct {
		uint64_t at_ns; /* since the first byte could be read */
		uint32_t bytes;
	} trace[TRANSFER_TRACE];
};

/* What the sender saw: bytes that its calls accepted, in what time. */
struct dispatch {
	uint64_t bytes, took_ns, writes;
};

/* 1; 0: all connections were closed before the first byte; -1: given up, or
 * broken off. */
int transfer_receive(const struct transfer *, struct receipt *);
/* Sends; after a duration it also says the end of each connection. 0 or -1. */
int transfer_send(const struct transfer *, struct dispatch *);

/* On the wire: a receipt is u64 bytes, u64 whole ns, u64 steady bytes, u64
 * steady ns, u64 reads, u16 count and so many of u64 ns, u32 bytes; a dispatch
 * is u64 bytes, u64 ns, u64 writes. */
void transfer_put_receipt(struct wire_out *, const struct receipt *);
void transfer_get_receipt(struct wire_in *, struct receipt *);
void transfer_put_dispatch(struct wire_out *, const struct dispatch *);
void transfer_get_dispatch(struct wire_in *, struct dispatch *);

#endif
