/* Collects the data for one drawing of the Net screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "amounts.h"
#include "memory.h"
#include "view_net.h"

enum { DAY_S = 86400 };

struct net_options *net_options(struct screen *screen)
{
	void **kept = &screen->kept[VIEW_NET];

	if (!*kept)
		*kept = xcalloc(1, sizeof(struct net_options));
	return *kept;
}

void net_release(struct screen *screen)
{
	struct net_options *options = screen->kept[VIEW_NET];

	if (!options)
		return;
	net_sources_release(&options->sources);
	net_packets_release(&options->list);
	free(options->rows);
	free(options);
	screen->kept[VIEW_NET] = NULL;
}

/* The session has changed: results of the old session are invalid. */
void net_forget(struct screen *screen)
{
	struct net_options *options = screen->kept[VIEW_NET];

	if (options)
		net_sources_forget(&options->sources);
}

/* Lists the connections that match the filter, in the chosen order. */
static void list_rows(struct net_scene *scene)
{
	struct net_options *options = scene->options;
	size_t count = 0;

	options->rows = xrealloc(options->rows, scene->count,
		sizeof *options->rows);
	for (size_t i = 0; i < scene->count; i++) {
		const struct connection *connection =
			net_connection(&scene->source, i);

		if (connection_matches(connection, &options->only))
			options->rows[count++] =
				(struct listed){ connection, i, 0 };
	}
	list_sort(options->rows, count, options->order, options->reversed);
	scene->rows = options->rows;
	scene->row_count = count;
}

/* The row to show: the user's choice, else the last connection while packets
 * arrive, else the one with most data. */
static size_t choose(const struct net_scene *scene)
{
	const struct net_options *options = scene->options;
	const struct listed *rows = scene->rows;
	size_t best = 0;

	for (size_t i = 0; i < scene->row_count; i++) {
		if (options->chosen && rows[i].index == options->connection)
			return i;
		if (scene->source.live ?
				rows[i].index > rows[best].index :
				connection_bytes(rows[i].connection) >
					connection_bytes(rows[best].connection))
			best = i;
	}
	return best;
}

/* A new source makes all earlier selections invalid. */
static void begin_anew(struct net_options *options, unsigned serial,
	struct connection_filter only)
{
	options->serial = serial;
	options->chosen = options->walked = options->round_walked = false;
	options->only = only;
	options->event_walked = false;
	options->packet = options->round = 0;
	options->mark = 0;
	options->closer = 0;
}

static size_t selected(const struct net_scene *scene)
{
	const struct net_options *options = scene->options;
	size_t last = scene->packets ? scene->packets - 1 : 0;

	/* While packets arrive, the last one is selected. */
	if (!options->walked)
		return scene->source.live ? last : 0;
	return options->packet < last ? options->packet : last;
}

/* The user's choice, else the first event from the selected packet on. */
static size_t selected_event(const struct net_scene *scene)
{
	const struct connection *connection = scene->connection;
	size_t last = connection->event_count ? connection->event_count - 1 : 0;
	size_t i = 0;

	if (scene->options->event_walked)
		i = scene->options->event;
	else if (scene->packets)
		while (i < last && connection->events[i].number <
			net_packet(scene, scene->packet)->packet.number)
			i++;
	return i < last ? i : last;
}

bool net_is_thinned(const struct net_scene *scene)
{
	const struct connection *connection = scene->connection;

	return scene->packets &&
		scene->packets < connection->packets + connection->duplicates;
}

/* Finds the packets of the connection, and the selected one. If packets are
 * missing, those around it are wanted first. */
static void find_packets(struct net_scene *scene)
{
	struct net_options *options = scene->options;
	struct capture_file *file = &scene->screen->lab->capture_file;
	bool of_file = scene->source.kind == NET_FILE;

	if (of_file)
		scene->source.log = capture_file_log(file, scene->connection);
	bool moved = net_packets_update(&options->list, &scene->source,
		scene->connection->number);
	scene->packets = options->list.count;
	if (moved && options->walked && options->number)
		options->packet =
			net_packet_numbered(scene, options->number);
	scene->packet = selected(scene);
	if (!scene->packets)
		return;
	const struct logged *at = net_packet(scene, scene->packet);
	options->number = at->packet.number;
	bool near = options->walked || options->closer > 0;
	if (of_file)
		capture_file_want(file,
			net_is_thinned(scene) ? scene->connection : NULL,
			near ? at->ordinal : 0);
}

void net_open(struct net_scene *scene, struct screen *screen)
{
	struct net_options *options = net_options(screen);

	*scene = (struct net_scene){ .screen = screen, .options = options };
	net_find_source(screen, &options->sources, &scene->source);
	if (options->serial != scene->source.serial)
		begin_anew(options, scene->source.serial, scene->source.only);
	scene->count = net_connections(&scene->source);
	if (!scene->count)
		return;
	list_rows(scene);
	if (!scene->row_count)
		return;
	scene->row = choose(scene);
	scene->index = scene->rows[scene->row].index;
	scene->connection = scene->rows[scene->row].connection;
	scene->sender = connection_sender(scene->connection);
	find_packets(scene);
	scene->event = selected_event(scene);
	/* Without packets, the kernel's window shows more than the sequence. */
	size_t i = 0;
	options->plot = !scene->packets && net_sample(scene, &i) ? NET_WINDOW :
								   NET_SEQUENCE;
	options->table = scene->packets ? NET_PACKETS : NET_CONNECTIONS;
	net_find_phases(scene->connection, scene->sender, options->phases);
}

