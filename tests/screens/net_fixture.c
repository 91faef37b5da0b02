/* A lab with an open capture. */
#include "net_fixture.h"

#include "read_capture.h"
#include "run_queue.h"

struct annotator *net_capture(struct lab *lab, const char *name)
{
	capture_file_open(&lab->capture_file, name, NULL, true);
	return lab->capture_file.annotator;
}

/* Packets at the sender, or at the receiver, are also added to the lab's
 * capture. */
static void net_add_path(struct lab *lab, struct path *path, bool far)
{
	struct talk *talk = far ? &path->far : &path->near;
	struct annotator *own;

	path_begin(path);
	own = talk->annotator;
	talk->annotator = lab->capture_file.annotator;
	path_go(path);
	talk->annotator = own;
	path_end(path);
}

/* A transfer of `total` segments that loses one. */
static void add_transfer(struct lab *lab, const char *name, int total,
	int drop)
{
	static struct path path;

	path = (struct path){ .rtt_ms = 40,
		.segment_ms = 0.1,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.total = total,
		.timestamps = true,
		.drop = drop };
	net_capture(lab, name);
	net_add_path(lab, &path, false);
}

void net_lossy(struct lab *lab)
{
	add_transfer(lab, "/tmp/lossy.pcap", 1000, 300);
}

void net_congested(struct lab *lab)
{
	add_transfer(lab, "/tmp/congested.pcap", 400, 60);
}

/* The kernel's reports about the lossy connection: the window doubles to 160
 * segments, and is halved after the loss. */
static void net_tell(const struct connection *connection,
	struct tcpinfo_log *tcpinfo)
{
	const int64_t each = PATH_MSS, ms = 1000000;
	struct tcpinfo_sample sample = {
		.port = connection->end[connection->client].port,
	};
	struct tcpinfo_path path = { .port = sample.port,
		.t_ns = connection->first_ns - 1000,
		.rate_bit_s = 40000000,
		.rtt_ns = 40 * ms,
		.queue_bytes = 60000,
		.congestion = "reno" };

	tcpinfo_add_path(tcpinfo, &path);
	for (int64_t at = 40; at < 400; at += 2) {
		bool lost = at >= 260;
		int64_t round = (at - 40) / 40;

		sample.t_ns = connection->first_ns + at * ms;
		sample.window_bytes = lost ?
			each * (80 + (at - 260) / 40) :
			each * (10 << (round < 4 ? round : 4));
		sample.threshold_bytes = lost ? each * 80 : 0;
		sample.in_flight_bytes = sample.window_bytes - each;
		tcpinfo_add_sample(tcpinfo, &sample);
	}
}

void net_keep(struct lab *lab, bool told)
{
	struct annotator *annotator = lab->capture_file.annotator;
	struct tcpinfo_log tcpinfo;
	const struct capture_origin origin = { .file = "made",
		.tcpinfo = &tcpinfo };
	struct text json = { 0 };

	fixture_measure(lab);
	tcpinfo_init(&tcpinfo);
	if (told)
		net_tell(annotator_connection(annotator, 0), &tcpinfo);
	connections_write(annotator, &origin, &json);
	lab->session->runs[0]->annotation = text_take(&json);
	capture_file_close(&lab->capture_file);
	tcpinfo_release(&tcpinfo);
}

void net_window(struct lab *lab)
{
	static struct path path;

	path = (struct path){ .rtt_ms = 20,
		.initial = 10,
		.threshold = PATH_SEGMENTS,
		.window = 20,
		.total = 200,
		.timestamps = true,
		.drop = -1 };
	net_capture(lab, "/tmp/window.pcap");
	net_add_path(lab, &path, true);
}

void net_idle_end(struct lab *lab)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(lab, "/tmp/idle.pcap");
	talk_open(&talk, 10);
	for (int i = 0; i < 10; i++)
		SAY(&talk, .ms = 11 + i, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 31, .side = SERVER, .ack = 10000);
	SAY(&talk, .ms = 60000, .flags = TCP_FIN | TCP_ACK, .seq = 10000);
}

void net_receiver_gone(struct lab *lab, int packets)
{
	struct talk talk = { .flow = flow_new() };
	int last = (packets - 1) * 1000;

	talk.annotator = net_capture(lab, "/tmp/gone.pcap");
	talk_open(&talk, 10);
	for (int i = 0; i < packets; i++)
		SAY(&talk, .ms = 11 + 0.4 * i, .seq = i * 1000, .length = 1000);
	SAY(&talk, .ms = 60, .side = SERVER, .ack = last);
	for (int after = 400; after < 8000; after = 2 * after + 400)
		SAY(&talk, .ms = 50 + after, .seq = last, .length = 1000);
}

void net_three(struct lab *lab)
{
	struct talk talk = { .flow = flow_new() };

	talk.annotator = net_capture(lab, "/tmp/three.pcapng");
	talk_open(&talk, 12.5);
	SAY(&talk, .ms = 13, .length = 300);
	SAY(&talk, .ms = 26, .side = SERVER, .ack = 300, .length = 1448);
	SAY(&talk, .ms = 27, .flags = TCP_FIN | TCP_ACK, .seq = 300,
		.ack = 1448);
	SAY(&talk, .ms = 39.6, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
		.seq = 1448, .ack = 301);
	SAY(&talk, .ms = 39.7, .seq = 301, .ack = 1449);
	talk.flow = flow_new();
	talk.flow.port[0]++;
	SAY(&talk, .ms = 50, .flags = TCP_SYN, .seq = -1, .mss = 1460);
	SAY(&talk, .ms = 62, .side = SERVER, .flags = TCP_RST | TCP_ACK,
		.seq = -1);
	talk.flow = flow_new();
	talk.flow.port[0] += 2;
	for (int i = 0; i < 4; i++)
		SAY(&talk, .ms = 70 + i, .seq = i * 1000, .length = 1000);
	for (int i = 0; i < 3; i++)
		SAY(&talk, .ms = 80 + i, .side = SERVER, .ack = 1000);
	SAY(&talk, .ms = 83, .seq = 1000, .length = 1000);
	SAY(&talk, .ms = 93, .side = SERVER, .ack = 4000, .window = -1);
}

void net_lossy_open(struct lab *lab, struct screen *screen, const char *pane)
{
	struct text line = { 0 };

	setenv("TZ", "UTC", 1);
	fixture_open(lab, screen);
	net_lossy(lab);
	text_add(&line, "view net; focus %s", pane);
	screen_execute(screen, line.chars);
	text_free(&line);
}

struct net_scene net_shown(struct screen *screen)
{
	struct net_scene shown;

	net_open(&shown, screen);
	return shown;
}

uint64_t net_shown_packet(struct screen *screen)
{
	struct net_scene shown = net_shown(screen);

	return net_packet(&shown, shown.packet)->packet.number;
}

bool net_public(struct lab *lab, const char *name)
{
	struct text path = { 0 };
	struct capture_request request = { .path = NULL };
	struct reply reply = { 0 };
	struct error error = { 0 };

	text_add(&path, "%s/../shared/captures/%s", SOURCE_FOLDER, name);
	FILE *file = fopen(path.chars, "re");
	bool there = file != NULL;
	if (there) {
		fclose(file);
		request.path = path.chars;
		assert_int_equal(read_capture(lab, &request, &error), 0);
		while (!lab_ended(lab, &reply))
			lab_step(lab);
		assert_int_equal(reply.error.status, 0);
		lab->capture_file.news = false;
	}
	reply_free(&reply);
	text_free(&path);
	return there;
}
