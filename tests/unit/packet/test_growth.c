/* Growth that stops without a loss: how far it shows the end of slow start. */
#include <stdio.h>

#include "rounds.h"
#include "tcpinfo_log.h"

enum { THRESHOLD = 40 };

/* Rounds of 10, 20 and 40 segments, then of 40 without growth: one complete
 * round and a part of the next, or none. A short last round shows nothing,
 * since the data ended in it; a complete round that did not grow leaves it in
 * doubt whether slow start reached the end. */
static void test_slow_round(void **state)
{
	static const struct {
		int total;
		bool doubtful;
	} cases[] = {
		{ 10 + 20 + 30, false },
		{ 10 + 20 + 40 + 35, false },
		{ 10 + 20 + 40 + 40 + 30, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int closed = 0; closed < 2; closed++) {
			struct path *path = path_new();
			int64_t end = (int64_t)cases[i].total * PATH_MSS;

			path->threshold = THRESHOLD;
			path->total = cases[i].total;
			path_run(path);
			if (closed)
				SAY(&path->near, .ms = path->now_ms + 1,
					.seq = end,
					.flags = TCP_FIN | TCP_ACK);
			const struct side *side = path_sender(&path->near);
			const struct slow_start_exit exit = side_exit(side);
			assert_int_equal(exit.reason,
				cases[i].doubtful ? EXIT_UNKNOWN :
					closed    ? EXIT_END_OF_DATA :
						    EXIT_NONE);
			if (cases[i].doubtful) {
				assert_false(exit.certain);
				assert_int_equal(exit.round, 4);
				assert_int_equal(exit.evidence,
					side->rounds.at[4].number);
			}
			path_free(path);
		}
}

/* The last round doubles again: the slow round before was no end. */
static void test_resumed(void **state)
{
	static const int flights[] = { 10, 20, 20, 40 };
	struct talk talk;
	int64_t seq = 0;

	talk_start(&talk);
	SAY(&talk, .ms = 41, .side = SERVER, .tsval = 41);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < flights[i]; k++, seq += PATH_MSS)
			SAY(&talk, .ms = 50 + 40 * i, .seq = seq,
				.length = PATH_MSS, .tsecr = 50 + 40 * i);
		SAY(&talk, .ms = 90 + 40 * i, .side = SERVER, .ack = seq,
			.tsval = 90 + 40 * i);
	}
	assert_int_equal(path_sender(&talk)->rounds.count, 4);
	assert_int_equal(path_sender(&talk)->rounds.slow_rounds, 1);
	assert_int_equal(side_exit(path_sender(&talk)).reason, EXIT_NONE);
	talk_end(&talk);
}

enum { FLIGHTS = 6 };

static void send_flights(struct talk *talk, const int flights[FLIGHTS])
{
	int64_t seq = 0;

	talk_start(talk);
	SAY(talk, .ms = 41, .side = SERVER, .tsval = 41);
	for (int i = 0; i < FLIGHTS; i++) {
		for (int k = 0; k < flights[i]; k++, seq += PATH_MSS)
			SAY(talk, .ms = 50 + 40 * i, .seq = seq,
				.length = PATH_MSS, .tsecr = 50 + 40 * i);
		SAY(talk, .ms = 90 + 40 * i, .side = SERVER, .ack = seq,
			.tsval = 90 + 40 * i);
	}
}

/* Segments up to `to`, and their acknowledgement unless a segment is lost: the
 * round after it echoes that. */
static void send_round(struct talk *talk, int ms, int64_t from, int64_t to)
{
	for (int64_t i = from; i < to; i++)
		SAY(talk, .ms = ms, .seq = i * PATH_MSS, .length = PATH_MSS,
			.tsecr = ms);
	if (ms != 90)
		SAY(talk, .ms = ms + 40, .side = SERVER, .ack = to * PATH_MSS,
			.tsval = ms + 40);
}

/* The round in which growth ended is the last that grew, however slowly the
 * window grows later. If it doubled, growth ended after it. */
