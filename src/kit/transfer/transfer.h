/*
 * Transfers of bytes over connections, timed at both ends.
 *
 * The time of a transfer runs from before the sender's first write to the
 * return of the read with the last byte; bulk.h makes it of the two stamps. The
 * receiver's own time runs from when the first byte can be read to the return
 * of the read with the last byte; bytes already in its buffer are timed by the
 * reading alone. The steady part is the second half: of the bytes if their
 * number is known, else of the time. With fewer than eight reads there is no
 * steady part. A single connection uses blocking calls; several are polled by
 * one thread.
 */
#ifndef BENCHTOP_TRANSFER_H
#define BENCHTOP_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum {
	TRANSFER_STREAMS = 16,
	TRANSFER_TRACE = 256, /* reads recorded with time and size */
};

/* Called about once a second with the number of bytes moved since the last
 * call. Returns false to give up. */
struct transfer_watch {
	bool (*go_on)(void *context, uint64_t bytes);
	void *context;
};

/* The place of the data to send in its buffer, which begins at a page. If the
 * kernel copied from the beginning of a page, some processors copied at a third
 * of the speed in some launches, at full speed in others. */
enum { TRANSFER_PLACE = 1024 };

struct transfer {
	int fd[TRANSFER_STREAMS]; /* with timeouts of a second */
	size_t count;
	uint64_t bytes;       /* total to move; 0: limited by */
	uint64_t duration_ns; /* duration. The receiver then reads to the end of
			       * all connections */
	size_t call_bytes;    /* size of a write; maximum size of a read */
	char *buffer;         /* of call_bytes; to send, of TRANSFER_PLACE
			       * more */
	struct transfer_watch watch;
};

/* Result of the receiver. */
struct receipt {
	uint64_t bytes, whole_ns;
	uint64_t last_ns; /* return of the last read: tick_raw_ns() */
	uint64_t steady_bytes, steady_ns; /* 0: none */
	uint64_t reads;
	size_t trace_count;
	struct {
		uint64_t at_ns; /* since the first byte was readable */
		uint32_t bytes;
	} trace[TRANSFER_TRACE];
};

/* Result of the sender: bytes that its calls accepted, and the time. */
struct dispatch {
	uint64_t bytes, took_ns, writes;
	uint64_t begin_ns; /* before the first write: tick_raw_ns() */
};

/* Returns 1; 0 if all connections were closed before the first byte; -1 if
 * given up or broken off. */
int transfer_receive(const struct transfer *, struct receipt *);
/* Sends; with a duration it also shuts down each connection for writing.
 * Returns 0 or -1. */
int transfer_send(const struct transfer *, struct dispatch *);

/* On the wire: a receipt is u64 bytes, u64 whole ns, u64 last ns, u64 steady
 * bytes, u64 steady ns, u64 reads, u16 count, then count times u64 ns, u32
 * bytes. A dispatch is u64 bytes, u64 ns, u64 writes, u64 begin ns. */
void transfer_put_receipt(struct wire_out *, const struct receipt *);
void transfer_get_receipt(struct wire_in *, struct receipt *);
void transfer_put_dispatch(struct wire_out *, const struct dispatch *);
void transfer_get_dispatch(struct wire_in *, struct dispatch *);

#endif
