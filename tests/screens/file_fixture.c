/* A lab with constant runs of file experiments. */
#include "file_fixture.h"

#include <stdlib.h>

struct contending_args {
	int64_t readers;
	int pattern;
};

static const char *const filed_patterns[] = { "sequential", "random",
	"sequential-mixed", "random-mixed", NULL };

static const struct param filed_reading[] = {
	READING_ROWS,
	{ .name = NULL },
};

static const struct param filed_filling[] = {
	{ .name = "limit",
		.label = "limit",
		.help = "of the memory",
		.preset = "512M",
		WHOLE_FIELD(struct filling_args, limit_bytes),
		.unit = UNIT_BYTES,
		.min = 64 << 20,
		.max = 0x1p45,
		.automatic = true,
		.word = "none" },
	{ .name = "size",
		.label = "file size",
		.help = "of the file",
		.preset = "64M",
		WHOLE_FIELD(struct filling_args, size_bytes),
		.unit = UNIT_BYTES,
		.min = 1 << 20,
		.max = 0x1p45 },
	{ .name = NULL },
};

static const struct param filed_contending[] = {
	{ .name = "readers",
		.label = "readers",
		.help = "all of them",
		.preset = "1..16",
		WHOLE_FIELD(struct contending_args, readers),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 16 },
	{ .name = "pattern",
		.label = "pattern",
		.help = "of reading",
		.preset = "sequential",
		CHOICE_FIELD(struct contending_args, pattern),
		.choices = filed_patterns },
	{ .name = NULL },
};

static const struct metric block_metrics[] = {
	{ .name = "time", .label = "time per block", .unit = UNIT_NS },
	{ .name = NULL },
};

#define FILED_EXPERIMENT(ID, NAME, TITLE, PARAMS, ARGS, METRICS) \
	static const struct experiment ID = { \
		.name = NAME, \
		.title = TITLE, \
		.question = "How does it change with files?", \
		.method = "A file is written, and read block by block, in " \
			  "an order, and timed as a whole.", \
		.params = PARAMS, \
		.args_size = sizeof(struct ARGS), \
		.metrics = METRICS, \
		.trial = fixture_trial, \
	}

FILED_EXPERIMENT(filed_cache, "fs.cache", "File cache", filed_filling,
	filling_args, block_metrics);

FILED_EXPERIMENT(filed_contention, "fs.contention", "Contention for files",
	filed_contending, contending_args, block_metrics);

FILED_EXPERIMENT(filed_read, "fs.read", "Reading a file", filed_reading,
	reading_args, reading_metrics);

FILED_EXPERIMENT(filed_remote, "fs.remote", "Reading a remote file",
	filed_reading, reading_args, reading_metrics);

static const struct experiment *const filed_list[] = { &filed_cache,
	&filed_contention, &filed_read, &filed_remote, NULL };

/* ---- points ----------------------------------------------------------- */

/* Adds a point for a file size, with times of `ns`. */
static struct point *filed_point(struct results *results, double bytes,
	const char *second, double ns)
{
	struct text size = { 0 };

	unit_write(&size, UNIT_BYTES, bytes);
	struct point *point = results_add_point(results);
	point->values[0] = xstrdup(size.chars);
	point->values[1] = xstrdup(second);
	for (size_t i = 2; i < results->param_count; i++)
		point->values[i] = xstrdup(i == 2 ? "cold" : "4K");
	text_free(&size);
	swept_fill(results, point, ns, 4);
	if (results->metric_count > READING_RATE) {
		point->series[READING_RATE].derived = true;
		point->series[READING_RATE].weight[READING_TIME] = 1. / 4096;
	}
	return point;
}

static struct reading_args *reading_of(double bytes, int order)
{
	struct reading_args *args = xcalloc(1, sizeof *args);

	*args = (struct reading_args){ "auto", (int64_t)bytes, 4096, order,
		FILE_COLD };
	return args;
}

/* Sequential reads become cheaper as read-ahead grows; every random read waits
 * for the disk. */