static void test_round_of_end(void **state)
{
	static const struct {
		int flights[FLIGHTS];
		uint32_t round;
	} cases[] = {
		{ { 10, 20, 38, 40, 42, 44 }, 3 },
		{ { 10, 20, 26, 28, 30, 32 }, 3 },
		{ { 10, 20, 40, 49, 51, 53 }, 4 },
		{ { 10, 20, 40, 40, 40, 40 }, 4 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;

		send_flights(&talk, cases[i].flights);
		const struct rounds *rounds = &path_sender(&talk)->rounds;
		const struct slow_start_exit *end = &rounds->exit;
		uint32_t round = cases[i].round;
		assert_int_equal(end->reason, EXIT_HYSTART);
		assert_int_equal(end->round, round);
		assert_int_equal(end->evidence, rounds->at[round].number);
		assert_int_equal(end->t_ns, rounds->at[round].start_ns);
		assert_int_equal(end->in_flight_bytes,
			cases[i].flights[round - 1] * PATH_MSS);
		talk_end(&talk);
	}
}

/* An application writes `bytes` every `period_ms`, without waiting for an
 * acknowledgement, over a path of `rtt_ms`. `whole`: the host sends whole
 * segments only, and the rest with the next write. */
struct writer {
	double period_ms, rtt_ms;
	int bytes;
	bool whole;
};

static void send_written(struct talk *talk, double ms, int64_t from, int64_t to)
{
	for (; from < to; from += PATH_MSS)
		SAY(talk, .ms = ms, .seq = from,
			.length = (uint32_t)(to - from < PATH_MSS ? to - from :
								    PATH_MSS));
}

static void write_all(struct talk *talk, const struct writer *writer)
{
	enum { WRITES = 60, BEGIN_MS = 100 };
	int64_t sent = 0, ends[WRITES];
	int acked = 0;

	talk_begin(talk, TAP_CLIENT);
	talk_open(talk, writer->rtt_ms);
	for (int i = 0; i < WRITES; i++) {
		double ms = BEGIN_MS + i * writer->period_ms;
		int64_t end = (int64_t)(i + 1) * writer->bytes;

		for (; acked < i; acked++) {
			double ack_ms = BEGIN_MS + writer->rtt_ms +
				acked * writer->period_ms;

			if (ack_ms > ms)
				break;
			SAY(talk, .ms = ack_ms, .side = SERVER,
				.ack = ends[acked]);
		}
		if (writer->whole)
			end -= end % PATH_MSS;
		send_written(talk, ms, sent, end);
		ends[i] = sent = end;
	}
}

/* A steady writer fills neither the send buffer nor the path, whatever the
 * length of its rounds. */
static void test_writer(void **state)
{
	static const struct writer writers[] = {
		{ 5, 40, 5000, false },
		{ 5, 41, 5000, true },
		{ 48, 40, 20000, false },
		{ 55, 40, 30000, false },
	};

	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		struct talk talk;

		write_all(&talk, &writers[i]);
		const struct slow_start_exit exit =
			side_exit(path_sender(&talk));
		if (exit.reason != EXIT_APPLICATION)
			fail_msg("writer %zu: %s", i, exit_name(exit.reason));
		talk_end(&talk);
	}
}

/* Answers of equal length, each to a request, are no full send buffer. */
static void test_asked(void **state)
{
	for (int asked = 0; asked < 2; asked++) {
		struct talk talk;

		talk_begin(&talk, TAP_CLIENT);
		talk_open(&talk, 40);
		for (int k = 0; k < 6; k++) {
			int64_t seq = k * 32768, request = asked ? 100 * k : 0;

			send_written(&talk, 50 + 40 * k, seq, seq + 32768);
			SAY(&talk, .ms = 90 + 40 * k, .side = SERVER,
				.seq = request, .ack = seq + 32768,
				.length = asked ? 100 : 0);
		}
		assert_int_equal(side_exit(path_sender(&talk)).reason,
			asked ? EXIT_APPLICATION : EXIT_SEND_BUFFER);
		talk_end(&talk);
	}
}

/* An application writes the same amount in each round trip, within the initial
 * window: no full send buffer. */
static void test_small_writes(void **state)
{
	for (int far = 0; far < 2; far++) {
		struct talk talk;

		talk_begin(&talk, far ? TAP_SERVER : TAP_CLIENT);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 45, .side = SERVER);
		for (int k = 0; k < 6; k++) {
			send_written(&talk, 50 + 40 * k, k * 5000,
				(k + 1) * 5000);
			SAY(&talk, .ms = (far ? 50.1 : 90) + 40 * k,
				.side = SERVER, .ack = (k + 1) * 5000);
		}
		assert_int_equal(side_exit(path_sender(&talk)).reason,
			EXIT_APPLICATION);
		talk_end(&talk);
	}
}

/* The data of a round that has doubled ends: the application was idle first,
 * whatever follows. At the receiver's tap a flight may have been lost. */
