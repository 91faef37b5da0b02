/* Keeps figures, so that they are computed once. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "parcel.h"

struct memo {
	size_t count;             /* metrics times points */
	struct memo_point **kept; /* an entry is NULL until it is requested */
};

void memo_point_free(struct memo_point *kept)
{
	for (int scale = 0; kept && scale < SCALES; scale++)
		free(kept->in[scale].list);
	free(kept);
}

static void release(struct memo *memo)
{
	for (size_t i = 0; memo && i < memo->count; i++)
		memo_point_free(memo->kept[i]);
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
	struct memo *memo = xcalloc(1, sizeof *memo);

	memo_drop(results);
	memo->count = results->point_count * results->metric_count;
	memo->kept = xcalloc(memo->count + 1, sizeof *memo->kept);
	results->memo = memo;
}

void memo_forget(struct results *results)
{
	if (results->memo)
		memo_begin(results);
}

struct memo_point *memo_of(const struct results *results,
	const struct point *point, unsigned metric)
{
	size_t at = (size_t)(point - results->points) * results->metric_count +
		metric;
	struct memo *memo = results->memo;

	if (point->series[metric].stored)
		return point->series[metric].stored;
	if (!memo || results->each > 1 || at >= memo->count)
		return NULL;
	if (!memo->kept[at])
		memo->kept[at] = xcalloc(1, sizeof **memo->kept);
	return memo->kept[at];
}

/* ---- from one process to another -------------------------------------- */

void memo_pack(const struct results *results, struct text *text)
{
	const struct memo *memo = results->memo;

	for (size_t i = 0; i < memo->count; i++) {
		const struct memo_point *kept = memo->kept[i];

		parcel_put(text, kept, kept ? sizeof *kept : 0);
		for (int scale = 0; kept && scale < SCALES; scale++)
			parcel_put(text, kept->in[scale].list,
				kept->in[scale].count *
					sizeof *kept->in[scale].list);
	}
}

static bool take_list(struct parcel *parcel, const struct memo_list *read,
	struct memo_list *kept)
{
	size_t length;
	const void *list = parcel_take(parcel, &length);

	if (!list || length != read->count * sizeof *read->list)
		return false;
	*kept = *read;
	kept->list = xcalloc(read->count + 1, sizeof *read->list);
	memcpy(kept->list, list, length);
	return true;
}

static bool take_kept(struct parcel *parcel, struct memo_point **kept)
{
	size_t size;
	const struct memo_point *read = parcel_take(parcel, &size);

	if (read && !size)
		return true;
	if (!read || size != sizeof *read)
		return false;
	*kept = xcalloc(1, sizeof **kept);
	(*kept)->digested = read->digested;
	(*kept)->digest = read->digest;
	for (int scale = 0; scale < SCALES; scale++)
		if (!take_list(parcel, &read->in[scale], &(*kept)->in[scale]))
			return false;
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
