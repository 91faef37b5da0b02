/*
 * Channels: carry one message at a time through the kernel, from a task that
 * sends to a task that receives, which sleeps until the message arrives.
 *
 * A message is `size_bytes` long and lies in `message`, each process having its
 * own copy: channel_send() sends it from there, channel_receive() stores it
 * there. Some kinds carry no bytes: channel_carries(). Their message is only a
 * token.
 *
 * A lock as a channel is a pair of locks. The sender always holds one of them.
 * To send, it locks the other, which is free, and then unlocks the first, for
 * which the receiver waits. The receiver locks and unlocks that. No task locks
 * at once what it has just unlocked: the kernel would often let it have the
 * lock again before the task that waits.
 */
#ifndef BENCHTOP_CHANNEL_H
#define BENCHTOP_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum channel_kind {
	CHANNEL_PIPE,
	CHANNEL_EVENTFD,
	CHANNEL_FUTEX,
	CHANNEL_SOCKETPAIR, /* Unix domain, stream */
	CHANNEL_FIFO,
	CHANNEL_DATAGRAM, /* Unix domain */
	CHANNEL_QUEUE,    /* POSIX message queue */
	CHANNEL_SEMAPHORE, /* System V */
	CHANNEL_RECORD_LOCK, /* fcntl(2); only between processes */
	CHANNEL_FILE_LOCK,   /* flock(2); only between processes */
};

struct channel {
	enum channel_kind kind;
	size_t size_bytes;
	unsigned char *message; /* owned */
	int in, out; /* descriptors: of the sender, of the receiver; those of
		      * two locks; or `in` is a set of semaphores */
	uint32_t *word; /* of a futex, in shared memory */
	unsigned turn;  /* of a lock: messages that this task has sent or
			 * received */
};

/* True if this kind carries bytes, and not only a token. */
bool channel_carries(enum channel_kind);
/* Returns 0 or -errno: of a message queue EMFILE and ENOSPC if a limit of the
 * number of queues is reached, EINVAL if one of the size. Children forked later
 * share the channel. */
int channel_open(struct channel *, enum channel_kind, size_t size_bytes);
/* Opens a channel of the same kind for the answers. A pair of sockets carries
 * both ways, as programs use it; the other kinds open another one. */
int channel_open_back(struct channel *, const struct channel *there);
void channel_close(struct channel *);
/* Only for locks: each end calls it once, in its own process. The sender must
 * have returned before the receiver receives. Returns 0 or -errno. */
int channel_enter(struct channel *, bool sends);
/* Sends a message; receives one, blocking until it arrives. False if the other
 * end is closed, or a call failed. */
bool channel_send(struct channel *);
bool channel_receive(struct channel *);
/* Sends and receives in one party: the cost of the channel without a context
 * switch. Not for locks. */
bool channel_own(struct channel *);

/* Removes the semaphores and names of FIFOs that killed workers left behind.
 * Everything else ends with the processes. */
void channel_sweep(void);

#endif
