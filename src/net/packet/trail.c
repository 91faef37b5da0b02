/* What the kernel said of connections. */
#include "trail.h"

/* The socket is asked a moment before its first and after its last packet. */
enum { BESIDE_NS = 500 * 1000 * 1000 };

void trail_init(struct trail *trail)
{
	column_init(&trail->paths, sizeof(struct trail_path));
	column_init(&trail->samples, sizeof(struct trail_sample));
	trail->left_out = 0;
}

void trail_release(struct trail *trail)
{
	column_release(&trail->paths);
	column_release(&trail->samples);
}

void trail_add_path(struct trail *trail, const struct trail_path *path)
{
	if (trail->paths.count >= TRAIL_PATHS_MAX)
		trail->left_out++;
	else
		*(struct trail_path *)column_add(&trail->paths) = *path;
}

void trail_add_sample(struct trail *trail, const struct trail_sample *sample)
{
	if (trail->samples.count >= TRAIL_SAMPLES_MAX)
		trail->left_out++;
	else
		*(struct trail_sample *)column_add(&trail->samples) = *sample;
}

static bool is_during(const struct connection *connection, int64_t t_ns)
{
	return t_ns >= connection->first_ns - BESIDE_NS &&
		t_ns <= connection->last_ns + BESIDE_NS;
}

/* Which end is the client may be a guess. */
static bool has_port(const struct connection *connection, uint16_t port)
{
	return connection->end[0].port == port ||
		connection->end[1].port == port;
}

const struct trail_path *trail_path_of(const struct trail *trail,
	const struct connection *connection)
{
	const struct trail_path *paths = trail->paths.data;

	for (size_t i = trail->paths.count; i-- > 0;)
		if (has_port(connection, paths[i].port) &&
			is_during(connection, paths[i].t_ns))
			return &paths[i];
	return NULL;
}

const struct trail_sample *trail_next(const struct trail *trail,
	const struct connection *connection, size_t *i)
{
	const struct trail_sample *samples = trail->samples.data;

	while (*i < trail->samples.count) {
		const struct trail_sample *sample = &samples[(*i)++];

		if (has_port(connection, sample->port) &&
			is_during(connection, sample->t_ns))
			return sample;
	}
	return NULL;
}
