/* Reports of the kernel about connections in JSON: writing and reading. */
#include "connections_kernel.h"

#include <stdio.h>
#include <string.h>

#include "connections_internal.h"

enum {
	/* per connection; the columns of a screen */
	SAMPLES_KEPT = 256,
};

/* A column of the samples; 0 means unknown. */
enum column_name { TIME, WINDOW, THRESHOLD, IN_FLIGHT, RTT, RESENT, COLUMNS };

static const char *const names[COLUMNS] = { "t_ns", "window_bytes",
	"threshold_bytes", "in_flight_bytes", "rtt_ns", "resent" };

static int64_t value_of(const struct tcpinfo_sample *sample, int column,
	int64_t first_ns)
{
	const int64_t values[COLUMNS] = { sample->t_ns - first_ns,
		sample->window_bytes, sample->threshold_bytes,
		sample->in_flight_bytes, sample->rtt_ns, sample->resent };

	return values[column];
}

/* ---- writing ------------------------------------------------------------ */

static size_t count_samples(const struct tcpinfo_log *tcpinfo,
	const struct connection *connection)
{
	size_t count = 0;

	for (size_t i = 0; tcpinfo_next(tcpinfo, connection, &i);)
		count++;
	return count;
}

static void add_number(cJSON *to, const char *name, int64_t value)
{
	connections_add_ns(to, name, value ? value : UNKNOWN_NS);
}

/* Keeps the sample with the largest window of every N, because peaks matter,
 * and the last sample. */
static void add_samples(cJSON *to, const struct tcpinfo_log *tcpinfo,
	const struct connection *connection, size_t count)
{
	size_t step = (count + SAMPLES_KEPT - 1) / SAMPLES_KEPT, seen = 0;
	const struct tcpinfo_sample *sample, *most = NULL;
	cJSON *all = json_add_object(to, "samples");
	cJSON *columns[COLUMNS];

	for (int k = 0; k < COLUMNS; k++)
		columns[k] = json_add_array(all, names[k]);
	for (size_t i = 0; (sample = tcpinfo_next(tcpinfo, connection, &i));) {
		bool last = ++seen == count;

		if (!most || last || sample->window_bytes > most->window_bytes)
			most = sample;
		if (seen % step && !last)
			continue;
		for (int k = 0; k < COLUMNS; k++) {
			int64_t value = value_of(most, k, connection->first_ns);

			if (k == THRESHOLD)
				add_number(columns[k], NULL, value);
			else
				json_add_signed(columns[k], NULL, value);
		}
		most = NULL;
	}
}

/* The kernel's total of retransmissions, compared with the packets; null if the
 * capture began after the connection. Retransmissions after the last sample are
 * those of a FIN. */
static void add_check(cJSON *to, const struct tcpinfo_log *tcpinfo,
	const struct connection *connection)
{
	enum { SYN_SEEN = 1 };
	const struct tcpinfo_sample *sample, *last = NULL;

	for (size_t i = 0; (sample = tcpinfo_next(tcpinfo, connection, &i));)
		last = sample;
	if (!last || !(connection->seen & SYN_SEEN)) {
		json_add_null(to, "tcp_info_check");
		return;
	}
	const struct side *side =
		&connection->side[connection->end[connection->client].port ==
					last->port ?
				connection->client :
				!connection->client];
	uint64_t seen =
		side->retransmitted_segments - side->fin_retransmissions;
	cJSON *check = json_add_object(to, "tcp_info_check");
	json_add_whole(check, "retrans_kernel", last->resent);
	json_add_whole(check, "retrans_capture", seen);
	json_add_bool(check, "agree", seen == last->resent);
}

