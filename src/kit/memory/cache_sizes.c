/* Cache sizes, measured and reported by the kernel. */
#include "cache_sizes.h"

#include <string.h>

#include "facts.h"
#include "memory_level.h"
#include "text.h"

enum { LINE_BYTES = 64, L3 = CACHE_SIZES - 1 };

static enum memory_level level_of(int level)
{
	return (enum memory_level)(LEVEL_L1 + level);
}

const char *cache_size_name(int level)
{
	return memory_level_name(level_of(level));
}

static void take_finding(struct cache_sizes *sizes,
	const struct finding *finding, const char *experiment)
{
	for (int i = 0; i < CACHE_SIZES; i++) {
		if (!finding->has_value || !(finding->value > 0) ||
			finding->uncertain ||
			strcmp(finding->name, cache_size_name(i)) != 0)
			continue;
		sizes->bytes[i] = finding->value;
		sizes->found[i] = experiment;
	}
}

/* Between those of AMD Zen 2 to 5 and Intel Ice Lake to Granite Rapids. */
static const double usual[CACHE_SIZES] = { 32 << 10, 1 << 20, 32 << 20 };

/* Later runs have priority. */
void cache_sizes_of(const struct facts *facts, struct cache_sizes *sizes)
{
	*sizes = (struct cache_sizes){
		.bytes = { facts->l1d_bytes, facts->l2_bytes,
			facts->llc_bytes },
	};
	sizes->assumed = facts->l1d_bytes <= 0 && facts->l2_bytes <= 0 &&
		facts->llc_bytes <= 0;
	for (int i = 0; i < CACHE_SIZES && sizes->assumed; i++)
		sizes->bytes[i] = usual[i];
	for (size_t i = 0; i < facts->earlier_count; i++) {
		const struct results *results = facts->earlier[i];

		if (!provision_row(results->descriptor, QUANTITY_CACHE_SIZES))
			continue;
		for (size_t k = 0; k < results->findings.count; k++)
			take_finding(sizes, &results->findings.list[k],
				results->experiment);
	}
}

int cache_sizes_level(const struct cache_sizes *sizes, double bytes)
{
	int level = 0;

	while (level < CACHE_SIZES && bytes > sizes->bytes[level])
		level++;
	return level;
}

struct cache_load cache_sizes_load(const struct facts *facts,
	const struct cache_sizes *sizes, double bytes)
{
	static const struct range cycles[CACHE_SIZES] = { { 3, 5 }, { 11, 17 },
		{ 35, 110 } };
	static const struct range memory_ns = { 80, 160 };
	int level = cache_sizes_level(sizes, bytes);
	struct cache_load load = { memory_ns, memory_level_name(LEVEL_MEMORY),
		level };

	if (level == CACHE_SIZES)
		return load;
	load.from = cache_size_name(level);
	load.ns.low = facts_cycles_ns(facts, cycles[level].low);
	load.ns.high = facts_cycles_ns(facts, cycles[level].high);
	if (level == L3 && facts->hypervisor && !sizes->found[L3] &&
		bytes > usual[L3]) {
		load.from = "L3 or memory";
		load.ns.high = memory_ns.high;
	}
	return load;
}

void cache_sizes_say(const struct cache_sizes *sizes, int level,
	struct text *text)
{
	if (level == CACHE_SIZES)
		level--;
	if (sizes->found[level])
		text_add(text, "by %s, this session", sizes->found[level]);
	else
		text_add(text, sizes->assumed ?
				"assumed, the kernel reports none" :
				"by the kernel");
}

/* The value in bytes of a point's parameter; 0 if it has none. */
static double bytes_of(const struct results *results, const struct point *point,
	const char *param)
{
	const char *typed = point_value(results, point, param);
	struct error error;
	double bytes;

	return typed &&
			!unit_parse(UNIT_BYTES, typed, strlen(typed), &bytes,
				&error) ?
		bytes :
		0;
}

/* Only arrays with strides up to a line: wider strides use only part of an
 * array, which the note takes into account. */
static bool is_misnamed(const struct results *results,
	const struct point *point, const struct cache_sizes *sizes, int level)
{
	enum memory_level named = level_of(level);
	bool is_last = level + 1 == CACHE_SIZES;
	struct serving serving;

	if (!point_serving(point, &serving) ||
		(serving.level != named && serving.also != named &&
			!(is_last && point_served_by(point, LEVEL_LAST))))
		return false;
	return sizes->found[level] &&
		bytes_of(results, point, "stride") <= LINE_BYTES &&
		bytes_of(results, point, "size") > 1.25 * sizes->bytes[level];
}

void cache_sizes_tell(const struct results *results, const struct facts *facts,
	struct findings *findings)
{
	const double kernel[CACHE_SIZES] = { facts->l1d_bytes, facts->l2_bytes,
		facts->llc_bytes };
	struct cache_sizes sizes;

	cache_sizes_of(facts, &sizes);
	for (int level = 0; level < CACHE_SIZES; level++) {
		struct text found = { 0 }, says = { 0 };
		size_t count = 0;

		for (size_t i = 0; i < results->point_count; i++)
			count += is_misnamed(results, &results->points[i],
				&sizes, level);
		unit_show(&found, UNIT_BYTES, sizes.bytes[level]);
		unit_show(&says, UNIT_BYTES, kernel[level]);
		if (count && kernel[level] > 1.25 * sizes.bytes[level])
			finding_add(findings, "levels",
				"%s, this session, found %s of %s, "
				"not the kernel's %s: larger arrays labelled "
				"%s were partly served from beyond it",
				sizes.found[level], text_chars(&found),
				cache_size_name(level), text_chars(&says),
				cache_size_name(level));
		text_free(&found);
		text_free(&says);
	}
}
