/* Records the signal that ends a worker. */
#include <signal.h>
#include <stdlib.h>

#include "memory.h"
#include "worker_internal.h"

static struct tape_header *dying; /* for the signal handler only */

static void last_words(int number, siginfo_t *info, void *context)
{
	(void)context;
	dying->fault_address = (uint64_t)(uintptr_t)info->si_addr;
	dying->fault_signal = number;
	signal(number, SIG_DFL);
	raise(number);
}

void worker_watch_faults(struct tape_header *header)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	struct sigaction action = {
		.sa_sigaction = last_words,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	stack_t stack = { .ss_size = 64 * 1024 };

	/* A separate stack, because the usual one may have overflowed. */
	stack.ss_sp = xmalloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	dying = header;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
}
