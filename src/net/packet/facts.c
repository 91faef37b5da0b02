/* What is counted of every packet of a capture, TCP or not. */
#include "annotate_internal.h"

/* The resolution is derived from the time stamps themselves, so that a file
 * saved in another format gives the same result. */
static void note_stamp(struct capture_facts *facts,
	const struct packet_record *record)
{
	if (facts->first_ns == UNKNOWN_NS)
		facts->first_ns = record->t_ns;
	else if (record->t_ns < facts->last_ns)
		facts->stamps_backwards++;
	facts->last_ns = record->t_ns;
	facts->stamps_invalid += record->stamp_invalid;
	facts->stamps_sorted += record->stamp_sorted;
	if (facts->resolution_ns == 1 || record->stamp_invalid)
		return;
	if (record->t_ns % 1000)
		facts->resolution_ns = 1;
	else if (record->t_ns % 1000000)
		facts->resolution_ns = 1000;
}

void facts_note(struct capture_facts *facts, const struct packet_record *record,
	const struct packet *packet)
{
	if (facts->packets == 1)
		facts->link_type = record->link_type;
	facts->link_others += record->link_type != facts->link_type;
	facts->of_class[packet->class]++;
	if (packet->class == PACKET_UNKNOWN_LINK)
		facts->link_unknown = record->link_type;
	uint32_t recorded = record->recorded_bytes ? record->recorded_bytes :
						     record->captured_bytes;
	facts->cut += recorded < record->wire_bytes;
	if (recorded > facts->longest_captured_bytes)
		facts->longest_captured_bytes = recorded;
	facts->options_truncated += packet->options.state == OPTIONS_TRUNCATED;
	facts->options_invalid += packet->options.state == OPTIONS_INVALID;
	facts->overlong += packet->overlong;
	facts->vlan_packets += packet->vlan_tags != 0;
	facts->pppoe_packets += packet->pppoe;
	facts->tunnel_packets += packet->tunnelled;
	if (packet->vlan_tags > facts->vlan_tags_most)
		facts->vlan_tags_most = packet->vlan_tags;
	note_stamp(facts, record);
}
