/*
 * Messages between processes that bring open descriptors along (SCM_RIGHTS of
 * unix(7)), over a socket that keeps them apart: one call, one message.
 */
#ifndef BENCHTOP_DESCRIPTORS_H
#define BENCHTOP_DESCRIPTORS_H

#include <stddef.h>

enum { DESCRIPTORS_MOST = 3 };

/* Sends up to DESCRIPTORS_MOST descriptors, which stay open here, with a
 * message. 0 or -1 with errno. */
int descriptors_send(int socket, const void *message, size_t size,
	const int *fds, size_t count);
/* Receives a message of that size; those descriptors that did not come are -1,
 * the others are the caller's, closed on exec. 0, or -1 with errno and none. */
int descriptors_receive(int socket, void *message, size_t size,
	int fds[DESCRIPTORS_MOST]);

#endif
