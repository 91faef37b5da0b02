/*
 * Results of the annotator at both ends of a path, compared with known facts.
 * Each case is repeated (REPEATS in the environment, default 5).
 *
 *   rounds      the same at the sender's and at the receiver's tap, six of
 *               them, or those before the first loss, for cubic, reno and bbr,
 *               with a bottleneck and without
 *   sent again  equal to the kernel's count, at the sender's tap and at the
 *               receiver's (there only what arrives: a retransmission that is
 *               lost never passes). The same at the sender's tap if each
 *               packet is recorded up to 1 ms late, with its true time or a
 *               late one
 *   slow start  ended by the cause in the script, or by HyStart if the
 *               namespace's counters show it
 *
 * If something differs, the packets are stored in the folder KEEP, if it is
 * set, and the program ends with 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "net/behaviours.h"
#include "net/taps.h"
#include "packets.h"
#include "splitmix.h"

enum { SAME_ROUNDS = 6, LINE_BYTES = 200 };

static unsigned repeats = 5;
static bool failed;

/* One connection and its analysis. */
struct made {
	struct behaved behaved;
	struct taps taps;
	const struct connection *at[LINK_SIDES];
};
static struct made made;

static const struct side *sender(enum link_side side)
{
	return &made.at[side]->side[made.at[side]->client];
}

static void keep(const char *what, unsigned repeat)
{
	const char *folder = getenv("KEEP");
	static const char *const ends[] = { "near", "far" };

	for (int side = 0; folder && side < LINK_SIDES; side++) {
		struct error error;
		char path[300];

		snprintf(path, sizeof path, "%s/%s-%u-%s.pcap", folder, what,
			repeat, ends[side]);
		if (packets_save(made.taps.file[side], path, &error))
			fprintf(stderr, "%s\n", error.message);
	}
}

static void end(const struct error *error)
{
	if (error->status == STATUS_PERMISSION) {
		printf("SKIP: not permitted here: %s\n", error->message);
		exit(77);
	}
	fprintf(stderr, "%s\n", error->message);
	exit(1);
}

static void make(enum behaviour what, const struct behaviour_script *script)
{
	struct error error = { 0 };

	made.taps.paced = script && !strcmp(script->congestion, "bbr");
	const struct behaviour_watch watch = { taps_begin, taps_end,
		&made.taps };
	if (script ? behave_so(script, &watch, &made.behaved, &error) :
		     behave(what, &watch, &made.behaved, &error))
		end(&error);
	for (int side = 0; side < LINK_SIDES; side++) {
		made.at[side] =
			taps_annotate(&made.taps, (enum link_side)side, &error);
		if (!made.at[side])
			end(&error);
	}
}

static void say(const char *what, unsigned right, const char *more)
{
	printf("%-24s %u of %u  %s\n", what, right, repeats, more);
	fflush(stdout);
	failed |= right != repeats;
}

/* ---- rounds ------------------------------------------------------------ */

static size_t list(const struct rounds *rounds, char *line, size_t room)
{
	size_t at = 0;

	for (uint32_t i = 0; i < rounds->count && i < SAME_ROUNDS + 1; i++)
		at += (size_t)snprintf(line + at, room - at, "%s%llu",
			i ? "," : "",
			(unsigned long long)rounds->at[i].segments);
	return at;
}

/* The last segments of a flight may be lost. Sent again, they are new at the
 * far tap, in a later round. */
static uint32_t comparable(const struct slow_start_exit *exit)
{
	return exit->reason == EXIT_LOSS && exit->round <= SAME_ROUNDS ?
		exit->round - 1 :
		SAME_ROUNDS;
}

static bool same_rounds(void)
{
	const struct rounds *near = &sender(LINK_NEAR)->rounds;
	const struct rounds *far = &sender(LINK_FAR)->rounds;

	if (near->count < SAME_ROUNDS || far->count < SAME_ROUNDS)
		return false;
	for (uint32_t i = 0; i < comparable(&near->exit); i++)
		if (near->at[i].segments != far->at[i].segments ||
			near->at[i].bytes != far->at[i].bytes)
			return false;
	return near->basis == ROUNDS_ECHO && far->basis == ROUNDS_ECHO;
}

