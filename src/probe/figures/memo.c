/* Figures, kept. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "parcel.h"

struct memo {
	size_t count; /* points */
	struct memo_point *kept;
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

struct memo_point *memo_of(const struct results *results,
	const struct point *point, unsigned metric)
{
	size_t at = (size_t)(point - results->points);

	if (!results->memo || metric || results->each > 1 ||
		at >= results->memo->count)
		return NULL;
	return &results->memo->kept[at];
}

/* ---- from one process to another -------------------------------------- */

void memo_pack(const struct results *results, struct text *text)
{
	const struct memo *memo = results->memo;

	for (size_t i = 0; i < memo->count; i++) {
		const struct memo_point *kept = &memo->kept[i];

		parcel_put(text, kept, sizeof *kept);
		parcel_put(text, kept->list, kept->count * sizeof *kept->list);
	}
}

static bool take_kept(struct parcel *parcel, struct memo_point *kept)
{
	const struct memo_point *read = parcel_take_sized(parcel, sizeof *read);
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
