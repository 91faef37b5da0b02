/* A simulated path with a sender and a receiver. */
#include "path.h"

static int near_clock(const struct path *path)
{
	return 100000 + (int)path->now_ms;
}

static void path_handshake(struct path *path)
{
	double half_ms = path->rtt_ms / 2;
	struct segment syn = { .flags = TCP_SYN,
		.seq = -1,
		.mss = 1460,
		.wscale = 8,
		.sack_permitted = !path->limited || path->selective };
	struct segment synack = syn, ack = { .ms = 2 * half_ms };

	syn.window = synack.window = 65535;
	synack.side = SERVER;
	synack.flags |= TCP_ACK;
	synack.ms = 2 * half_ms;
	talk_add(&path->near, syn);
	talk_add(&path->near, synack);
	talk_add(&path->near, ack);
	syn.ms = synack.ms = half_ms;
	ack.ms = 3 * half_ms;
	talk_add(&path->far, syn);
	talk_add(&path->far, synack);
	talk_add(&path->far, ack);
	path->now_ms = path->rtt_ms;
	path->echo = 200000 + (int)half_ms;
}

/* One segment leaves the sender. */
static void path_send(struct path *path, int number)
{
	double arrives_ms = path->now_ms + path->rtt_ms / 2;
	double waits_ms = path->free_ms - path->now_ms;
	bool full = path->queue && path->segment_ms > 0 &&
		waits_ms / path->segment_ms > path->queue;

	SAY(&path->near, .ms = path->now_ms, .seq = (int64_t)number * PATH_MSS,
		.length = PATH_MSS, .tsval = near_clock(path),
		.tsecr = path->echo);
	if (full || number == path->drop) {
		path->dropped++;
		path->drop = number == path->drop ? -1 : path->drop;
		return;
	}
	if (path->segment_ms > 0) {
		if (path->free_ms < path->now_ms)
			path->free_ms = path->now_ms;
		path->free_ms += path->segment_ms;
		arrives_ms = path->free_ms + path->rtt_ms / 2;
	}
	int i = path->data_end++;
	path->data[i].ms = arrives_ms;
	path->data[i].number = number;
	path->data[i].tsval = near_clock(path);
	path->data[i].tsecr = path->echo;
}

/* The receive window behind so many segments; 0: large. */
static int window_behind(const struct path *path, int segments)
{
	return path->wide && segments >= path->wide_from ? path->wide :
							   path->window;
}

static void path_send_more(struct path *path)
{
	int window = window_behind(path, path->una);
	int room = window && window < path->cwnd ? window : path->cwnd;

	while (path->next < path->total && path->next - path->una < room) {
		if (path->pause_after && path->next >= path->pause_after &&
			path->now_ms < path->resume_ms)
			return;
		path_send(path, path->next++);
	}
}

/* An acknowledgement as seen at the receiver's end or at the sender's end. */
static void path_say_ack(const struct path *path, struct talk *talk, int i)
{
	int segments = window_behind(path, path->acks[i].number);
	int window = segments ? (segments * PATH_MSS + 127) / 128 : 60000;
	int from = path->acks[i].from, to = path->acks[i].to;

	SAY(talk, .ms = path->now_ms, .side = SERVER,
		.ack = (int64_t)path->acks[i].number * PATH_MSS,
		.window = window, .tsval = path->acks[i].tsval,
		.tsecr = path->acks[i].tsecr, .sacks = to > from,
		.sack = {
			{ (int64_t)from * PATH_MSS, (int64_t)to * PATH_MSS } });
}

/* A segment reaches the receiver, which acknowledges. */
static void path_receive(struct path *path)
{
	int i = path->data_head++, j = path->ack_end++;
	int number = path->data[i].number;

	SAY(&path->far, .ms = path->now_ms, .seq = (int64_t)number * PATH_MSS,
		.length = PATH_MSS, .tsval = path->data[i].tsval,
		.tsecr = path->data[i].tsecr);
	path->has[number] = true;
	while (path->expected < path->total && path->has[path->expected])
		path->expected++;
	path->acks[j].ms = path->now_ms + path->rtt_ms / 2;
	path->acks[j].number = path->expected;
	path->acks[j].tsval = 200000 + (int)path->now_ms;
	path->acks[j].tsecr = path->data[i].tsval;
	if (path->selective && number > path->expected) {
		int from = number, to = number + 1;

		while (path->has[from - 1])
			from--;
		while (path->has[to])
			to++;
		path->acks[j].from = from;
		path->acks[j].to = to;
	}
	path_say_ack(path, &path->far, j);
}

static void path_again(struct path *path)
{
	path->retransmissions++;
	path_send(path, path->una);
}

/* An acknowledgement reaches the sender. */
static void path_acknowledge(struct path *path)
{
	int i = path->ack_head++, ack = path->acks[i].number;
	int fresh = ack - path->una;

	path_say_ack(path, &path->near, i);
	path->echo = path->acks[i].tsval;
	if (fresh > 0) {
		path->una = ack;
		path->duplicates = 0;
		if (ack < path->recover) {
			path_again(path);
			return;
		}
		for (; fresh && path->cwnd < path->threshold; fresh--)
			path->cwnd++;
	} else if (++path->duplicates == 3 && path->una >= path->recover) {
		path->recover = path->next;
		path->threshold = path->cwnd = path->cwnd / 2;
		path_again(path);
		return;
	} else if (path->limited && path->duplicates < 3 &&
		path->una >= path->recover && path->next < path->total) {
		path_send(path, path->next++);
	}
	path_send_more(path);
}

void path_begin(struct path *path)
{
	talk_begin(&path->near, TAP_UNKNOWN);
	talk_begin(&path->far, TAP_UNKNOWN);
}

void path_go(struct path *path)
{
	path->near.flow.timestamps = path->far.flow.timestamps =
		path->timestamps;
	path_handshake(path);
	path->cwnd = path->initial;
	path->resume_ms = path->pause_ms;
	path_send_more(path);
	while (path->una < path->total) {
		bool data = path->data_head < path->data_end;
		bool ack = path->ack_head < path->ack_end;
		double data_ms = path->data[path->data_head].ms;
		double ack_ms = path->acks[path->ack_head].ms;

		if (!data && !ack) {
			/* The application writes nothing. */
			assert_true(path->now_ms < path->resume_ms);
			path->now_ms = path->resume_ms;
			path_send_more(path);
		} else if (data && (!ack || data_ms <= ack_ms)) {
			path->now_ms = data_ms;
			path_receive(path);
		} else {
			path->now_ms = ack_ms;
			path_acknowledge(path);
		}
	}
}

void path_run(struct path *path)
{
	path_begin(path);
	path_go(path);
}

void path_end(struct path *path)
{
	talk_end(&path->near);
	talk_end(&path->far);
}

const struct side *path_sender(const struct talk *talk)
{
	return &talk_connection(talk)->side[CLIENT];
}
