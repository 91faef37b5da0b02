/* Drops capabilities with libcap-ng, and system calls with libseccomp. */
#include "confine.h"

#include <cap-ng.h>
#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* Sanitizers use arbitrary system calls. */
static int is_sanitized(void)
{
	return BENCHTOP_SANITIZE[0] != '\0';
}

static const char *drop_capabilities(void)
{
	/* Emptying the bounding set needs CAP_SETPCAP. Without it the set has
	 * no effect, because new privileges are forbidden. */
	if (capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP)) {
		capng_clear(CAPNG_SELECT_BOTH);
		if (!capng_apply(CAPNG_SELECT_BOTH))
			return NULL;
	}
	capng_clear(CAPNG_SELECT_CAPS);
	if (capng_apply(CAPNG_SELECT_CAPS))
		return "cannot drop capabilities";
	if (capng_have_capabilities(CAPNG_SELECT_CAPS) != CAPNG_NONE)
		return "capabilities were not dropped";
	return NULL;
}

static const int allowed[] = {
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(close),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(getsockopt), /* PACKET_STATISTICS */
	SCMP_SYS(fstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(lseek),
	SCMP_SYS(mmap),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(brk),
	SCMP_SYS(futex),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

static const char *limit_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int failed = filter ? 0 : -ENOMEM;

	for (size_t i = 0; !failed && i < sizeof allowed / sizeof *allowed; i++)
		failed =
			seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!failed)
		failed = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	return failed ? "cannot limit system calls" : NULL;
}

const char *confine(void)
{
	const char *failed = drop_capabilities();

	if (failed)
		return failed;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return "cannot give up new privileges";
	return is_sanitized() ? NULL : limit_calls();
}
