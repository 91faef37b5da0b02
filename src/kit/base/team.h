/*
 * A team: threads, each pinned to a processor of its own, that start a piece of
 * work together.
 *
 * The caller is member 0. Between two pieces the other members sleep, so that
 * none spins while other work is timed. For a piece of work they are woken and
 * spin at a barrier. One store of the caller releases them, and the time starts
 * there. Each member reads the clock when it is done; the time ends with the
 * slowest member.
 */
#ifndef BENCHTOP_TEAM_H
#define BENCHTOP_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "party.h"

struct probe;
struct team;

/* The work of a member; `member` counts from 0. */
typedef void team_work(void *context, unsigned member);

struct team_member {
	_Alignas(64) struct team *team;
	unsigned number;
	struct party party;
	uint64_t end;     /* time when the member was done, ticks */
	bool interrupted; /* the kernel ran another task meanwhile */
};

struct team {
	struct probe *probe;
	unsigned count;
	bool sleeps; /* the work may sleep, so only an involuntary switch is an
		      * interruption. Initially false */
	struct team_member *members; /* owned */
	team_work *work;
	void *context;
	_Alignas(64) _Atomic uint32_t round; /* the members sleep on this
					      * futex */
	_Alignas(64) _Atomic uint32_t gathered;
	_Alignas(64) _Atomic uint32_t go; /* the last round that was released */
	_Alignas(64) _Atomic uint32_t done;
};

/* The number of processors that this process may use, as it was at first: the
 * lab restricts itself during a run. The end of a range "1..auto". */
int64_t team_most(void);
/* The members for a parameter `threads`; PARAM_AUTO: one for each processor of
 * the probe's row. 0 after probe_unavailable(), if there are too few. */
unsigned team_size(int64_t threads, struct probe *);
/* Starts `count` - 1 threads on the processors `cpus`, usually the probe's row.
 * The first is the caller's. Returns 0 or -errno. The struct must not be
 * moved. */
int team_start(struct team *, const int *cpus, unsigned count, struct probe *);
/* All members do one piece of work, timed from probe_start(). Returns the end
 * of the slowest member. *interrupted is set if any member was interrupted. */
uint64_t team_run(struct team *, team_work *, void *context, bool *interrupted);
void team_stop(struct team *);

/* For a loop that spins: saves energy, and leaves the core to an SMT
 * sibling. */
static inline void spin_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
