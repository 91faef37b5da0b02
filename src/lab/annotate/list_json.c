/* Lists of connections as JSON. */
#include "connection_list.h"
#include "json.h"

static void add_side(cJSON *sides, const char *name, const struct list_row *row,
	int side)
{
	cJSON *item = cJSON_AddObjectToObject(sides, name);

	if (row->vlan[side])
		json_add_text(item, "vlan", vlan_text(row->vlan[side]).chars);
	else
		json_add_null(item, "vlan");
	connections_add_resent(item, row->resent[side]);
}

static cJSON *row_json(const struct list_row *row)
{
	cJSON *to = cJSON_CreateObject();
	const char *limit = limit_name((enum transfer_limit)row->limit);

	json_add_whole(to, "number", row->number);
	json_add_text(to, "client", endpoint_text(&row->end[0]).chars);
	json_add_text(to, "server", endpoint_text(&row->end[1]).chars);
	json_add_signed(to, "start_ns", row->start_ns);
	json_add_signed(to, "took_ns", row->took_ns);
	json_add_whole(to, "payload_bytes", row->bytes);
	connections_add_resent(to, connection_resent_total(row->resent));
	connections_add_ns(to, "stall_ns",
		row->stall_ns ? row->stall_ns : UNKNOWN_NS);
	connections_add_ns(to, "rtt_ns", row->rtt_ns);
	if (limit)
		json_add_text(to, "limit", limit);
	else
		json_add_null(to, "limit");
	cJSON *sides = cJSON_AddObjectToObject(to, "sides");
	add_side(sides, "client", row, 0);
	add_side(sides, "server", row, 1);
	cJSON *teardown = cJSON_AddObjectToObject(to, "teardown");
	json_add_text(teardown, "kind",
		close_name((enum close_kind)row->close));
	return to;
}

/* One row at a time, because a list may have 262144. */
void list_json(struct list_rows *rows, const struct annotator *annotator,
	const struct capture_origin *origin, const struct list_choice *choice,
	struct text *text)
{
	list_rows_collect(rows, annotator, choice);
	cJSON *capture = connections_capture_json(annotator, origin);
	json_add_whole(capture, "connections_left_out", rows->left_out);
	text_add(text, "{\"schema\":\"benchtop.tcp-list/1\",\n\"capture\":");
	json_print_line(capture, text);
	text_add(text, ",\n\"connections\":[");
	for (size_t i = 0; i < rows->count; i++) {
		text_add(text, i ? ",\n" : "\n");
		json_print_line(row_json(&rows->at[i]), text);
	}
	text_add(text, "\n]}\n");
	list_rows_free(rows);
}
