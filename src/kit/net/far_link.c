/* The far end of an emulated path. */
#include <string.h>

#include "far.h"
#include "link.h"

/* One path per worker: created when first needed, reconfigured from point to
 * point, and closed with the worker. */
static struct link *path;

static int unavailable(struct probe *probe, const struct error *error)
{
	return probe_unavailable(probe, "%s", error->message);
}

int far_link_open(struct far *far, struct probe *probe,
	const struct network *network)
{
	struct link_settings settings = link_settings_of(&network->link);
	struct error error;

	/* Each launch loses other packets, but the same for the same run
	 * seed. */
	settings.seed = probe_random(probe);
	int failed = path ? link_configure(path, &settings, &error) :
			    link_open(&settings, &path, &error);
	far->link = path;
	if (failed)
		return far_link_ended(far, LINK_GONE_MS) ?
			probe_lost(probe, LINK_GONE) :
			unavailable(probe, &error);
	if (!link_address(path, LINK_FAR, AF_INET, &far->address))
		return probe_unavailable(probe, "the link has no IPv4");
	far->round_trip_ns = (double)network->link.rtt_ns;
	far->patience_ns += (uint64_t)network->link.rtt_ns * 10;
	return 0;
}

bool far_link_ended(const struct far *far, int wait_ms)
{
	return far->link && link_ended(far->link, wait_ms);
}

int far_link_spawn(struct far *far, struct probe *probe, int fd,
	int (*body)(void *context), void *context)
{
	struct link_program program = {
		.body = body,
		.context = context,
		.fds = &fd,
		.fd_count = 1,
	};
	struct error error;

	far->party = (struct party){ .thread = false };
	far->party.pid = link_spawn(far->link, LINK_FAR, &program, &error);
	return far->party.pid < 0 ? unavailable(probe, &error) : 0;
}

int far_link_socket(struct far *far, struct probe *probe, int type,
	int protocol)
{
	struct error error;
	int fd = link_socket(far->link, LINK_NEAR, AF_INET, type | SOCK_CLOEXEC,
		protocol, &error);

	if (fd < 0)
		probe_fail(probe, "%s", error.message);
	return fd;
}
