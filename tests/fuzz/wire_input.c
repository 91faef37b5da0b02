/* Bytes as the frames of the other end of a control connection. */
#include "inputs.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "far.h"
#include "lab.h"
#include "serve_internal.h"

enum {
	CLIENT = 1, KEYED = 2, LATER = 4, /* bits of the first byte */
	OPEN = 254, /* of an experiment and a point, with valid values */
	RAW = 255,
	RECORD = 3,
	/* Frames that a socket pair holds without a reader. */
	FRAMES_MOST = 100,
};

static const uint8_t key[WIRE_KEY] = "of the token";

struct frames {
	const uint8_t *at;
	size_t left, count;
	struct wire wire; /* of the end that sends them */
};

/* The payload is 1 byte for the experiment, and 2 for the point. */
static void put_open(struct wire_out *out, const uint8_t *bytes, size_t length)
{
	const struct registry *registry = &the_lab()->registry;
	uint64_t args[PEER_ARGS_MAX / sizeof(uint64_t)] = { 0 };
	struct param_set set;

	if (length < 3)
		return;
	const struct experiment *experiment =
		registry->list[bytes[0] % registry->count];
	must(experiment->args_size <= sizeof args);
	param_set_init(&set, experiment->params);
	param_set_expand(&set, experiment->args_size);
	param_set_args(&set,
		(bytes[1] | (size_t)bytes[2] << 8) % param_set_points(&set),
		args);
	peer_put_open(out, experiment, args);
	param_set_free(&set);
}

/* Sends the next frame. False if there is none, or none can be sent. */
static bool send_next(struct frames *frames,
	const struct wire_transcript *transcript)
{
	struct wire_out out = { 0 };

	if (frames->left < RECORD || ++frames->count > FRAMES_MOST)
		return false;
	size_t length = frames->at[1] | (size_t)frames->at[2] << 8;
	unsigned type = frames->at[0];
	const uint8_t *bytes = frames->at + RECORD;
	if (length > frames->left - RECORD)
		length = frames->left - RECORD;
	if (length > WIRE_PAYLOAD_MAX)
		length = WIRE_PAYLOAD_MAX;
	frames->at += RECORD + length;
	frames->left -= RECORD + length;
	if (type == RAW)
		return send(frames->wire.fd, bytes, length, MSG_NOSIGNAL) >= 0;
	if (type == OPEN) {
		put_open(&out, bytes, length);
		return !wire_send(&frames->wire, WIRE_OPEN, &out);
	}
	wire_put_bytes(&out, bytes, length);
	if (type == WIRE_PROOF_FRAME && !length && transcript) {
		wire_proof(key, false, transcript, NULL, 0, out.bytes);
		out.length = WIRE_PROOF;
	}
	return !wire_send(&frames->wire, type, &out);
}

static void send_all(struct frames *frames)
{
	while (send_next(frames, NULL))
		;
	shutdown(frames->wire.fd, SHUT_WR);
}

/* ---- the server --------------------------------------------------------- */

static void serve_session(const struct serve *serve, struct guest *guest)
{
	char verdict[256];
	struct sockaddr_in loopback = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct peer_session session = {
		.wire = &guest->wire,
		.experiments = serve->settings.experiments,
		.limits = serve->settings.limits,
	};

	memcpy(&session.address, &loopback, sizeof loopback);
	peer_session(&session, verdict, sizeof verdict);
	must(*verdict && strlen(verdict) < sizeof verdict);
}

static void hear_client(struct frames *frames, int fd, bool keyed)
{
	static struct serve serve;
	struct guest guest = { .fd = fd, .from.ss_family = AF_UNIX };
	int through = 0;
	bool more = true;

	serve = (struct serve){ .settings = serve_usual() };
	serve.settings.keyed = keyed;
	memcpy(serve.settings.key, key, sizeof key);
	serve.settings.experiments = the_lab()->registry.list;
	serve.settings.limits.duration_ns = 20 * 1000 * 1000;
	serve.settings.log = fopen("/dev/null", "we");
	must(serve.settings.log != NULL);
	wire_init(&guest.wire, fd);
	while (!through && more) {
		more = send_next(frames, &guest.transcript);
		if (!more)
			shutdown(frames->wire.fd, SHUT_WR);
		through = greet_guest(&serve, &guest);
	}
	must(more || through);
	if (through > 0) {
		if (keyed)
			wire_use_key(&frames->wire, key, false,
				&guest.transcript);
		send_all(frames);
		serve_session(&serve, &guest);
	}
	fclose(serve.settings.log);
}

/* ---- the client --------------------------------------------------------- */

static unsigned told; /* samples that the probe reported */

static void count_sample(struct probe *probe, const struct sample *sample)
{
	(void)probe;
	(void)sample;
	told++;
}

static void ignore(struct probe *probe)
{
	(void)probe;
}

/* Frames of an experiment, until one is missing: that is a report. */
static void hear_experiment(struct far *far)
{
	struct probe probe = { .put = count_sample, .alive = ignore };
	struct wire_in in;
	unsigned type = WIRE_OWN;

	far->patience_ns = 1000;
	snprintf(far->name, sizeof far->name, "input");
	far->wire.payload_most = WIRE_PAYLOAD_MAX;
	told = 0;
	while (!far_receive(far, &probe, type, &in)) {
		char text[WIRE_TEXT_MAX];

		wire_get_text(&in, text, sizeof text);
		wire_get_f64(&in);
		type = WIRE_OWN + (type - WIRE_OWN + 1) % 8;
	}
	must(told > 0);
}

static void hear_server(struct frames *frames, int fd, bool later)
{
	struct far far = { .kind = NETWORK_REMOTE };
	enum wire_refusal refusal = 0;
	char sentence[WIRE_TEXT_MAX + 1] = "";

	wire_init(&far.wire, fd);
	send_all(frames);
	if (later || !far_greet(&far, &refusal, sentence, sizeof sentence))
		hear_experiment(&far);
	else
		must(*sentence && strlen(sentence) < sizeof sentence);
}

void wire_input(const uint8_t *data, size_t size)
{
	struct frames frames = { .left = 0 };
	int ends[2];

	if (!size)
		return;
	frames.at = data + 1;
	frames.left = size - 1;
	the_lab();
	must(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	wire_init(&frames.wire, ends[0]);
	if (*data & CLIENT)
		hear_server(&frames, ends[1], *data & LATER);
	else
		hear_client(&frames, ends[1], *data & KEYED);
	close(ends[0]);
	close(ends[1]);
}
