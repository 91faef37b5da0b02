/* Detection of context switches and migrations by rseq. */
#include "disturb.h"

#include <stddef.h>
#include <string.h>

#include "probe.h"

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#endif

/* Used as slot without an rseq area; it is never cleared. */
static uint64_t dummy_slot;

#ifdef RSEQ_SIG

/* A critical section that is never entered. When the kernel finds the
 * instruction pointer outside it, it clears the slot at every context switch
 * and signal. The kernel requires the signature before the abort address, and
 * otherwise kills the process. */
static _Alignas(32) struct {
	uint32_t version, flags;
	uint64_t start, length, abort;
	uint32_t never_entered[4];
	uint32_t signature;
	uint32_t abort_here;
} section;
_Static_assert(offsetof(__typeof__(section), abort) == 24,
	"the first 32 bytes are the kernel's struct rseq_cs");

bool disturb_arm(struct probe *probe)
{
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
	probe->rseq_cpu = NULL;
	/* glibc 2.35 and later registers every thread. Size 0 means that this
	 * is disabled, or the kernel lacks rseq. */
	if (!__rseq_size)
		return false;
	section.start = (uint64_t)(uintptr_t)section.never_entered;
	section.length = sizeof section.never_entered;
	section.signature = RSEQ_SIG;
	section.abort = (uint64_t)(uintptr_t)&section.abort_here;
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
	/* Fixed by the kernel's interface: linux/rseq.h. */
	probe->rseq_cpu = (uint32_t *)(void *)(area + 4);
	probe->rseq_slot = (uint64_t *)(void *)(area + 8);
	probe->rseq_armed = (uint64_t)(uintptr_t)&section;
	return true;
}

#else

bool disturb_arm(struct probe *probe)
{
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
	return false;
}

#endif

void disturb_disarm(struct probe *probe)
{
	*probe->rseq_slot = 0;
	probe->rseq_slot = &dummy_slot;
	probe->rseq_armed = 1;
}
