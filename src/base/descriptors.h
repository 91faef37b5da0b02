/*
 * Descriptors that a process passes on, and those that it must not.
 *
 * Messages carry open descriptors (SCM_RIGHTS of unix(7)). The socket must
 * preserve message boundaries: one call, one message.
 */
#ifndef BENCHTOP_DESCRIPTORS_H
#define BENCHTOP_DESCRIPTORS_H

#include <stddef.h>

enum { DESCRIPTORS_MOST = 3 };

/* Sends a message with up to DESCRIPTORS_MOST descriptors, which stay open in
 * this process. Returns 0, or -1 with errno. */
int descriptors_send(int socket, const void *message, size_t size,
	const int *fds, size_t count);
/* Receives a message of exactly `size` bytes. The caller owns the descriptors
 * in `fds`, which are closed on exec; unused entries are -1. Returns 0, or -1
 * with errno and without descriptors. */
int descriptors_receive(int socket, void *message, size_t size,
	int fds[DESCRIPTORS_MOST]);

/* Closes all descriptors from `first` to `last` (INT_MAX: to the end), also
 * where close_range(2) is missing: before Linux 5.9, and in sandboxes. */
void descriptors_close(int first, int last);

#endif
