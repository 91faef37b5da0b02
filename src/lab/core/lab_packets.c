/* The packets of a run: kept for the screen, and annotated when the run
 * ends. */
#include <unistd.h>

#include "annotate.h"
#include "connections.h"
#include "lab.h"
#include "lab_internal.h"
#include "packets.h"

enum {
	/* Bytes of annotated connections in a session; the packets have all. It
	 * holds as many short connections, 3.5 KB each, as an annotator keeps.
	 * A connection with many events takes much more. All runs of a session
	 * must stay below the reader's limit, JSON_BYTES_MAX. */
	ANNOTATION_BYTES = 16 << 20,
};

int lab_packets(const struct lab *lab, unsigned *serial)
{
	bool going = lab->run && run_packets(lab->run) >= 0;

	*serial = lab->packets_serial + going;
	return going ? run_packets(lab->run) : lab->packets_fd;
}

void lab_drop_packets(struct lab *lab)
{
	if (lab->packets_fd >= 0)
		close(lab->packets_fd);
	lab->packets_fd = -1;
	lab->packets_serial++;
}

static void keep(const struct annotator *annotator,
	const struct capture_origin *origin, struct results *results)
{
	unsigned long long forgotten = annotator_facts(annotator)->forgotten;
	struct text text = { 0 };
	size_t left_out = connections_write_within(annotator, origin,
		ANNOTATION_BYTES, &text);

	results->annotation = text_take(&text);
	if (forgotten)
		results_warn(results,
			"%llu connections of the capture are not kept; the "
			"limit is %d",
			forgotten, CONNECTIONS_MAX);
	if (left_out)
		results_warn(results,
			"%zu connections of the capture do not fit in the "
			"session: `export pcap` writes all packets",
			left_out);
}

/* With the kernel's reports, which an exported file lacks: there `annotate`
 * does not know the congestion control. */
static void explain(int fd, struct results *results)
{
	struct packets *packets = packets_follow(fd);
	const struct annotator_options options = {
		.tcpinfo = packets_tcpinfo(packets),
	};
	struct annotator *annotator = annotator_new(&options);
	struct packet_record record;

	while (packets_next(packets, &record))
		annotator_add(annotator, &record);
	const struct packets_state *state = packets_state(packets);
	const struct capture_origin origin = {
		.snap_bytes = state->snap_bytes,
		.counted = true,
		.received = state->counts.received,
		.dropped = state->counts.dropped,
		.interface_dropped = state->counts.interface_dropped,
		.tcpinfo = packets_tcpinfo(packets),
	};
	if (state->damaged)
		results_warn(results,
			"the packets of this run are damaged: only the packets "
			"before the damage are explained");
	if (state->counts.dropped)
		results_warn(results,
			"the capture lost %llu packets: packet counts are "
			"lower bounds",
			(unsigned long long)state->counts.dropped);
	if (annotator_facts(annotator)->packets)
		keep(annotator, &origin, results);
	packets_unfollow(packets);
	annotator_free(annotator);
}

void lab_keep_packets(struct lab *lab, struct results *results)
{
	int fd = run_take_packets(lab->run);

	if (fd < 0)
		return;
	lab_drop_packets(lab);
	lab->packets_fd = fd;
	explain(fd, results);
}
