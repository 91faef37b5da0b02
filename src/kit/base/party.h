/*
 * Second parties: processes and threads that take part in an experiment, and
 * the channels between them.
 *
 * A party is pinned, dies with the worker, and counts its own context
 * switches. A channel carries one token at a time from whoever sends to
 * whoever waits, by way of the kernel.
 */
#ifndef BENCHTOP_PARTY_H
#define BENCHTOP_PARTY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum channel_kind {
	CHANNEL_PIPE,
	CHANNEL_EVENTFD,
	CHANNEL_FUTEX,
	CHANNEL_SOCKETPAIR,
};

struct channel {
	enum channel_kind kind;
	int in, out;    /* descriptors: to write to, to read from */
	uint32_t *word; /* of a futex, in shared memory */
};

/* 0 or -errno. Shared with children forked later. */
int channel_open(struct channel *, enum channel_kind);
void channel_close(struct channel *);
/* Puts a token in; takes one out, sleeping until there is one. False when the
 * other end is gone. */
bool channel_send(struct channel *);
bool channel_receive(struct channel *);
/* Both in turn by one party: the channel's own cost, without a switch. */
bool channel_own(struct channel *);

struct party {
	bool thread;
	pid_t pid;
	pthread_t id;
};

/* Starts body(context) in a process or a thread, pinned to `cpu`. 0 or
 * -errno. */
int party_start(struct party *, bool thread, int cpu,
	void *(*body)(void *context), void *context);
/* Waits until it has ended: 0, or -1 when a process did not end well. */
int party_join(struct party *);
/* Pins the calling thread. */
void party_pin(int cpu);
/* Context switches of the calling thread so far, of both kinds. */
uint64_t party_switches(void);

/* Zeroed memory that children forked later share. NULL: none. */
void *party_memory(size_t size_bytes);
void party_memory_free(void *, size_t size_bytes);

#endif
