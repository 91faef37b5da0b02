/* Samples of the sender's kernel for the connection shown, and the
 * bandwidth-delay product of its path. */
#include "view_net.h"

const struct tcpinfo_path *net_told(const struct net_scene *scene)
{
	return scene->source.tcpinfo ?
		tcpinfo_path_of(scene->source.tcpinfo, scene->connection) :
		NULL;
}

const struct tcpinfo_sample *net_sample(const struct net_scene *scene,
	size_t *i)
{
	return scene->source.tcpinfo ?
		tcpinfo_next(scene->source.tcpinfo, scene->connection, i) :
		NULL;
}

const struct tcpinfo_sample *net_sample_at(const struct net_scene *scene,
	int64_t t_ns)
{
	const struct tcpinfo_sample *sample;

	for (size_t i = 0; (sample = net_sample(scene, &i));)
		if (sample->t_ns >= t_ns)
			return sample;
	return NULL;
}

uint32_t net_segment_bytes(const struct net_scene *scene)
{
	enum { WHOLE_MOST = 9000 }; /* larger: several segments in one */
	const struct side *side = net_sending(scene);

	if (side->mss_bytes || side->largest_bytes > WHOLE_MOST)
		return side->mss_bytes;
	return (uint32_t)side->largest_bytes;
}

/* Size in bytes of a full packet on the path, including IP and TCP headers. */
static double packet_bytes(const struct net_scene *scene)
{
	const struct connection *connection = scene->connection;
	unsigned headers = connection->end[0].version == 6 ? 60 : 40;
	const struct side *side = connection->side;
	unsigned stamps =
		side[0].has_timestamps && side[1].has_timestamps ? 12 : 0;

	/* A session stores the offers of both sides. */
	if (side[0].offer.options.present & side[1].offer.options.present &
		OPTION_TIMESTAMPS)
		stamps = 12;
	return net_segment_bytes(scene) + headers + stamps;
}

void net_find_product(const struct net_scene *scene,
	struct net_product *product)
{
	const struct tcpinfo_path *path = net_told(scene);
	const struct side *side = net_sending(scene);

	*product = (struct net_product){ .told = false };
	if (!net_segment_bytes(scene))
		return;
	if (path && path->rate_bit_s > 0 && path->rtt_ns > 0) {
		double each = packet_bytes(scene);

		product->told = true;
		product->rate_bit_s = (double)path->rate_bit_s;
		product->rtt_ns = path->rtt_ns;
		product->segments = product->rate_bit_s / 8 *
			(double)path->rtt_ns / 1e9 / each;
		product->queue_segments = (double)path->queue_bytes / each;
		return;
	}
	double bytes_s = net_rate_most(scene->connection, scene->sender);
	if (!(bytes_s > 0) || side->rtt.least_ns == UNKNOWN_NS)
		return;
	double segments = bytes_s * (double)side->rtt.least_ns / 1e9 /
		net_segment_bytes(scene);
	/* Less than a segment reflects the application, not the path. */
	if (segments < 1)
		return;
	product->rate_bit_s = bytes_s * 8;
	product->rtt_ns = side->rtt.least_ns;
	product->segments = segments;
}
