/* The identity of runs and of their points. */
#include "run_identity.h"

#include <math.h>
#include <string.h>

#include "digest.h"

/* FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * 0x100000001b3u;
	return hash;
}

/* With its end, so that "a" and "bc" are not "ab" and "c". */
static uint64_t add_text(uint64_t hash, const char *text)
{
	return text ? add_bytes(hash, text, strlen(text) + 1) : hash;
}

uint64_t run_identity(const struct run_origin *origin)
{
	uint64_t hash = 0xcbf29ce484222325u, place = origin->place;

	hash = add_text(hash, origin->host);
	hash = add_text(hash, origin->experiment);
	hash = add_text(hash, origin->started);
	hash = add_bytes(hash, &origin->seed, sizeof origin->seed);
	return add_bytes(hash, &place, sizeof place);
}

uint64_t run_identity_point(uint64_t run, double median)
{
	return isfinite(median) ? add_bytes(run, &median, sizeof median) : run;
}

static uint64_t identify(const struct session *session, size_t run)
{
	const struct results *results = session->runs[run];

	return run_identity(&(struct run_origin){
		.host = session->machine.hostname,
		.experiment = results->experiment,
		.started = results->started,
		.seed = results->seed,
		.place = run,
	});
}

static double median_of_point(const struct results *results, size_t point)
{
	struct digest digest;

	return digest_of(results, &results->points[point], 0, &digest) ?
		digest.headline :
		NAN;
}

/* Digests are made only of runs whose origin is the same. */
static bool is_same_run(const struct session *a, const struct session *b,
	size_t run)
{
	const struct results *one = a->runs[run], *other = b->runs[run];
	uint64_t identity = identify(a, run);
	bool same = identity == identify(b, run) &&
		one->point_count == other->point_count;

	for (size_t p = 0; same && p < one->point_count; p++)
		same = run_identity_point(identity, median_of_point(one, p)) ==
			run_identity_point(identity, median_of_point(other, p));
	return same;
}

bool run_identity_sessions(const struct session *a, const struct session *b)
{
	bool same = a->run_count == b->run_count && a->run_count;

	for (size_t i = 0; same && i < a->run_count; i++)
		same = is_same_run(a, b, i);
	return same;
}
