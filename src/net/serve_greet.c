/* The far end's side of the greeting. */
#include <string.h>

#include "serve_internal.h"

/* The result of a step of the greeting. */
enum { REFUSED = -2, WRONG = -1, NOT_YET = 0, THROUGH = 1 };

static int say_challenge(struct serve *serve, struct guest *guest)
{
	struct wire_out out = { 0 };
	uint8_t nonce[WIRE_NONCE];

	wire_random(nonce, sizeof nonce);
	wire_put_u16(&out, WIRE_VERSION);
	wire_put_u32(&out, 0);
	wire_put_u8(&out, serve->settings.keyed);
	wire_put_bytes(&out, nonce, sizeof nonce);
	wire_keep_challenge(&guest->transcript, out.bytes, out.length);
	guest->challenged = true;
	return wire_send(&guest->wire, WIRE_CHALLENGE, &out) ? WRONG : NOT_YET;
}

static int hear_hello(struct serve *serve, struct guest *guest,
	struct wire_in *in)
{
	uint8_t nonce[WIRE_NONCE];
	char program[64];

	wire_keep_hello(&guest->transcript, in->at, in->left);
	unsigned lowest = wire_get_u16(in), highest = wire_get_u16(in);
	wire_get_u32(in);
	wire_get_bytes(in, nonce, sizeof nonce);
	wire_get_text(in, program, sizeof program);
	if (in->bad)
		return WRONG;
	if (lowest <= WIRE_VERSION && highest >= WIRE_VERSION)
		return say_challenge(serve, guest);
	wire_refuse(&guest->wire, WIRE_VERSIONS,
		"it speaks protocol version %d, the client %u: install the "
		"same benchtop at both ends",
		WIRE_VERSION, highest);
	serve_log_client(serve, LOG_GREETING, &guest->from,
		"refused: protocol version %u, expected %d", highest,
		WIRE_VERSION);
	return REFUSED;
}

static int say_welcome(struct serve *serve, struct guest *guest)
{
	const struct serve_settings *settings = &serve->settings;
	const struct peer_limits *limits = &settings->limits;
	struct wire_out out = { 0 }, rest = { 0 };
	uint8_t proof[WIRE_PROOF] = { 0 };

	wire_put_u64(&rest, limits->duration_ns);
	wire_put_u64(&rest, limits->bytes);
	wire_put_u64(&rest, limits->rate_bit_s);
	wire_put_u64(&rest, limits->buffer_bytes);
	wire_put_u32(&rest, limits->streams);
	wire_put_text(&rest, settings->machine);
	if (settings->keyed)
		wire_proof(settings->key, true, &guest->transcript, rest.bytes,
			rest.length, proof);
	wire_put_bytes(&out, proof, sizeof proof);
	wire_put_bytes(&out, rest.bytes, rest.length);
	if (wire_send(&guest->wire, WIRE_WELCOME, &out))
		return WRONG;
	if (settings->keyed)
		wire_use_key(&guest->wire, settings->key, true,
			&guest->transcript);
	guest->wire.payload_most = WIRE_PAYLOAD_MAX;
	return THROUGH;
}

static int hear_proof(struct serve *serve, struct guest *guest,
	struct wire_in *in)
{
	uint8_t proof[WIRE_PROOF], expected[WIRE_PROOF];

	wire_get_bytes(in, proof, sizeof proof);
	if (in->bad)
		return WRONG;
	if (!serve->settings.keyed)
		return THROUGH;
	wire_proof(serve->settings.key, false, &guest->transcript, NULL, 0,
		expected);
	if (wire_same(proof, expected, sizeof proof))
		return THROUGH;
	wire_refuse(&guest->wire, WIRE_NO_TOKEN,
		"the tokens of the two ends differ");
	serve_log_client(serve, LOG_GREETING, &guest->from,
		"refused: another token");
	return REFUSED;
}

static int make_room(struct serve *serve, struct guest *guest)
{
	const struct serve_settings *settings = &serve->settings;

	if (served_left(serve, guest))
		return say_welcome(serve, guest);
	wire_refuse(&guest->wire, WIRE_BUSY,
		"it serves %zu of %u sessions, at most %u of one address, each "
		"for at most %.0f s",
		served_count(serve), settings->sessions,
		settings->sessions > 1 ? settings->sessions - 1 : 1,
		(double)settings->limits.duration_ns * 1e-9);
	serve_log_client(serve, LOG_SESSION, &guest->from, "refused: busy");
	return REFUSED;
}

static int take(struct serve *serve, struct guest *guest)
{
	struct wire_in in;
	enum wire_got got = wire_take(&guest->wire, &in);

	if (got == WIRE_MORE)
		return NOT_YET;
	if (got != WIRE_FRAME)
		return WRONG;
	if (!guest->challenged)
		return in.type == WIRE_HELLO ? hear_hello(serve, guest, &in) :
					       WRONG;
	if (in.type != WIRE_PROOF_FRAME)
		return WRONG;
	int step = hear_proof(serve, guest, &in);
	return step == THROUGH ? make_room(serve, guest) : step;
}

int greet_guest(struct serve *serve, struct guest *guest)
{
	int step = take(serve, guest);

	if (step == WRONG)
		serve_log_client(serve, LOG_GREETING, &guest->from,
			"dropped: the connection closed or speaks another "
			"protocol");
	return step < 0 ? -1 : step;
}
