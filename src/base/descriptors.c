/* Messages with descriptors. */
#include "descriptors.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))];
};

int descriptors_send(int socket, const void *message, size_t size,
	const int *fds, size_t count)
{
	struct iovec part = { (void *)(uintptr_t)message, size };
	union control control = { 0 };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count) {
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(count * sizeof *fds);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof *fds);
		memcpy(CMSG_DATA(&control.header), fds, count * sizeof *fds);
	}
	ssize_t sent = sendmsg(socket, &header, MSG_NOSIGNAL);
	return sent == (ssize_t)size ? 0 : -1;
}

static void take_fds(struct msghdr *header, int fds[DESCRIPTORS_MOST])
{
	struct cmsghdr *control = CMSG_FIRSTHDR(header);

	for (int i = 0; i < DESCRIPTORS_MOST; i++)
		fds[i] = -1;
	if (control && control->cmsg_level == SOL_SOCKET &&
		control->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(control),
			control->cmsg_len - CMSG_LEN(0));
}

int descriptors_receive(int socket, void *message, size_t size,
	int fds[DESCRIPTORS_MOST])
{
	struct iovec part = { message, size };
	union control control;
	struct msghdr header = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control,
	};
	ssize_t got;

	do
		got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -1;
	take_fds(&header, fds);
	/* Truncated: not every descriptor could be opened in this process. */
	bool cut = header.msg_flags & MSG_CTRUNC;
	if (got == (ssize_t)size && !cut)
		return 0;
	for (int i = 0; i < DESCRIPTORS_MOST; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	errno = cut ? EMFILE : got ? EPROTO : ECONNRESET;
	return -1;
}
