/* Connecting to `benchtop serve`: connection, token, greeting. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "far.h"
#include "file.h"
#include "name.h"
#include "resolve.h"
#include "tcp.h"
#include "token.h"

enum {
	CONNECT_MS = 4000,
	GREET_MS = 5000,
	BUSY_MS = 6000, /* how long a busy far end is retried */
	BUSY_STEP_MS = 100,
	RTT_FLOOR_NS = 1000,
};

#define PROGRAM   "benchtop"
#define CHALLENGE "challenge"
#define WELCOME   "welcome"

/* The key of the user's token: from $BENCHTOP_TOKEN_FILE, else from `token` in
 * the folder of the configuration. Returns 1; 0 if there is none; -1 with an
 * error if the file violates token.h. */
static int find_token(uint8_t key[WIRE_KEY], struct error *error)
{
	const char *named = getenv("BENCHTOP_TOKEN_FILE");
	struct text path = { 0 };

	if (named && *named) {
		text_add(&path, "%s", named);
	} else {
		char *folder = folder_config();

		text_add(&path, "%s/token", folder ? folder : "/nonexistent");
		free(folder);
		if (access(text_chars(&path), F_OK)) {
			text_free(&path);
			return 0;
		}
	}
	int failed = token_read(text_chars(&path), key, error);
	text_free(&path);
	return failed ? -1 : 1;
}

/* ---- the greeting ----------------------------------------------------- */

struct greeting {
	struct far *far;
	struct wire_transcript transcript;
	bool needed; /* the far end requires a token */
	enum wire_refusal *refusal;
	char *sentence;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int say(struct greeting *greeting,
	const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(greeting->sentence, greeting->size, format, values);
	va_end(values);
	return -1;
}

/* Message for a missing frame, with a hint if the port has another protocol. */
static int say_instead(struct greeting *greeting, enum wire_got got,
	const char *wanted)
{
	return say(greeting, "%s instead of sending its %s%s",
		wire_got_words(got), wanted,
		got == WIRE_BROKEN ? ": is it `benchtop serve`?" : "");
}

static int say_short(struct greeting *greeting, const char *wanted)
{
	return say(greeting,
		"sent a truncated %s, expected that of protocol version %d",
		wanted, WIRE_VERSION);
}

static int hear_refusal(struct greeting *greeting, struct wire_in *in)
{
	char sentence[WIRE_TEXT_MAX + 1];

	*greeting->refusal = wire_get_refusal(in, sentence, sizeof sentence);
	/* For a refusal with a reason, the caller adds that it was refused. */
	return say(greeting, "%s%s",
		*greeting->refusal ? "" : "refuses: ", sentence);
}

/* Waits for a frame of that type; handles a refusal. */
static int expect(struct greeting *greeting, unsigned type, const char *wanted,
	struct wire_in *in)
{
	enum wire_got got = wire_receive(&greeting->far->wire, in, GREET_MS);

