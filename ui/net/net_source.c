/* Finds the source of the connections on the Net screen. */
#include "net_source.h"

#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "memory.h"
#include "packets.h"
#include "screen.h"

/* About 20 ms: keys wait no longer than this during a run. */
enum { PACKETS_PER_LOOK = 20000 };

/* ---- a file --------------------------------------------------------- */

static bool find_file(const struct lab *lab, struct net_source *source)
{
	const struct capture_file *opened = &lab->capture_file;

	if (!opened->annotator)
		return false;
	*source = (struct net_source){
		.kind = NET_FILE,
		/* Serials of files are odd, serials of runs even. */
		.serial = opened->serial * 2 + 1,
		.name = opened->path,
		.live = opened->reading,
		.annotator = opened->annotator,
		.log = opened->log,
		.only = opened->only,
	};
	return true;
}

/* ---- the packets of a run ------------------------------------------- */

static void drop_packets(struct net_sources *sources)
{
	if (sources->reader)
		packets_unfollow(sources->reader);
	annotator_free(sources->annotator);
	packet_log_free(sources->log);
	sources->reader = NULL;
	sources->annotator = NULL;
	sources->log = NULL;
}

static void follow(struct net_sources *sources, int fd, unsigned run)
{
	struct annotator_options options = { 0 };

	drop_packets(sources);
	sources->run = run;
	sources->serial = 2 * ++sources->count;
	sources->reader = packets_follow(fd);
	options.tcpinfo = packets_tcpinfo(sources->reader);
	sources->log = packet_log_new(PACKET_LOG_MAX);
	packet_log_watch(sources->log, &options);
	sources->annotator = annotator_new(&options);
}

static void take_packets(struct net_sources *sources, bool live)
{
	struct packet_record record;

	for (int i = 0; (!live || i < PACKETS_PER_LOOK) &&
		packets_next(sources->reader, &record);
		i++)
		annotator_add(sources->annotator, &record);
}

/* The reason why a run has no packets: from its points, or because nothing was
 * measured. NULL: it has packets, or no capture was requested. */
static const char *why_none(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const char *why = point_capture_off(point);

		if (point->state == POINT_UNAVAILABLE &&
			results->plan.traits & TRAIT_CAPTURE)
			return point->why;
		if (why)
			return why;
	}
	return NULL;
}

static bool find_packets(const struct lab *lab, struct net_sources *sources,
	struct net_source *source)
{
	bool live = lab->run && run_packets(lab->run) >= 0;
	unsigned run;
	int fd = lab_packets(lab, &run);

	if (fd < 0) {
		drop_packets(sources);
		return false;
	}
	if (!sources->reader || sources->run != run)
		follow(sources, fd, run);
	take_packets(sources, live);
	const struct packets_state *state = packets_state(sources->reader);
	*source = (struct net_source){
		.kind = NET_RUN,
		.serial = sources->serial,
		.name = live ? run_results(lab->run)->experiment : NULL,
		.live = live,
		.annotator = sources->annotator,
		.log = sources->log,
		.tcpinfo = packets_tcpinfo(sources->reader),
		.dropped = state->counts.dropped,
		.why = *state->why ? state->why : NULL,
	};
	if (live && why_none(run_results(lab->run)))
		source->why = why_none(run_results(lab->run));
	return live || annotator_count(sources->annotator);
}

/* The last run was to be captured, but has no packets. */
static bool find_refused(const struct session *session,
	struct net_source *source)
{
	const struct results *last = session->run_count ?
		session->runs[session->run_count - 1] :
		NULL;
	const char *why = last && !last->annotation ? why_none(last) : NULL;

	if (!why)
		return false;
	*source = (struct net_source){
		.kind = NET_RUN,
		.name = last->experiment,
		.results = last,
		.why = why,
	};
	return true;
}

/* ---- connections stored in results ---------------------------------- */

/* The last results with connections: of the selected experiment, or of any. */
static const struct results *find_results(const struct screen *screen,
	bool selected)
{
	const struct session *session = screen->lab->session;
	const char *name = screen_descriptor(screen)->name;

	for (size_t i = session->run_count; i-- > 0;)
		if (session->runs[i]->annotation &&
			(!selected ||
				!strcmp(session->runs[i]->experiment, name)))
			return session->runs[i];
	return NULL;
}