static void test_idle_first(void **state)
{
	for (int far = 0; far < 2; far++) {
		struct talk talk;
		int sent = 0;

		talk_begin(&talk, far ? TAP_SERVER : TAP_CLIENT);
		talk_open(&talk, 40);
		SAY(&talk, .ms = 45, .side = SERVER);
		for (int k = 0; k < 4; k++) {
			double ms = 50 + 1000 * (k / 2) + 40 * (k % 2);

			for (int i = 0; i < (k % 2 ? 20 : 10); i++, sent++)
				SAY(&talk, .ms = ms, .seq = sent * PATH_MSS,
					.length = PATH_MSS);
			SAY(&talk, .ms = ms + (far ? 0.1 : 40), .side = SERVER,
				.ack = sent * PATH_MSS);
		}
		SAY(&talk, .ms = 2000, .seq = sent * PATH_MSS,
			.flags = TCP_FIN | TCP_ACK);
		const struct slow_start_exit end =
			side_exit(path_sender(&talk));
		assert_int_equal(end.reason,
			far ? EXIT_UNKNOWN : EXIT_APPLICATION);
		assert_int_equal(end.certain, !far);
		if (!far)
			assert_int_equal(end.round, 2);
		talk_end(&talk);
	}
}

/* The first flight fills the window, and a later one is lost. */
static void test_full_first(void **state)
{
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 45, .side = SERVER, .window = 58);
	for (int i = 0; i < 5; i++)
		SAY(&talk, .ms = 50, .seq = i * PATH_MSS, .length = PATH_MSS);
	SAY(&talk, .ms = 90, .side = SERVER, .ack = 5 * PATH_MSS,
		.window = 58);
	SAY(&talk, .ms = 90.1, .seq = 5 * PATH_MSS, .length = PATH_MSS);
	SAY(&talk, .ms = 600, .seq = 5 * PATH_MSS, .length = PATH_MSS);
	const struct slow_start_exit end = side_exit(path_sender(&talk));
	assert_int_equal(end.reason, EXIT_WINDOW);
	assert_int_equal(end.round, 1);
	talk_end(&talk);
}

/* Flights of a whole send buffer, each upon the acknowledgement of the one
 * before, also under a congestion control that paces. Without equal flights,
 * that stops the growth. The kernel's reports or the caller know it. */
static void test_paced(void **state)
{
	static const char *const controls[] = { "", "cubic", "bbr", "" };

	for (int i = 0; i < 8; i++) {
		bool paced = i / 2 > 1, equal = i % 2;
		struct tcpinfo_log reports;
		const struct annotator_options options = { .tap = TAP_CLIENT,
			.paced = i / 2 == 3,
			.tcpinfo = &reports };
		struct tcpinfo_path path = { .port = 40000 };
		struct talk talk;
		int64_t seq = 0;

		talk_begin(&talk, TAP_CLIENT);
		path.t_ns = talk.flow.start_ns;
		snprintf(path.congestion, sizeof path.congestion, "%s",
			controls[i / 2]);
		tcpinfo_init(&reports);
		tcpinfo_add_path(&reports, &path);
		annotator_free(talk.annotator);
		talk.annotator = annotator_new(&options);
		talk_open(&talk, 40);
		for (int k = 0; k < 6; k++) {
			int bytes = k < 2 ? 14480 << k : 32768;

			if (k > 2 && !equal)
				bytes += k * PATH_MSS;
			send_written(&talk, 50 + 40 * k, seq, seq + bytes);
			seq += bytes;
			SAY(&talk, .ms = 90 + 40 * k, .side = SERVER,
				.ack = seq);
		}
		enum exit_reason reason =
			side_exit(path_sender(&talk)).reason;
		if (equal)
			assert_int_equal(reason, EXIT_SEND_BUFFER);
		else if (paced)
			assert_int_equal(reason, EXIT_PACING);
		else
			assert_in_range(reason, EXIT_HYSTART,
				EXIT_HYSTART_TRAIN);
		talk_end(&talk);
		tcpinfo_release(&reports);
	}
}

struct flight {
	int segments;
	int window; /* that allows them; 0: large */
	int before; /* segments of the flight before, not yet acknowledged */
};

/* Flights, then the end of the data. If `asked`, each flight answers a request
 * of a byte. */
static struct slow_start_exit end_of(const struct flight *flights, bool asked)
{
	struct talk talk;
	int64_t seq = 0, said = 0;
	double ms = 50;

