/* What does the network add to a file? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "basis.h"
#include "digest.h"
#include "file_host.h"
#include "file_reading.h"
#include "probe.h"
#include "results.h"
#include "text.h"

static const struct param params[] = {
	{ .name = "path",
		.label = "path",
		.help = "required: a folder on a mounted remote file system, "
			"or nfs://server/export/ (by libnfs, without mount, "
			"root or local cache)",
		.preset = "none",
		TEXT_FIELD(struct reading_args, where) },
	READING_ROWS,
	{ .name = NULL },
};

static int check(const void *context, struct error *error)
{
	const struct reading_args *args = context;

	if (strcmp(args->where, "none") != 0)
		return 0;
	return error_set(error, STATUS_USAGE,
		"path is required: expected a folder on a mounted remote file "
		"system or nfs://server/export/");
}

static int setup(struct probe *probe)
{
	return reading_setup(probe, true);
}

/* ---- comparison with the local disk ----------------------------------- */

/* A local point with the same caching, or else with direct reads, which is what
 * a client without a cache does. *cache becomes its kind of caching. */
static bool find_local(const struct facts *facts,
	const struct reading_args *args, struct digest *local, int *cache)
{
	struct reading_args other = *args;
	bool found = false;

	for (int try = 0; try < 2 && !found; try++) {
		struct text where = { 0 };

		*cache = other.cache;
		reading_describe(&other, &where);
		found = facts_digest(facts, QUANTITY_FILE_READ,
			text_chars(&where), local);
		text_free(&where);
		other.cache =
			args->cache == FILE_COLD ? FILE_DIRECT : FILE_COLD;
	}
	return found && local->summary.median > 0;
}

static struct range range_of(const struct digest *digest)
{
	const struct summary *summary = &digest->summary;

	return summary->has_interval ? (struct range){ summary->interval.low,
		summary->interval.high } :
				       (struct range){ NAN, NAN };
}

/* What the network adds, as a difference and as a ratio, with intervals that
 * include those of both figures. */
static void find_penalty(const struct results *results,
	const struct point *point, const struct digest *local,
	const struct digest *remote, int cache, struct findings *findings)
{
	const struct reading_args *args = point->args;
	double here = local->summary.median, there = remote->summary.median;
	struct range l = range_of(local), r = range_of(remote);
	struct text where = { 0 }, more = { 0 };

	finding_interval(finding_cell(findings, results, point, "added",
				 there - here, UNIT_NS),
		r.low - l.high, r.high - l.low);
	reading_describe(args, &where);
	unit_show(&more, UNIT_NS, there - here);
	struct finding *finding = finding_value(findings, "remote/local",
		there / here, UNIT_NONE,
		"a block takes %.3g times as long over the network as from the "
		"local disk%s, %s more (%s)",
		there / here,
		cache == args->cache       ? "" :
			cache == FILE_COLD ? " (cold)" :
					     " (direct)",
		text_chars(&more), text_chars(&where));
	finding_at(finding, results, point);
	finding_interval(finding, r.low / l.high, r.high / l.low);
	text_free(&where);
	text_free(&more);
}

/* A row of the table: local and remote, and the penalty if both are known. */
static void find_row(const struct results *results, const struct point *point,
	const struct facts *facts, struct findings *findings)
{
	struct digest local, remote;
	int cache;

	if (!point->args || !digest_of(results, point, READING_TIME, &remote) ||
		!remote.summary.trials)
		return;
	bool known = find_local(facts, point->args, &local, &cache);
	finding_cell(findings, results, point, "local",
		known ? local.summary.median : NAN, UNIT_NS);
	finding_cell(findings, results, point, "remote", remote.summary.median,
		UNIT_NS);
	if (known)
		find_penalty(results, point, &local, &remote, cache, findings);
}

static bool any_local(const struct results *results, const struct facts *facts)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct reading_args *args = results->points[i].args;
		struct digest local;
		int cache;

		if (args && find_local(facts, args, &local, &cache))
			return true;
	}
	return false;
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	if (!any_local(results, facts))
		finding_add(findings, "remote/local",
			"to compare with the local disk, run fs.read first "
			"with the same size, order and block");
	else
		for (size_t i = 0; i < results->point_count; i++)
			find_row(results, &results->points[i], facts, findings);
	reading_find(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct reading_args *args = context;
	double guest = facts->hypervisor ? 2 : 1;
	struct range trip = { 30e3, 10e6 };
	struct file_host host;
	struct digest local;
	int cache;
	struct basis basis = { .facts = facts };

	reading_predict(facts, args, prediction);
	if (args->cache == FILE_WARM)
		return;
	bool named = file_host(&host, args->where, "");
	bool timed = named && file_host_round_trip(&host, &basis, &trip);
	bool known = find_local(facts, args, &local, &cache);
	if (known && local.summary.has_interval)
		prediction->hardware = range_of(&local);
	else if (known)
		prediction->hardware = (struct range){ local.summary.median,
			local.summary.median };
	/* One request and reply per block, unless read ahead; plus the time of
	 * the server and both kernels. */
	if (args->order == FILE_SHUFFLED || file_nfs_is_url(args->where))
		prediction->hardware.low += trip.low;
	prediction->hardware.high += trip.high;
	prediction->software.low += 10e3;
	prediction->software.high += 200e3 * guest;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"local read%s, round trip %.*g to %.*g ms%s, server and "
		"kernels 10 to %.0f us",
		known ? " (fs.read, this session)" : "",
		text_digits(trip.low / 1e6), trip.low / 1e6,
		text_digits(trip.high / 1e6), trip.high / 1e6,
		timed         ? " (net.rtt to the same host)" :
			named ? " (assumed: no net.rtt to this host yet)" :
				" (assumed: unknown host)",
		200 * guest);
}

const struct experiment probe_fs_remote = {
	.name = "fs.remote",
	.title = "Reading a remote file",
	.question = "What does the network add to a file?",
	.method =
		"The same measurement as fs.read, with a file on another "
		"machine. The file is on a mounted remote file system, whose "
		"type statfs reports, or on an NFS server accessed through "
		"libnfs. Cold refers to the cache of this machine, which is "
		"checked. The server most likely has the file in its memory "
		"after writing it, so the cost of the network dominates. With "
		"nfs:// this machine keeps no cache, so cold and direct are "
		"the same. In the first launch the whole file is compared with "
		"the data written. If the server stops answering, the run ends "
		"within seconds and keeps its trials.",
	.params = params,
	READING_DESCRIPTOR,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_DISK,
	.check = check,
	.setup = setup,
	.findings = findings_of,
	.predict = predict,
};
