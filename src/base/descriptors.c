/* Messages with descriptors, and the end of descriptors. */
#include "descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
	size_t bytes = count * sizeof *fds;

	/* socklen_t, as POSIX has it: the lengths of glibc are a size_t. */
	if (count) {
		header.msg_control = &control;
		header.msg_controllen = (socklen_t)CMSG_SPACE(bytes);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = (socklen_t)CMSG_LEN(bytes);
		memcpy(CMSG_DATA(&control.header), fds, bytes);
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

/* ---- closing ---------------------------------------------------------- */

/* Headers before Linux 5.9 lack it. The number is the same on every
 * architecture. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* The kernel lists descriptors in order of their numbers, so closing one does
 * not hide another. */
static void close_listed(DIR *list, int first, int last)
{
	struct dirent *entry;

	while ((entry = readdir(list))) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		if (entry->d_name[0] != '.' && fd >= first && fd <= last &&
			fd != dirfd(list))
			close(fd);
	}
}

/* Without /proc. A limit may be so high that a close of each would take
 * minutes. */
static void close_each(int first, int last)
{
	enum { MOST = 1 << 16 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > MOST)
		limit.rlim_cur = MOST;
	for (int fd = first; fd <= last && fd < (int)limit.rlim_cur; fd++)
		close(fd);
}

void descriptors_close(int first, int last)
{
	if (first > last ||
		!syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0u))
		return;
	DIR *list = opendir("/proc/self/fd");
	if (!list) {
		close_each(first, last);
		return;
	}
	close_listed(list, first, last);
	closedir(list);
}