	talk_start(&talk);
	for (int i = 0; flights[i].segments; i++, ms += 40) {
		int64_t acked = seq - flights[i].before * PATH_MSS;
		int room = flights[i].window ?
			(flights[i].window * PATH_MSS + 127) / 128 :
			60000;

		SAY(&talk, .ms = ms - 0.1, .side = SERVER, .ack = acked,
			.seq = said, .length = asked, .tsval = (int)ms,
			.window = room);
		said += asked;
		for (int k = 0; k < flights[i].segments; k++, seq += PATH_MSS)
			SAY(&talk, .ms = ms, .seq = seq, .length = PATH_MSS,
				.tsecr = (int)ms);
	}
	SAY(&talk, .ms = ms, .seq = seq, .flags = TCP_FIN | TCP_ACK);
	const struct slow_start_exit end = side_exit(path_sender(&talk));
	talk_end(&talk);
	return end;
}

/* A full window ended slow start, however long the last data is, unless later
 * data exceeds what any full window allowed. It is not certain of answers that
 * may be as long as the window by chance. */
static void test_window_end(void **state)
{
	static const struct {
		struct flight flights[8];
		enum exit_reason reason;
		bool asked;
	} cases[] = {
		{ { { 10, 13, 0 }, { 7, 7, 0 }, { 13, 13, 0 }, { 14, 14, 0 },
			  { 14, 14, 0 }, { 13, 14, 0 } },
			EXIT_WINDOW, false },
		{ { { 10, 13, 0 }, { 13, 13, 0 }, { 13, 13, 0 } }, EXIT_WINDOW,
			true },
		{ { { 10, 13, 0 }, { 7, 13, 6 }, { 12, 14, 0 } }, EXIT_WINDOW,
			false },
		{ { { 10, 13, 0 }, { 7, 7, 0 }, { 20, 0, 0 }, { 40, 0, 0 } },
			EXIT_END_OF_DATA, false },
		{ { { 10, 13, 0 }, { 7, 13, 6 }, { 20, 0, 0 }, { 40, 0, 0 } },
			EXIT_END_OF_DATA, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct slow_start_exit end =
			end_of(cases[i].flights, cases[i].asked);

		if (end.reason != cases[i].reason)
			fail_msg("case %zu: %s", i, exit_name(end.reason));
		assert_int_equal(end.certain, !cases[i].asked);
		if (end.reason == EXIT_WINDOW)
			assert_int_equal(end.round, 2);
	}
}

/* After a fast retransmission in the second round, of 20 segments, two more
 * rounds. A sender that answers the loss reduces its flight; if it does not,
 * slow start may continue. An open round shows nothing yet. */
static void test_flight_kept(void **state)
{
	static const struct {
		int third, fourth;
		bool closed, kept;
	} cases[] = {
		{ 20, 40, false, true },
		{ 17, 10, false, true },
		{ 10, 17, true, true },
		{ 16, 16, true, false },
		{ 14, 20, false, false },
		{ 10, 14, true, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct talk talk;
		int64_t third = 30 + cases[i].third;
		int64_t fourth = third + cases[i].fourth;

		talk_start(&talk);
		send_round(&talk, 50, 0, 10);
		send_round(&talk, 90, 10, 30);
		for (int k = 0; k < 3; k++)
			SAY(&talk, .ms = 130, .side = SERVER,
				.ack = 10 * PATH_MSS, .tsval = 130, .sacks = 1,
				.sack = { { 11 * PATH_MSS,
					(12 + k) * PATH_MSS } });
		SAY(&talk, .ms = 130.5, .seq = 10 * PATH_MSS,
			.length = PATH_MSS, .tsecr = 130);
		SAY(&talk, .ms = 170, .side = SERVER, .ack = 30 * PATH_MSS,
			.tsval = 170);
		send_round(&talk, 170, 30, third);
		send_round(&talk, 210, third, fourth);
		if (cases[i].closed)
			send_round(&talk, 250, fourth, fourth + 1);
		const struct side *side = path_sender(&talk);
		const struct slow_start_exit end = side_exit(side);
		assert_int_equal(end.reason, EXIT_LOSS);
		assert_int_equal(end.round, 2);
		assert_int_equal(end.flight_kept, cases[i].kept);
		assert_int_equal(end.certain, !cases[i].kept);
		assert_non_null(strstr(side_exit_words(side),
			cases[i].kept ? "may have ended" : "loss ended"));
		talk_end(&talk);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_round),
		cmocka_unit_test(test_resumed),
		cmocka_unit_test(test_round_of_end),
		cmocka_unit_test(test_writer),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_small_writes),
		cmocka_unit_test(test_idle_first),
		cmocka_unit_test(test_full_first),
		cmocka_unit_test(test_paced),
		cmocka_unit_test(test_window_end),
		cmocka_unit_test(test_flight_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