static void rounds_by(const char *congestion, bool bottleneck)
{
	const struct behaviour_script script = {
		.rtt_ns = 40000000,
		.rate_bit_s = bottleneck ? 20000000 : 1000000000,
		.queue_packets = bottleneck ? 80 : 10000,
		.congestion = congestion,
		.segments = 1036,
	};
	char what[64], line[LINE_BYTES] = "";
	unsigned right = 0;

	snprintf(what, sizeof what, "rounds-%s-%s", congestion,
		bottleneck ? "bottleneck" : "free");
	for (unsigned i = 0; i < repeats; i++) {
		make(BEHAVIOURS, &script);
		size_t at =
			list(&sender(LINK_NEAR)->rounds, line, sizeof line / 2);
		bool same = same_rounds();
		right += same;
		if (!same) {
			at += (size_t)snprintf(line + at, 8, " / ");
			list(&sender(LINK_FAR)->rounds, line + at,
				sizeof line - at);
			printf("  differ: %s\n", line);
			keep(what, i);
		}
		taps_close(&made.taps);
	}
	say(what, right, line);
}

/* ---- retransmissions --------------------------------------------------- */

static bool counts_agree(char *line, size_t room)
{
	const struct side *near = sender(LINK_NEAR);
	struct taps_again again = taps_again(&made.taps);
	uint64_t seen =
		near->retransmitted_segments - near->fin_retransmissions;

	snprintf(line, room,
		"kernel %u, sender's tap %llu; receiver's: %u of %u that "
		"arrived",
		made.behaved.retransmits, (unsigned long long)seen, again.told,
		again.arrived);
	return seen == made.behaved.retransmits && !near->reordered &&
		!again.wrong && again.told + again.fresh == again.arrived &&
		!sender(LINK_FAR)->reordered;
}

/* A packet that waited in a queue of the capture. */
struct waited {
	struct packet_record record;
	int64_t until_ns;
};

static int by_end(const void *a, const void *b)
{
	const struct waited *one = a, *other = b;

	return (one->until_ns > other->until_ns) -
		(one->until_ns < other->until_ns);
}

/* The packets of the near tap, each up to 1 ms late. */
static size_t record_late(struct waited **list, uint64_t *random)
{
	enum { LATE_NS = 1000000 };
	struct packets *packets = packets_follow(made.taps.file[LINK_NEAR]);
	struct packet_record record;
	size_t count = 0, room = 0;

	while (packets_next(packets, &record)) {
		if (count == room) {
			room = room ? 2 * room : 1024;
			*list = xrealloc(*list, room, sizeof **list);
		}
		uint8_t *bytes = xmalloc(record.captured_bytes);
		memcpy(bytes, record.bytes, record.captured_bytes);
		record.bytes = bytes;
		(*list)[count++] = (struct waited){ record,
			record.t_ns +
				(int64_t)(splitmix_next(random) % LATE_NS) };
	}
	packets_unfollow(packets);
	qsort(*list, count, sizeof **list, by_end);
	return count;
}

/* True if the late packets have as many retransmissions as the kernel, and no
 * hole. */
static bool late_agrees(bool late_times)
{
	static uint64_t random = 1;
	struct annotator *annotator = annotator_new(NULL);
	struct waited *list = NULL;
	size_t count = record_late(&list, &random);

	for (size_t i = 0; i < count; i++) {
		if (late_times)
			list[i].record.t_ns = list[i].until_ns;
		annotator_add(annotator, &list[i].record);
	}
	const struct connection *only = annotator_connection(annotator, 0);
	const struct side *side = &only->side[only->client];
	bool agrees = side->retransmitted_segments -
				side->fin_retransmissions ==
			made.behaved.retransmits &&
		!side->gap_bytes;
	for (size_t i = 0; i < count; i++)
		free((void *)list[i].record.bytes);
	free(list);
	annotator_free(annotator);
	return agrees;
}