static double filed_ns(double bytes, int order)
{
	return order == FILE_SHUFFLED ? 82e3 + 1e3 * log2(bytes) :
					3e3 + 90e3 * 4096 / bytes;
}

static struct results *filed_reads(void)
{
	struct results *results = swept_results(&filed_read);

	for (int power = 12; power <= 26; power += 2)
		for (int order = 0; order < 2; order++) {
			double bytes = exp2(power);

			filed_point(results, bytes, reading_orders[order],
				filed_ns(bytes, order))
				->args = reading_of(bytes, order);
		}
	reading_find(results, &results->findings);
	return results;
}

/* ---- the cache -------------------------------------------------------- */

enum { FILED_LIMIT = 512 << 20 };

/* The share of reads that miss: if the file does not fit the cache, a part has
 * been evicted before the next read. */
static double filed_missed(double bytes)
{
	double over = bytes / FILED_LIMIT;

	return over <= 1 ? 0 : 1 - 1 / over;
}

static struct results *filed_caches(void)
{
	static const double parts[] = { .125, .25, .5, .875, 1, 1.0625, 1.125,
		1.25 };
	struct results *results = swept_results(&filed_cache);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		double bytes = parts[i] * FILED_LIMIT;
		struct filling_args *args = xcalloc(1, sizeof *args);
		struct point *point = filed_point(results, FILED_LIMIT, "",
			1300 + 64e3 * filed_missed(bytes));
		struct text size = { 0 };

		*args = (struct filling_args){ "auto", FILED_LIMIT,
			(int64_t)bytes, 4096, 0 };
		point->args = args;
		free(point->values[1]);
		unit_write(&size, UNIT_BYTES, bytes);
		point->values[1] = text_take(&size);
		point_add_note(point, "expected", "536870912");
	}
	filling_find(results, NULL, &results->findings);
	return results;
}

/* ---- co-runners ------------------------------------------------------- */

static struct results *filed_contentions(void)
{
	static const double alone[] = { 4e3, 85e3, 4.2e3, 88e3 },
			    each[] = { 2.5e3, 11e3, 6e3, 8e3 };
	struct results *results = swept_results(&filed_contention);

	for (int readers = 1; readers <= 16; readers++)
		for (int pattern = 0; pattern < 4; pattern++) {
			struct point *point = results_add_point(results);
			struct text count = { 0 };

			text_add(&count, "%d", readers);
			point->values[0] = text_take(&count);
			point->values[1] = xstrdup(filed_patterns[pattern]);
			swept_fill(results, point,
				alone[pattern] + each[pattern] * (readers - 1),
				4);
		}
	return results;
}

/* ---- the network ------------------------------------------------------ */

/* As fs.remote reports it; one size has no local run. */
static struct results *filed_remotes(void)
{
	struct results *results = swept_results(&filed_remote);

	for (int power = 16; power <= 22; power += 2)
		for (int order = 0; order < 2; order++) {
			double bytes = exp2(power);
			double here = filed_ns(bytes, order);
			double there = here + 210e3 + 1e3 * (power - 12);
			struct point *point = filed_point(results, bytes,
				reading_orders[order], there);
			struct findings *findings = &results->findings;

			finding_cell(findings, results, point, "local",
				power == 20 ? NAN : here, UNIT_NS);
			finding_cell(findings, results, point, "remote", there,
				UNIT_NS);
			if (power == 20)
				continue;
			finding_interval(finding_cell(findings, results, point,
						 "added", there - here,
						 UNIT_NS),
				.97 * (there - here), 1.04 * (there - here));
			finding_interval(finding_cell(findings, results, point,
						 "remote/local", there / here,
						 UNIT_NONE),
				.96 * there / here, 1.05 * there / here);
		}
	return results;
}

/* ---- the lab ---------------------------------------------------------- */

void filed_open(struct lab *lab, struct screen *screen)
{
	swept_open_list(lab, screen, filed_list);
	session_add_run(lab->session, filed_reads());
	session_add_run(lab->session, filed_caches());
	session_add_run(lab->session, filed_contentions());
	session_add_run(lab->session, filed_remotes());
}