cJSON *connection_kernel_json(const struct tcpinfo_log *tcpinfo,
	const struct connection *connection)
{
	static const struct tcpinfo_path unknown;
	const struct tcpinfo_path *path = tcpinfo_path_of(tcpinfo, connection);
	size_t count = count_samples(tcpinfo, connection);

	if (!path && !count)
		return NULL;
	path = path ? path : &unknown;
	cJSON *to = cJSON_CreateObject();
	json_add_whole(to, "connection", connection->number);
	if (*path->congestion)
		json_add_text(to, "congestion", path->congestion);
	else
		json_add_null(to, "congestion");
	add_number(to, "rate_bit_s", path->rate_bit_s);
	add_number(to, "rtt_ns", path->rtt_ns);
	add_number(to, "queue_bytes", path->queue_bytes);
	add_check(to, tcpinfo, connection);
	add_samples(to, tcpinfo, connection, count);
	return to;
}

/* ---- reading ------------------------------------------------------------ */

static int64_t number(const cJSON *item)
{
	double value = cJSON_IsNumber(item) ? item->valuedouble : 0;

	return value > -JSON_WHOLE_MAX && value < JSON_WHOLE_MAX ?
		(int64_t)value :
		0;
}

static const struct connection *find(const struct connection *list,
	size_t count, int64_t wanted)
{
	for (size_t i = 0; i < count; i++)
		if ((int64_t)list[i].number == wanted)
			return &list[i];
	return NULL;
}

static void read_samples(const cJSON *from, const struct connection *connection,
	struct tcpinfo_log *tcpinfo)
{
	const cJSON *at[COLUMNS];

	for (int k = 0; k < COLUMNS; k++) {
		const cJSON *list = json_find(from, names[k]);

		at[k] = cJSON_IsArray(list) ? list->child : NULL;
	}
	while (at[TIME]) {
		int64_t values[COLUMNS];
		struct tcpinfo_sample sample = {
			.port = connection->end[connection->client].port,
		};

		for (int k = 0; k < COLUMNS; k++) {
			values[k] = number(at[k]);
			at[k] = at[k] ? at[k]->next : NULL;
		}
		sample.t_ns = connection->first_ns + values[TIME];
		sample.window_bytes = values[WINDOW];
		sample.threshold_bytes = values[THRESHOLD];
		sample.in_flight_bytes = values[IN_FLIGHT];
		sample.rtt_ns = values[RTT];
		sample.resent = (uint32_t)values[RESENT];
		tcpinfo_add_sample(tcpinfo, &sample);
	}
}

static void read_one(const cJSON *item, const struct connection *connection,
	struct tcpinfo_log *tcpinfo)
{
	const cJSON *congestion = json_find(item, "congestion");
	struct tcpinfo_path path = {
		.t_ns = connection->first_ns,
		.port = connection->end[connection->client].port,
		.rate_bit_s = number(json_find(item, "rate_bit_s")),
		.rtt_ns = number(json_find(item, "rtt_ns")),
		.queue_bytes = number(json_find(item, "queue_bytes")),
	};
	struct text name = { 0 };

	if (cJSON_IsString(congestion))
		text_add_safe(&name, congestion->valuestring,
			strlen(congestion->valuestring));
	snprintf(path.congestion, sizeof path.congestion, "%s",
		text_chars(&name));
	text_free(&name);
	tcpinfo_add_path(tcpinfo, &path);
	if (cJSON_IsObject(json_find(item, "samples")))
		read_samples(json_find(item, "samples"), connection, tcpinfo);
}

void connections_read_kernel(const cJSON *list,
	const struct connection *connections, size_t count,
	struct tcpinfo_log *tcpinfo)
{
	const cJSON *item;
	size_t looked = 0;

	cJSON_ArrayForEach(item, list)
	{
		/* A lab writes one entry per connection. */
		if (looked++ == TCPINFO_PATHS_MAX)
			break;
		const struct connection *connection = cJSON_IsObject(item) ?
			find(connections, count,
				number(json_find(item, "connection"))) :
			NULL;

		if (connection)
			read_one(item, connection, tcpinfo);
	}
}