static void sent_again(const char *what, enum behaviour behaviour)
{
	char line[LINE_BYTES] = "";
	unsigned right = 0;

	for (unsigned i = 0; i < repeats; i++) {
		make(behaviour, NULL);
		bool agree = counts_agree(line, sizeof line);
		for (int times = 0; times < 2; times++) {
			bool one = late_agrees(times);

			if (!one)
				printf("  differ if recorded late%s\n",
					times ? ", with late times" : "");
			agree &= one;
		}
		right += agree;
		if (!agree) {
			printf("  differ: %s\n", line);
			keep(what, i);
		}
		taps_close(&made.taps);
	}
	say(what, right, line);
}

/* ---- the end of slow start --------------------------------------------- */

static int64_t hystart_counted(void)
{
	return behaved_counter(&made.behaved, LINK_NEAR,
		       "TCPHystartTrainDetect") +
		behaved_counter(&made.behaved, LINK_NEAR,
			"TCPHystartDelayDetect");
}

static bool is_hystart(enum exit_reason reason)
{
	return reason >= EXIT_HYSTART && reason <= EXIT_HYSTART_TRAIN;
}

static bool ended_by(enum exit_reason wanted, char *line, size_t room)
{
	bool right = true;
	size_t at = 0;

	line[0] = '\0';
	for (int side = 0; side < LINK_SIDES; side++) {
		const struct slow_start_exit *exit =
			&sender((enum link_side)side)->rounds.exit;

		right &= wanted == EXIT_HYSTART ?
			is_hystart(exit->reason) && hystart_counted() == 1 :
			exit->reason == wanted && !hystart_counted();
		at += (size_t)snprintf(line + at, room - at, "%s%s, round %u",
			side ? "; receiver's tap: " : "sender's tap: ",
			exit_name(exit->reason), exit->round);
	}
	if (wanted == EXIT_HYSTART)
		snprintf(line + at, room - at,
			"; counted: train %lld, delay %lld",
			(long long)behaved_counter(&made.behaved, LINK_NEAR,
				"TCPHystartTrainDetect"),
			(long long)behaved_counter(&made.behaved, LINK_NEAR,
				"TCPHystartDelayDetect"));
	return right;
}

/* HyStart has two signs, and the growth of the window does not show which one
 * it was. */
static bool same_sign(void)
{
	bool train = behaved_counter(&made.behaved, LINK_NEAR,
			     "TCPHystartTrainDetect") > 0;

	return sender(LINK_NEAR)->rounds.exit.reason ==
		(train ? EXIT_HYSTART_TRAIN : EXIT_HYSTART_DELAY);
}

static void ended(const char *what, enum behaviour behaviour,
	enum exit_reason wanted)
{
	char line[LINE_BYTES] = "";
	unsigned right = 0, signs = 0;

	for (unsigned i = 0; i < repeats; i++) {
		make(behaviour, NULL);
		bool agree = ended_by(wanted, line, sizeof line);
		right += agree;
		signs += same_sign();
		if (!agree) {
			printf("  differ: %s\n", line);
			keep(what, i);
		}
		taps_close(&made.taps);
	}
	say(what, right, line);
	if (wanted == EXIT_HYSTART)
		printf("  the sender's tap also says which sign in %u of %u\n",
			signs, repeats);
}

int main(void)
{
	static const char *const controls[] = { "cubic", "reno", "bbr" };
	const char *wanted = getenv("REPEATS"), *part = getenv("PART");

	if (wanted)
		repeats = (unsigned)strtoul(wanted, NULL, 10);
	for (int i = 0; i < 6 && (!part || strstr(part, "rounds")); i++)
		rounds_by(controls[i / 2], i % 2);
	if (!part || strstr(part, "again")) {
		sent_again("again-one", BEHAVIOUR_LOSS);
		sent_again("again-tail", BEHAVIOUR_TAIL_LOSS);
		sent_again("again-hystart", BEHAVIOUR_HYSTART);
		sent_again("again-overshoot", BEHAVIOUR_OVERSHOOT);
	}
	if (!part || strstr(part, "ended")) {
		ended("ended-hystart", BEHAVIOUR_HYSTART, EXIT_HYSTART);
		ended("ended-overshoot", BEHAVIOUR_OVERSHOOT, EXIT_LOSS);
		ended("ended-window", BEHAVIOUR_WINDOW, EXIT_WINDOW);
		ended("ended-application", BEHAVIOUR_APPLICATION,
			EXIT_APPLICATION);
	}
	return failed;
}
