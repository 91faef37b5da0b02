/* Where the connections of the Net screen come from. */
#include "net_source.h"

#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "memory.h"
#include "screen.h"

static bool find_file(const struct lab *lab, struct net_source *source)
{
	const struct annotation *annotation = &lab->annotation;

	if (!annotation->annotator)
		return false;
	*source = (struct net_source){
		.kind = NET_FILE,
		.serial = annotation->serial * 2,
		.name = annotation->path,
		.live = annotation->capture != NULL,
		.annotator = annotation->annotator,
		.log = annotation->log,
	};
	return true;
}

void net_find_source(struct screen *screen, struct net_sources *sources,
	struct net_source *source)
{
	(void)sources;
	*source = (struct net_source){ .kind = NET_NOTHING };
	find_file(screen->lab, source);
}

void net_sources_release(struct net_sources *sources)
{
	*sources = (struct net_sources){ .asked = false };
}

size_t net_connections(const struct net_source *source)
{
	return source->annotator ? annotator_count(source->annotator) : 0;
}

const struct connection *net_connection(const struct net_source *source,
	size_t i)
{
	return annotator_connection(source->annotator, i);
}

/* ---- packets of one connection ----------------------------------------- */

void net_packets_update(struct net_packets *packets,
	const struct net_source *source, uint64_t connection)
{
	size_t count = source->log ? packet_log_count(source->log) : 0;

	if (packets->serial != source->serial ||
		packets->connection != connection || packets->looked > count) {
		net_packets_release(packets);
		packets->serial = source->serial;
		packets->connection = connection;
	}
	for (; packets->looked < count; packets->looked++) {
		if (packet_log_at(source->log, packets->looked)->connection !=
			connection)
			continue;
		ARRAY_GROW(packets->at, packets->count);
		packets->at[packets->count++] = packets->looked;
	}
}

void net_packets_release(struct net_packets *packets)
{
	free(packets->at);
	*packets = (struct net_packets){ .count = 0 };
}
