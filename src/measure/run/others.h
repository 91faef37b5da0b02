/*
 * Did other tasks use the processors of a run whose trials sleep, or whose
 * trials have several threads?
 *
 * rseq tells whether a trial was interrupted, but a trial that sleeps by design
 * gives its processor away at each wait, so a task that runs in between is not
 * noticed. It makes a wake-up longer, or shorter since the processor has not
 * been halted. Over a whole run such tasks show in sums: the processors' time
 * that was neither idle (/proc/stat, proc(5)) nor used by the lab and its
 * children (getrusage(2)) was used by others, or taken by the host. The lab
 * does not count if it is kept off these processors: drawing takes its time.
 * Both sums are exact where the kernel stops the tick of an idle processor;
 * their parts, user and system time, are not, because ticks divide them.
 *
 * Kernel threads that work for the run would count as others. So for transfers
 * and writes only time in user mode counts, in which kernel threads spend none.
 * Ticks sample it, and what children used on other processors is subtracted
 * too: it is a rough figure, and rather too small.
 *
 * Of several threads, canaries and rseq watch one; such tasks beside the others
 * show in the same sums of their processors. Over all processors the sums tell
 * whether other tasks used caches and memory that the measured ones share.
 */
#ifndef BENCHTOP_OTHERS_H
#define BENCHTOP_OTHERS_H

#include <sched.h>
#include <stdint.h>

struct others {
	cpu_set_t cpus;
	uint64_t since_ns; /* 0: never begun */
	double idle_s, user_s;
	double own_s, own_user_s; /* of reaped children */
	double lab_s, lab_user_s; /* of this process */
	double all_idle_s; /* of all processors together */
};

/* Begins to count, between launches: a child counts once it is reaped. */
void others_begin(struct others *, const cpu_set_t *cpus);
/* The fraction of the processors' time since then that others used, 0 .. 1; 0
 * if that is too short for ticks of 10 ms. */
double others_share(const struct others *);
/* The same, in user mode only. */
double others_share_in_user_mode(const struct others *);
/* Of the time of all processors. */
double others_share_of_all(const struct others *);

#endif
