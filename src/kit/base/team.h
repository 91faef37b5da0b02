/*
 * A team: threads, each pinned to a processor of its own, that begin a piece of
 * work together.
 *
 * The caller is member 0. Between two pieces the others sleep, so that nothing
 * spins beside what is not theirs; for a piece they are woken, gather at a
 * barrier where they spin, and are let go by one store of the caller, which is
 * when the time begins. It ends with the last of them: each reads the clock
 * when it is done, and the slowest counts.
 */
#ifndef BENCHTOP_TEAM_H
#define BENCHTOP_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "party.h"

struct probe;
struct team;

/* What a member does; `member` counts from 0. */
typedef void team_work(void *context, unsigned member);

struct team_member {
	_Alignas(64) struct team *team;
	unsigned number;
	struct party party;
	uint64_t end;     /* when it was done, ticks */
	bool interrupted; /* the kernel ran something else meanwhile */
};

struct team {
	struct probe *probe;
	unsigned count;
	struct team_member *members; /* owned */
	team_work *work;
	void *context;
	_Alignas(64) _Atomic uint32_t round; /* the members sleep on it */
	_Alignas(64) _Atomic uint32_t gathered;
	_Alignas(64) _Atomic uint32_t go; /* the round that has begun */
	_Alignas(64) _Atomic uint32_t done;
};

/* Starts `count` - 1 threads on the processors of the probe's row. 0 or
 * -errno. The team must stay where it is. */
int team_start(struct team *, unsigned count, struct probe *);
/* One piece of work by all: between probe_start() and the end of the slowest,
 * which is returned. Was anybody interrupted? */
uint64_t team_run(struct team *, team_work *, void *context, bool *interrupted);
void team_stop(struct team *);

#endif
