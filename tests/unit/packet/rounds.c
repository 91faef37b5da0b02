/* Paths whose rounds are checked. */
#include "rounds.h"

#include <stdlib.h>

struct path *path_new(void)
{
	struct path *path = calloc(1, sizeof *path);

	assert_non_null(path);
	*path = (struct path){
		.rtt_ms = 40,
		.initial = 10,
		.threshold = 1 << 20,
		.total = 600,
		.timestamps = true,
		.drop = -1,
	};
	return path;
}

void path_free(struct path *path)
{
	path_end(path);
	free(path);
}

void assert_rounds(const struct talk *talk, const int *segments, size_t count)
{
	const struct rounds *rounds = &path_sender(talk)->rounds;

	assert_true(rounds->count >= count);
	for (size_t i = 0; i < count; i++)
		if (rounds->at[i].segments != (uint64_t)segments[i])
			fail_msg("round %zu: %llu segments, expected %d", i + 1,
				(unsigned long long)rounds->at[i].segments,
				segments[i]);
}

void assert_initial(const struct talk *talk, enum initial_window_state state,
	int segments)
{
	struct initial_window window =
		side_initial_window(talk_connection(talk), CLIENT);

	if (window.state != state || window.segments != (uint64_t)segments)
		fail_msg("initial window %s, %llu segments; expected %s, %d",
			initial_window_name(window.state),
			(unsigned long long)window.segments,
			initial_window_name(state), segments);
}