	if (got == WIRE_FRAME && in->type == type)
		return 0;
	if (got == WIRE_FRAME && in->type == WIRE_REFUSED)
		return hear_refusal(greeting, in);
	return say_instead(greeting, got, wanted);
}

static int say_hello(struct greeting *greeting)
{
	struct wire_out out = { 0 };
	uint8_t nonce[WIRE_NONCE];

	wire_random(nonce, sizeof nonce);
	wire_put_u16(&out, WIRE_VERSION);
	wire_put_u16(&out, WIRE_VERSION);
	wire_put_u32(&out, 0);
	wire_put_bytes(&out, nonce, sizeof nonce);
	wire_put_text(&out, PROGRAM);
	wire_keep_hello(&greeting->transcript, out.bytes, out.length);
	if (wire_send(&greeting->far->wire, WIRE_HELLO, &out))
		return say_instead(greeting, WIRE_CLOSED, CHALLENGE);
	return 0;
}

static int hear_challenge(struct greeting *greeting)
{
	uint8_t nonce[WIRE_NONCE];
	struct wire_in in;

	if (expect(greeting, WIRE_CHALLENGE, CHALLENGE, &in))
		return -1;
	if (!wire_keep_challenge(&greeting->transcript, in.at, in.left))
		return say(greeting,
			"sent a " CHALLENGE " of %zu bytes, expected at most "
			"%d: is it `benchtop serve`?",
			in.left, WIRE_EARLY_MAX);
	unsigned version = wire_get_u16(&in);
	if (!in.bad && version != WIRE_VERSION)
		return say(greeting,
			"speaks protocol version %u, expected %d: install the "
			"same benchtop at both ends",
			version, WIRE_VERSION);
	wire_get_u32(&in);
	greeting->needed = wire_get_u8(&in) != 0;
	wire_get_bytes(&in, nonce, sizeof nonce);
	return in.bad ? say_short(greeting, CHALLENGE) : 0;
}

static int hear_welcome(struct greeting *greeting, const uint8_t *key)
{
	struct far *far = greeting->far;
	uint8_t proof[WIRE_PROOF], expected[WIRE_PROOF] = { 0 };
	struct wire_in in;

	if (expect(greeting, WIRE_WELCOME, WELCOME, &in))
		return -1;
	wire_get_bytes(&in, proof, sizeof proof);
	if (in.bad)
		return say_short(greeting, WELCOME);
	if (key)
		wire_proof(key, true, &greeting->transcript, in.at, in.left,
			expected);
	if (key && !wire_same(proof, expected, sizeof proof))
		return say(greeting,
			"holds another token: expected the token of this end");
	far->limits.duration_ns = wire_get_u64(&in);
	far->limits.bytes = wire_get_u64(&in);
	far->limits.rate_bit_s = wire_get_u64(&in);
	far->limits.buffer_bytes = wire_get_u64(&in);
	far->limits.streams = wire_get_u32(&in);
	wire_get_text(&in, far->machine, sizeof far->machine);
	return in.bad ? say_short(greeting, WELCOME) : 0;
}

static int prove(struct greeting *greeting, const uint8_t *key)
{
	struct wire_out out = { 0 };
	uint8_t proof[WIRE_PROOF] = { 0 };

	if (key)
		wire_proof(key, false, &greeting->transcript, NULL, 0, proof);
	wire_put_bytes(&out, proof, sizeof proof);
	if (wire_send(&greeting->far->wire, WIRE_PROOF_FRAME, &out))
		return say_instead(greeting, WIRE_CLOSED, WELCOME);
	return 0;
}

int far_greet(struct far *far, enum wire_refusal *refusal, char *sentence,
	size_t size)
{
	struct greeting greeting = {
		.far = far,
		.refusal = refusal,
		.sentence = sentence,
		.size = size,
	};
	uint8_t key[WIRE_KEY];
	struct error error;

	*refusal = 0;
	*sentence = '\0';
	/* WELCOME contains the description of a machine. */
	far->wire.payload_most = WIRE_PAYLOAD_MAX;
	if (say_hello(&greeting) || hear_challenge(&greeting))
		return -1;
	int have = greeting.needed ? find_token(key, &error) : 0;
	if (have < 0)
		/* The error is at this end. */
		return say(&greeting, "requires a token: %s",
			error.message);
	if (greeting.needed && !have)
		return say(&greeting,
			"requires a token: put the token into the file `token` "
			"of the configuration folder, or name its file in "
			"BENCHTOP_TOKEN_FILE");
	if (prove(&greeting, have ? key : NULL) ||
		hear_welcome(&greeting, have ? key : NULL))
		return -1;
	if (have)
		wire_use_key(&far->wire, key, false, &greeting.transcript);
	far->proved = have;
	return 0;
}

/* ---- connecting ------------------------------------------------------- */

static int connect_within(int fd, const struct addrinfo *to)
{
	struct pollfd made = { .fd = fd, .events = POLLOUT };
	int failed = 0;
	socklen_t length = sizeof failed;

	if (!connect(fd, to->ai_addr, to->ai_addrlen))
		return 0;
	if (errno != EINPROGRESS)
		return errno;
	if (poll(&made, 1, CONNECT_MS) <= 0)
		return ETIMEDOUT;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
	return failed;
}

/* Connects to the first address that answers. Returns -1 with the last
 * errno. */
static int connect_any(struct far *far, struct probe *probe,
	const struct addrinfo *list, int *why)
{
	for (; list; list = list->ai_next) {
		int fd = socket(list->ai_family,
			list->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (fd < 0)
			continue;
		probe_alive(probe);
		*why = connect_within(fd, list);
		if (!*why) {
			memcpy(&far->address, list->ai_addr, list->ai_addrlen);
			tcp_set_port(&far->address, 0);
			return fd;
		}
		close(fd);
	}
	return -1;
}

static struct addrinfo *find(struct probe *probe,
	const struct network_host *host)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list;
	int failed = name_find(probe, host->name, host->port, &hints, &list);

	if (!failed)
		return list;
	probe_lost(probe, "cannot resolve %s: %s",
		text_quoted(host->name).chars, resolve_why(failed));
	return NULL;
}

int far_find(struct far *far, struct probe *probe,
	const struct network_host *host)
{
	struct addrinfo *list = find(probe, host);

	if (!list)
		return -1;
	memcpy(&far->address, list->ai_addr, list->ai_addrlen);
	tcp_set_port(&far->address, 0);
	freeaddrinfo(list);
	return 0;
}

static int reach(struct far *far, struct probe *probe,
	const struct network_host *host)
{
	struct addrinfo *list = find(probe, host);
	int why = ENETUNREACH;

	if (!list)
		return -1;
	int fd = connect_any(far, probe, list, &why);
	freeaddrinfo(list);
	if (fd < 0)
		return probe_lost(probe,
			"%s does not answer at port %s: %s; is `benchtop serve "
			"--listen` running there?",
			text_quoted(host->name).chars, host->port,
			strerror(why));
	tcp_guard(fd);
	tcp_no_delay(fd, true);
	wire_init(&far->wire, fd);
	return 0;
}

static void learn_round_trip(struct far *far)
{
	struct tcp_report report;

	tcp_report(far->wire.fd, &report);
	if (tcp_has(&report, rtt_us))
		far->round_trip_ns = report.account.rtt_us * 1e3;
	far->patience_ns += (uint64_t)far->round_trip_ns * 10 + RTT_FLOOR_NS;
}

int far_remote(struct far *far, struct probe *probe,
	const struct network_host *host)
{
	uint64_t end_ns = tick_raw_ns() + BUSY_MS * UINT64_C(1000000);
	enum wire_refusal refusal;
	char sentence[WIRE_TEXT_MAX + 1];

	for (;;) {
		if (reach(far, probe, host))
			return -1;
		if (!far_greet(far, &refusal, sentence, sizeof sentence))
			break;
		close(far->wire.fd);
		far->wire.fd = -1;
		if (refusal != WIRE_BUSY || tick_raw_ns() > end_ns)
			return probe_lost(probe, "the remote end (%s) %s%s",
				host->name, refusal ? "refuses: " : "",
				sentence);
		probe_alive(probe);
		usleep(BUSY_STEP_MS * 1000);
	}
	learn_round_trip(far);
	return 0;
}