enum net_phase net_phase(const struct net_scene *scene, uint32_t round)
{
	return (enum net_phase)scene->options->phases[round];
}

const struct side *net_sending(const struct net_scene *scene)
{
	return &scene->connection->side[scene->sender];
}

const struct rounds *net_rounds(const struct net_scene *scene)
{
	static const struct rounds unknown;

	return side_is_answered(scene->connection, scene->sender) ?
		&net_sending(scene)->rounds :
		&unknown;
}

const struct logged *net_packet(const struct net_scene *scene, size_t i)
{
	return packet_log_at(scene->source.log, scene->options->list.at[i]);
}

int64_t net_window_bytes(const struct net_scene *scene,
	const struct logged *logged)
{
	enum { WSCALE_MOST = 14 };
	const struct connection *connection = scene->connection;
	const struct packet *packet = &logged->packet;
	unsigned shift =
		connection->side[logged->side].offer.options.wscale;

	if (!packet->window_known)
		return -1;
	if (packet->flags & TCP_SYN)
		return packet->window;
	if (!connection->scaling_known)
		return -1;
	if (!connection->scaling)
		return packet->window;
	return (int64_t)packet->window
		<< (shift > WSCALE_MOST ? WSCALE_MOST : shift);
}

struct net_block net_sack(const struct logged *logged, unsigned i)
{
	const struct packet *packet = &logged->packet;
	uint32_t from = packet->options.sack[i].from;
	uint32_t length = packet->options.sack[i].to - from;
	uint64_t at = logged->ack +
		(uint64_t)(int64_t)(int32_t)(from - packet->ack);

	return (struct net_block){ at, at + length };
}

size_t net_packet_numbered(const struct net_scene *scene, uint64_t number)
{
	size_t low = 0, high = scene->packets;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (net_packet(scene, middle)->packet.number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void net_select(struct net_scene *scene, size_t packet)
{
	scene->options->packet = packet;
	scene->options->walked = true;
	scene->options->event_walked = false;
}

static uint64_t number_at(const struct net_scene *scene, size_t packet)
{
	return net_packet(scene, packet)->packet.number;
}

int net_select_number(struct net_scene *scene, uint64_t number,
	struct error *error)
{
	unsigned long long first = number_at(scene, 0), wanted = number;
	unsigned long long last = number_at(scene, scene->packets - 1);
	size_t at = net_packet_numbered(scene, number);
	bool found = at < scene->packets && number_at(scene, at) == number;

	if (!found && !net_is_thinned(scene))
		return error_set(error, STATUS_USAGE,
			"packet %llu is not of this connection, whose packets "
			"are within %llu .. %llu",
			wanted, first, last);
	if (at == scene->packets ||
		(at && number_at(scene, at) - number >
				number - number_at(scene, at - 1)))
		at--;
	net_select(scene, at);
	if (!found)
		screen_say(scene->screen, ROLE_WARN,
			"packet %llu is not kept, or not of this connection: "
			"packet %llu is the nearest kept one",
			wanted, (unsigned long long)number_at(scene, at));
	return 0;
}

/* ---- figures as text ------------------------------------------------ */

static void add_time_of_day(int64_t t_ns, struct text *text)
{
	time_t seconds = (time_t)(t_ns / 1000000000);
	struct tm day;

	localtime_r(&seconds, &day);
	text_add(text, "%02d:%02d:%02d.%06d", day.tm_hour, day.tm_min,
		day.tm_sec, (int)(t_ns % 1000000000 / 1000));
}

void net_time(const struct net_scene *scene, int64_t t_ns, struct text *text)
{
	double ms = (double)(t_ns - scene->connection->first_ns) / 1e6;

	if (t_ns == UNKNOWN_NS)
		text_add(text, "-");
	else if (scene->options->clock == NET_TIME_OF_DAY)
		add_time_of_day(t_ns, text);
	else
		text_add(text, "%.*f", fabs(ms) < 99999 ? 3 : 0, ms);
}

int net_time_columns(const struct net_scene *scene)
{
	return scene->options->clock == NET_TIME_OF_DAY ? NET_TIME_COLUMNS : 9;
}

void net_delta(int64_t span_ns, struct text *text)
{
	double ms = (double)span_ns / 1e6;

	text_add(text, "%+.*f", fabs(ms) < 9999 ? 3 : 0, ms);
}

void net_span(const struct net_scene *scene, int64_t span_ns, struct text *text)
{
	const struct net_source *source = &scene->source;
	int64_t resolution_ns = source->annotator ?
		annotator_facts(source->annotator)->resolution_ns :
		source->stored->resolution_ns;

	if (span_ns == UNKNOWN_NS)
		text_add(text, "-");
	else if (!span_ns)
		text_add(text, "%s", span_below(resolution_ns));
	else
		amount_short(text, UNIT_NS, (double)span_ns);
}

void net_bytes(uint64_t bytes, struct text *text)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%llu",
		(unsigned long long)bytes);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text_add_char(text, ' ');
		text_add_char(text, digits[i]);
	}
}

const char *net_side(const struct net_scene *scene, int side)
{
	return side == scene->connection->client ? "client" : "server";
}
