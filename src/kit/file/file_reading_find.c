/* Findings and predictions for reading files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "facts.h"
#include "file_reading.h"
#include "results.h"
#include "text.h"

enum { SIZES_MOST = 512 };

void reading_describe(const struct reading_args *args, struct text *text)
{
	text_add(text, "size=");
	unit_write_whole(text, UNIT_BYTES, args->size_bytes);
	text_add(text, " order=%s cache=%s block=", reading_orders[args->order],
		reading_caches[args->cache]);
	unit_write_whole(text, UNIT_BYTES, args->block_bytes);
}

/* ---- random against sequential ---------------------------------------- */

static bool same_but_order(const struct reading_args *a,
	const struct reading_args *b)
{
	return a->size_bytes == b->size_bytes &&
		a->block_bytes == b->block_bytes && a->cache == b->cache &&
		!strcmp(a->where, b->where);
}

static const struct point *partner(const struct results *results,
	const struct reading_args *args, int order)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct reading_args *other = results->points[i].args;

		if (other && other->order == order &&
			same_but_order(args, other))
			return &results->points[i];
	}
	return NULL;
}

static void find_ratio(const struct results *results,
	const struct point *random, struct findings *findings)
{
	const struct reading_args *args = random->args;
	const struct point *ascending = partner(results, args, FILE_ASCENDING);
	struct digest a, b;
	struct text what = { 0 };

	if (!ascending || !digest_of(results, random, READING_TIME, &a) ||
		!digest_of(results, ascending, READING_TIME, &b) ||
		!a.summary.trials || !b.summary.trials ||
		!(b.summary.median > 0))
		return;
	double ratio = a.summary.median / b.summary.median;
	unit_write_whole(&what, UNIT_BYTES, args->size_bytes);
	struct finding *finding = finding_value(findings, "random/sequential",
		ratio, UNIT_NONE,
		"in random order a block of a %s file takes %.3g times as long "
		"as in sequence (%s)",
		text_chars(&what), ratio, reading_caches[args->cache]);
	if (a.summary.has_interval && b.summary.has_interval &&
		b.summary.interval.low > 0)
		finding_interval(finding,
			a.summary.interval.low / b.summary.interval.high,
			a.summary.interval.high / b.summary.interval.low);
	text_free(&what);
}

/* True if no larger file was read in the same way. */
static bool is_largest(const struct results *results, const struct point *point)
{
	const struct reading_args *args = point->args;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct reading_args *other = results->points[i].args;

		if (other && other->size_bytes > args->size_bytes &&
			other->order == args->order &&
			other->cache == args->cache &&
			other->block_bytes == args->block_bytes &&
			!strcmp(other->where, args->where))
			return false;
	}
	return true;
}

/* ---- where throughput flattens ---------------------------------------- */

/* The smallest size that has nine tenths of the best throughput of all files
 * read like the largest. */
static void find_flat(const struct results *results,
	const struct point *largest, struct findings *findings)
{
	const struct reading_args *args = largest->args;
	double best = 0, least = INFINITY;
	size_t sizes = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < results->point_count; i++) {
			const struct point *point = &results->points[i];
			const struct reading_args *other = point->args;
			double rate;

			if (!other || other->order != args->order ||
				other->cache != args->cache ||
				other->block_bytes != args->block_bytes ||
				strcmp(other->where, args->where) != 0 ||
				!results_median(results, point, READING_RATE,
					&rate))
				continue;
			sizes += !pass;
			if (!pass)
				best = fmax(best, rate);
			else if (rate >= .9 * best)
				least = fmin(least, (double)other->size_bytes);
		}
	if (sizes < 3 || !isfinite(least))
		return;
	struct text size = { 0 }, most = { 0 };
	unit_write(&size, UNIT_BYTES, least);
	unit_show(&most, UNIT_BYTES_PER_S, best);
	finding_value(findings, "flat-from", least, UNIT_BYTES,
		"%s %s reads reach 90 %% of their best rate, %s, with files of "
		"%s and more",
		reading_caches[args->cache], reading_orders[args->order],
		text_chars(&most), text_chars(&size));
	text_free(&size);
	text_free(&most);
}

void reading_find(const struct results *results, struct findings *findings)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct reading_args *args = point->args;

		if (!args || !is_largest(results, point))
			continue;
		/* Without read-ahead, a random order is always flat. */
		if (args->order == FILE_SHUFFLED)
			find_ratio(results, point, findings);
		else
			find_flat(results, point, findings);
	}
}

/* ---- predictions ------------------------------------------------------ */

struct range reading_call_ns(struct basis *basis, double block,
	double guest)
{
	struct range call = basis_call_ns(basis);
	struct range copy = basis_copy_ns(basis, block);

	/* The source of the copy may be cached, and the kernel must look up the
	 * page in the page cache. */
	return (struct range){ call.low + 100 + copy.low / 2,
		(call.high + 700 + copy.high) * guest };
}

void reading_predict(const struct facts *facts, const struct reading_args *args,
	struct prediction *prediction)
{
	double guest = facts->hypervisor ? 2 : 1;
	double block = (double)args->block_bytes;
	struct basis basis = { .facts = facts };

	prediction->software = reading_call_ns(&basis, block, guest);
	if (args->cache == FILE_WARM) {
		prediction->hardware = (struct range){ 0, 0 };
		basis_say(&basis, prediction,
			"a system call and a copy of the block");
	} else if (args->cache == FILE_COLD && args->order == FILE_ASCENDING) {
		/* Large requests by read-ahead. */
		prediction->hardware = (struct range){ block / 4, block / .1 };
		prediction->software.high += 2000 * guest;
		basis_say(&basis, prediction,
			"read-ahead at 0.1 (disk) to 4 GB/s (flash); a system "
			"call and a copy");
	} else {
		struct range change = basis_switch_ns(&basis);

		prediction->hardware =
			(struct range){ 15e3 + block / 4, 10e6 + block / .1 };
		prediction->software.low += 2 * change.low;
		prediction->software.high += 26e3 * guest + 2 * change.high;
		basis_say(&basis, prediction,
			"one request, 15 us (flash) to 10 ms (disk), and the "
			"transfer; two switches and kernel work");
	}
	prediction_sum(prediction);
}
