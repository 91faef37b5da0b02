/* The near end's message about a far end with an invalid greeting: one sentence
 * for any input. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "far.h"

enum { NOTHING, LONG_TEXT = WIRE_TEXT_MAX };

/* The bytes that the far end sends, all before the near end reads. */
struct peer_says {
	const char *what;
	unsigned type;        /* of the first frame; NOTHING: none */
	size_t length;        /* of its payload, padded with zeros */
	int version;          /* of a CHALLENGE; -1: none */
	bool closes, garbage; /* instead of a frame, or after it */
	unsigned then;        /* a second frame .. */
	size_t then_length;
	const char *sentence;
};

static const struct peer_says cases[] = {
	{ .what = "a challenge that is too long",
		.type = WIRE_CHALLENGE,
		.length = WIRE_EARLY_MAX + 1,
		.version = WIRE_VERSION,
		.sentence = "sent a challenge of 513 bytes, expected at most "
			    "512: is it `benchtop serve`?" },
	{ .what = "a frame's worth of it",
		.type = WIRE_CHALLENGE,
		.length = WIRE_PAYLOAD_MAX,
		.version = WIRE_VERSION,
		.sentence = "sent a challenge of 4096 bytes, expected at most "
			    "512: is it `benchtop serve`?" },
	{ .what = "half a challenge",
		.type = WIRE_CHALLENGE,
		.length = 10,
		.version = WIRE_VERSION,
		.sentence = "sent a truncated challenge, expected that of "
			"protocol version 3" },
	{ .what = "an empty challenge",
		.type = WIRE_CHALLENGE,
		.version = -1,
		.sentence = "sent a truncated challenge, expected that of "
			"protocol version 3" },
	{ .what = "another version",
		.type = WIRE_CHALLENGE,
		.length = 39,
		.version = 7,
		.sentence = "speaks protocol version 7, expected 3: install "
			"the same benchtop at both ends" },
	{ .what = "another frame",
		.type = WIRE_ALIVE,
		.version = -1,
		.sentence = "sent an unexpected message instead of sending its "
			"challenge" },
	{ .what = "no frame",
		.garbage = true,
		.sentence = "sent data of another protocol instead of sending "
			"its challenge: is it `benchtop serve`?" },
	{ .what = "nothing",
		.closes = true,
		.sentence = "closed the connection instead of sending its "
			"challenge" },
	{ .what = "nothing after a challenge",
		.type = WIRE_CHALLENGE,
		.length = 39,
		.version = WIRE_VERSION,
		.closes = true,
		.sentence = "closed the connection instead of sending its "
			"welcome" },
	{ .what = "half a proof",
		.type = WIRE_CHALLENGE,
		.length = 39,
		.version = WIRE_VERSION,
		.then = WIRE_WELCOME,
		.then_length = 16,
		.sentence = "sent a truncated welcome, expected that of "
			"protocol version 3" },
	{ .what = "half a welcome",
		.type = WIRE_CHALLENGE,
		.length = 39,
		.version = WIRE_VERSION,
		.then = WIRE_WELCOME,
		.then_length = 40,
		.sentence = "sent a truncated welcome, expected that of "
			"protocol version 3" },
	{ .what = "a refusal without a word",
		.type = WIRE_REFUSED,
		.version = -1,
		.sentence = "refuses: no reason given, expected a sentence of "
			"1 to 1024 bytes" },
	{ .what = "a refusal of an empty one",
		.type = WIRE_REFUSED,
		.length = 3,
		.version = -1,
		.sentence = "refuses: no reason given, expected a sentence of "
			"1 to 1024 bytes" },
};

static void send_frame(struct wire *wire, unsigned type, int version,
	size_t length)
{
	struct wire_out out = { 0 };

	if (version >= 0)
		wire_put_u16(&out, (uint16_t)version);
	out.length = length;
	assert_int_equal(wire_send(wire, type, &out), 0);
}

static void say(const struct peer_says *says, int fd)
{
	struct wire wire;

	wire_init(&wire, fd);
	if (says->type)
		send_frame(&wire, says->type, says->version, says->length);
	if (says->then)
		send_frame(&wire, says->then, -1, says->then_length);
	if (says->garbage)
		assert_int_equal(write(fd, "HTTP/1.1 400 Bad Request\r\n", 26),
			26);
	/* The near end can still write. */
	if (says->closes)
		shutdown(fd, SHUT_WR);
}

static void test_sentences(void **state)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char sentence[WIRE_TEXT_MAX + 1] = "";
		enum wire_refusal refusal;
		struct far far = { 0 };
		int ends[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
		wire_init(&far.wire, ends[0]);
		say(&cases[i], ends[1]);
		assert_int_equal(far_greet(&far, &refusal, sentence,
					 sizeof sentence),
			-1);
		assert_int_equal(refusal, 0);
		if (strcmp(sentence, cases[i].sentence))
			fail_msg("%s: \"%s\"", cases[i].what, sentence);
		close(ends[0]);
		close(ends[1]);
	}
}

/* A refusal of the maximum length, and one that is a byte too long. */
static void test_long_refusal(void **state)
{
	for (size_t length = LONG_TEXT; length <= LONG_TEXT + 1; length++) {
		char sentence[WIRE_TEXT_MAX + 1] = "";
		struct wire_out out = { 0 };
		enum wire_refusal refusal;
		struct far far = { 0 };
		struct wire wire;
		int ends[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
		wire_init(&far.wire, ends[0]);
		wire_init(&wire, ends[1]);
		wire_put_u8(&out, WIRE_LIMIT);
		wire_put_u16(&out, (uint16_t)length);
		memset(out.bytes + out.length, 'x', length);
		out.length += length;
		assert_int_equal(wire_send(&wire, WIRE_REFUSED, &out), 0);
		assert_int_equal(far_greet(&far, &refusal, sentence,
					 sizeof sentence),
			-1);
		assert_int_equal(refusal, length == LONG_TEXT ? WIRE_LIMIT : 0);
		assert_int_equal(strlen(sentence),
			length == LONG_TEXT ?
				LONG_TEXT :
				strlen("refuses: no reason given, expected a "
					"sentence of 1 to 1024 bytes"));
		close(ends[0]);
		close(ends[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_long_refusal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
