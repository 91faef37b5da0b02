/* The capture helper in the namespace of a link's side. */
#include "capture_link.h"

/* The name in link_device.c. */
static const char device[] = "link";

struct place {
	struct link *link;
	enum link_side side;
};

static pid_t spawn_there(void *context, const char *const *argv, const int *fds,
	struct error *error)
{
	const struct place *place = context;
	const struct link_program program = {
		.argv = argv,
		.fds = fds,
		.fd_count = 3,
	};

	return link_spawn(place->link, place->side, &program, error);
}

struct capture *capture_open_link(struct link *link, enum link_side side,
	const struct capture_ask *wanted, struct error *error)
{
	struct capture_ask ask = *wanted;
	struct place place = { link, side };

	ask.file = NULL;
	ask.interface = device;
	ask.spawn = spawn_there;
	ask.context = &place;
	return capture_open(&ask, error);
}
