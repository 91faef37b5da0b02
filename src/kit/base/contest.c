/* Threads that perform the same operation at the same time. */
#include "contest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

int contest_start(struct contest *contest, int64_t threads, bool sleeps,
	struct probe *probe)
{
	unsigned count = team_size(threads, probe);

	if (!count)
		return -1;
	contest->contenders = aligned_alloc(_Alignof(struct contender),
		count * sizeof *contest->contenders);
	int failed = contest->contenders ?
		team_start(&contest->team, probe->row, count, probe) :
		-ENOMEM;
	if (failed) {
		free(contest->contenders);
		return probe_unavailable(probe, "cannot start %u threads: %s",
			count, strerror(-failed));
	}
	contest->team.sleeps = sleeps;
	for (unsigned i = 0; i < count; i++)
		contest->contenders[i] = (struct contender){
			.contest = contest,
			.number = i,
			.most = UINT64_MAX,
		};
	return 0;
}

void contest_stop(struct contest *contest)
{
	team_stop(&contest->team);
	free(contest->contenders);
}

static void compete(void *context, unsigned member)
{
	struct contest *contest = context;

	contest->work(contest->context, &contest->contenders[member]);
	if (!member)
		atomic_store_explicit(&contest->over, true,
			memory_order_relaxed);
}

/* Returns the operations per tick of all members. */
static double add_up(struct contest *contest)
{
	double least = INFINITY, most = 0, sum = 0;

	contest->total = contest->change = contest->extra = 0;
	for (unsigned i = 0; i < contest->team.count; i++) {
		const struct contender *one = &contest->contenders[i];
		double rate = (double)one->count /
			(double)(contest->team.members[i].end -
				contest->team.probe->start);

		contest->total += one->count;
		contest->change += one->change;
		contest->extra += one->extra;
		least = fmin(least, rate);
		most = fmax(most, rate);
		sum += rate;
	}
	contest->fairness = least / most;
	return sum;
}

void contest_trial(struct contest *contest, contest_work *work, void *context,
	unsigned metric, uint64_t ops)
{
	struct probe *probe = contest->team.probe;
	bool interrupted;

	contest->work = work;
	contest->context = context;
	contest->contenders[0].most = ops;
	atomic_store(&contest->over, false);
	team_run(&contest->team, compete, contest, &interrupted);
	double interval = 1 / add_up(contest);
	double ticks = interval * contest->team.count * (double)ops;
	contest->interval_ns = interval * 1e9 / probe->tick_hz;
	probe_stop_judged(probe, metric, ops,
		probe->start + (uint64_t)(ticks + .5), interrupted);
}
