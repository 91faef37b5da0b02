/* Reports of the kernel about connections. */
#include "tcpinfo_log.h"

#include <string.h>

/* The socket is sampled a moment before its first and after its last packet. */
enum { BESIDE_NS = 500 * 1000 * 1000 };

void tcpinfo_init(struct tcpinfo_log *tcpinfo)
{
	column_init(&tcpinfo->paths, sizeof(struct tcpinfo_path));
	column_init(&tcpinfo->samples, sizeof(struct tcpinfo_sample));
	tcpinfo->left_out = 0;
}

void tcpinfo_release(struct tcpinfo_log *tcpinfo)
{
	column_release(&tcpinfo->paths);
	column_release(&tcpinfo->samples);
}

void tcpinfo_add_path(struct tcpinfo_log *tcpinfo,
	const struct tcpinfo_path *path)
{
	if (tcpinfo->paths.count >= TCPINFO_PATHS_MAX)
		tcpinfo->left_out++;
	else
		*(struct tcpinfo_path *)column_add(&tcpinfo->paths) = *path;
}

void tcpinfo_add_sample(struct tcpinfo_log *tcpinfo,
	const struct tcpinfo_sample *sample)
{
	if (tcpinfo->samples.count >= TCPINFO_SAMPLES_MAX)
		tcpinfo->left_out++;
	else
		*(struct tcpinfo_sample *)column_add(
			&tcpinfo->samples) = *sample;
}

static bool is_during(const struct connection *connection, int64_t t_ns)
{
	return t_ns >= connection->first_ns - BESIDE_NS &&
		t_ns <= connection->last_ns + BESIDE_NS;
}

/* Checks both ends, because the client may be guessed. */
static bool has_port(const struct connection *connection, uint16_t port)
{
	return connection->end[0].port == port ||
		connection->end[1].port == port;
}

const struct tcpinfo_path *tcpinfo_path_of(const struct tcpinfo_log *tcpinfo,
	const struct connection *connection)
{
	const struct tcpinfo_path *paths = tcpinfo->paths.data;

	for (size_t i = tcpinfo->paths.count; i-- > 0;)
		if (has_port(connection, paths[i].port) &&
			is_during(connection, paths[i].t_ns))
			return &paths[i];
	return NULL;
}

bool tcpinfo_is_paced(const struct tcpinfo_log *tcpinfo,
	const struct connection *connection)
{
	const struct tcpinfo_path *path = tcpinfo_path_of(tcpinfo, connection);

	return path && !strncmp(path->congestion, "bbr", 3);
}

const struct tcpinfo_sample *tcpinfo_next(const struct tcpinfo_log *tcpinfo,
	const struct connection *connection, size_t *i)
{
	const struct tcpinfo_sample *samples = tcpinfo->samples.data;

	while (*i < tcpinfo->samples.count) {
		const struct tcpinfo_sample *sample = &samples[(*i)++];

		if (has_port(connection, sample->port) &&
			is_during(connection, sample->t_ns))
			return sample;
	}
	return NULL;
}