static void find_stored(struct net_sources *sources,
	const struct results *results, struct net_source *source)
{
	if (sources->results != results) {
		stored_connections_free(&sources->stored);
		stored_connections_read(results->annotation, &sources->stored);
		sources->results = results;
		sources->stored_serial = 2 * ++sources->count;
	}
	*source = (struct net_source){
		.kind = NET_RUN,
		.serial = sources->stored_serial,
		.name = results->experiment,
		.stored = &sources->stored,
		.tcpinfo = &sources->stored.tcpinfo,
		.results = results,
	};
}

/* Finds the run to show: its packets if they still exist, else its stored
 * connections. */
static bool find_run(struct screen *screen, struct net_sources *sources,
	struct net_source *source)
{
	const struct results *last = find_results(screen, false);
	const struct results *wanted = find_results(screen, true);
	struct net_source packets = { .tcpinfo = NULL };
	bool any = find_packets(screen->lab, sources, &packets);

	if (!(any && packets.live) &&
		find_refused(screen->lab->session, source)) {
		/* Samples from the kernel exist even without a capture. */
		source->tcpinfo = packets.tcpinfo;
		return true;
	}
	if (any && (packets.live || !wanted || wanted == last)) {
		*source = packets;
		source->results = packets.live ? NULL : last;
		if (!source->name)
			source->name = last ? last->experiment : "";
		return true;
	}
	wanted = wanted ? wanted : last;
	if (!wanted)
		return false;
	find_stored(sources, wanted, source);
	return true;
}

void net_find_source(struct screen *screen, struct net_sources *sources,
	struct net_source *source)
{
	const struct lab *lab = screen->lab;
	const struct results *last = find_results(screen, false);
	size_t runs = lab->session->run_count;
	struct net_source file, run = { .why = NULL };
	bool has_file = find_file(lab, &file);
	bool has_run = find_run(screen, sources, &run);
	bool newer = runs > lab->capture_file.after_runs &&
		(run.why || (last && lab->session->runs[runs - 1] == last));

	*source = (struct net_source){ .kind = NET_NOTHING };
	if (has_file && has_run)
		*source = (run.live || newer) != sources->other ? run : file;
	else if (has_file)
		*source = file;
	else if (has_run)
		*source = run;
}

void net_sources_forget(struct net_sources *sources)
{
	stored_connections_free(&sources->stored);
	sources->results = NULL;
}

void net_sources_release(struct net_sources *sources)
{
	net_sources_forget(sources);
	drop_packets(sources);
}

/* ---- connections ---------------------------------------------------- */

size_t net_connections(const struct net_source *source)
{
	if (source->annotator)
		return annotator_count(source->annotator);
	return source->stored ? source->stored->count : 0;
}

size_t net_connection_numbered(const struct net_source *source, uint64_t number)
{
	size_t found = 0;
	uint64_t best = 0;

	for (size_t i = 0; i < net_connections(source); i++) {
		uint64_t of = net_connection(source, i)->number;

		if (of > number || of <= best)
			continue;
		found = i;
		best = of;
	}
	return found;
}

int net_number_columns(const struct net_source *source)
{
	int columns = 5;
	/* Of those that were forgotten too. */
	uint64_t last = source->annotator ?
		annotator_facts(source->annotator)->connections :
		net_connections(source);

	for (uint64_t most = 99999; last > most; most = most * 10 + 9)
		columns++;
	return columns;
}

const struct connection *net_connection(const struct net_source *source,
	size_t i)
{
	return source->annotator ? annotator_connection(source->annotator, i) :
				   &source->stored->list[i];
}

bool net_packets_update(struct net_packets *packets,
	const struct net_source *source, uint64_t connection)
{
	size_t count = source->log ? packet_log_count(source->log) : 0;
	unsigned version = source->log ? packet_log_version(source->log) : 0;
	bool moved = packets->version != version ||
		packets->connection != connection || packets->looked > count;

	if (moved) {
		net_packets_release(packets);
		packets->version = version;
		packets->connection = connection;
	}
	for (; packets->looked < count; packets->looked++) {
		if (packet_log_at(source->log, packets->looked)->connection !=
			connection)
			continue;
		/* After a release it is NULL. NOLINTNEXTLINE(*-unix.Malloc) */
		ARRAY_GROW(packets->at, packets->count);
		packets->at[packets->count++] = packets->looked;
	}
	return moved;
}

void net_packets_release(struct net_packets *packets)
{
	free(packets->at);
	*packets = (struct net_packets){ .count = 0 };
}
