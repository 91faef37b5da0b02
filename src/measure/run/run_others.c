/* Other tasks on the processors of a run. */
#include "quality.h"
#include "run_internal.h"

void run_begin_others(struct run *run)
{
	const struct place *place = &run->place;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(place->cpu, &cpus);
	if (place->facts.second >= 0)
		CPU_SET(place->facts.second, &cpus);
	for (unsigned i = 0; i < place->threads; i++)
		CPU_SET(place->row[i], &cpus);
	others_begin(&run->others, &cpus);
}

double run_share_of_others(const struct run *run)
{
	unsigned traits = run->experiment->traits;
	bool transfers = run->experiment->sensitive_to &
		(SENSITIVE_NETWORK | SENSITIVE_DISK);

	if (!(traits & (TRAIT_THREADS | TRAIT_BLOCKS)))
		return 0;
	if (traits & TRAIT_THREADS || !(traits & (TRAIT_COLD | TRAIT_NOISY)))
		return others_share(&run->others);
	return transfers ? others_share_in_user_mode(&run->others) : 0;
}

static void warn_of_crowd(struct results *results)
{
	if (quality_crowded(results))
		results_warn(results,
			"other tasks used %.0f %% of the processors that this "
			"run needs: waits, wake-ups and threads depend on "
			"them",
			results->place.others * 100);
}

/* A busy processor changes memory that it shares with the measured one, and
 * often its clock, in either direction. */
static void warn_of_busy_processors(const struct run *run)
{
	static const double most = .1;
	bool shares = run->experiment->sensitive_to & SENSITIVE_MEMORY ||
		run->experiment->traits & TRAIT_THREADS;
	double share = shares && !quality_crowded(run->results) ?
		others_share_of_all(&run->others) :
		0;

	if (share > most)
		results_warn(run->results,
			"other tasks used %.0f %% of the time of this "
			"machine's processors: caches, memory and threads on "
			"several processors may be slower or faster than on "
			"an idle machine",
			share * 100);
}

void run_warn_of_others(struct run *run)
{
	warn_of_crowd(run->results);
	warn_of_busy_processors(run);
}
