/* Figures, kept. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "parcel.h"

struct kept {
	bool digested;
	struct digest digest;
	size_t visits; /* whose launches are listed */
	size_t count;
	struct launch_figures *list; /* owned */
};

struct memo {
	size_t count; /* points */
	struct kept *kept;
};

static void release(struct memo *memo)
{
	for (size_t i = 0; memo && i < memo->count; i++)
		free(memo->kept[i].list);
	if (memo)
		free(memo->kept);
	free(memo);
}

void memo_drop(struct results *results)
{
	release(results->memo);
	results->memo = NULL;
}

void memo_begin(struct results *results)
{
	memo_drop(results);
	results->memo = xcalloc(1, sizeof *results->memo);
	results->memo->count = results->point_count;
	results->memo->kept =
		xcalloc(results->point_count, sizeof *results->memo->kept);
}

void memo_forget(struct results *results)
{
	if (results->memo)
		memo_begin(results);
}

/* NULL: nothing is kept of these figures. */
static struct kept *kept_of(const struct results *results,
	const struct point *point, unsigned metric)
{
	size_t at = (size_t)(point - results->points);

	if (!results->memo || metric || results->each > 1 ||
		at >= results->memo->count)
		return NULL;
	return &results->memo->kept[at];
}

bool memo_digest(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	const struct kept *kept = kept_of(results, point, metric);

	if (!kept || !kept->digested)
		return false;
	*digest = kept->digest;
	return true;
}

/* The first visit of a launch that may still change: the last one, until it
 * is complete or the run is over. */
static size_t closed_visits(const struct results *results,
	const struct point *point)
{
	size_t visits = point->visit_count, last = results->launch_count - 1;

	if (results->state != RUN_GOING || !results->launch_count ||
		results->launches[last].complete)
		return visits;
	while (visits && point->visits[visits - 1].launch == last)
		visits--;
	return visits;
}

static void keep_launches(const struct results *results,
	const struct point *point, struct kept *kept)
{
	struct point closed = *point;
	struct gathered all;

	closed.visit_count = closed_visits(results, point);
	if (closed.visit_count <= kept->visits)
		return;
	size_t room = kept->count + closed.visit_count - kept->visits;
	kept->list = xrealloc(kept->list, room + 1, sizeof *kept->list);
	gather(results, &closed, 0, SCALE_UNIT, kept->visits, &all);
	kept->count += regime_launches(results, &all, kept->list + kept->count);
	gathered_free(&all);
	kept->visits = closed.visit_count;
}

size_t memo_launches(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, struct launch_figures *list,
	size_t *visit)
{
	struct kept *kept = kept_of(results, point, metric);

	*visit = 0;
	if (!kept || scale != SCALE_UNIT)
		return 0;
	keep_launches(results, point, kept);
	*visit = kept->visits;
	if (kept->count)
		memcpy(list, kept->list, kept->count * sizeof *list);
	return kept->count;
}

void memo_fill(struct results *results)
{
	memo_begin(results);
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct kept *kept = &results->memo->kept[i];

		keep_launches(results, point, kept);
		kept->digested = digest_of(results, point, 0, &kept->digest) &&
			!kept->digest.published;
	}
}

/* ---- from one process to another -------------------------------------- */

void memo_pack(const struct results *results, struct text *text)
{
	const struct memo *memo = results->memo;

	for (size_t i = 0; i < memo->count; i++) {
		const struct kept *kept = &memo->kept[i];

		parcel_put(text, kept, sizeof *kept);
		parcel_put(text, kept->list, kept->count * sizeof *kept->list);
	}
}

static bool take_kept(struct parcel *parcel, struct kept *kept)
{
	const struct kept *read = parcel_take_sized(parcel, sizeof *read);
	size_t length;
	const void *list = read ? parcel_take(parcel, &length) : NULL;

	if (!list || length != read->count * sizeof *kept->list)
		return false;
	*kept = *read;
	kept->list = xcalloc(read->count + 1, sizeof *kept->list);
	memcpy(kept->list, list, length);
	return true;
}

bool memo_unpack(struct results *results, struct parcel *parcel)
{
	memo_begin(results);
	for (size_t i = 0; i < results->memo->count; i++)
		if (!take_kept(parcel, &results->memo->kept[i])) {
			memo_drop(results);
			return false;
		}
	return true;
}
