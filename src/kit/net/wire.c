/* Frames on a control connection. */
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tick.h"

enum { SEND_MS = 5000 };

/* ---- payloads --------------------------------------------------------- */

void wire_put_bytes(struct wire_out *out, const void *bytes, size_t length)
{
	if (out->full || length > sizeof out->bytes - out->length) {
		out->full = true;
		return;
	}
	memcpy(out->bytes + out->length, bytes, length);
	out->length += length;
}

static void put_number(struct wire_out *out, uint64_t value, size_t bytes)
{
	uint8_t raw[8];

	for (size_t i = 0; i < bytes; i++)
		raw[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
	wire_put_bytes(out, raw, bytes);
}

void wire_put_u8(struct wire_out *out, uint8_t value)
{
	put_number(out, value, 1);
}

void wire_put_u16(struct wire_out *out, uint16_t value)
{
	put_number(out, value, 2);
}

void wire_put_u32(struct wire_out *out, uint32_t value)
{
	put_number(out, value, 4);
}

void wire_put_u64(struct wire_out *out, uint64_t value)
{
	put_number(out, value, 8);
}

void wire_put_f64(struct wire_out *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	put_number(out, bits, 8);
}

void wire_put_text(struct wire_out *out, const char *text)
{
	size_t length = strlen(text);

	if (length > WIRE_TEXT_MAX)
		length = WIRE_TEXT_MAX;
	wire_put_u16(out, (uint16_t)length);
	wire_put_bytes(out, text, length);
}

void wire_get_bytes(struct wire_in *in, void *into, size_t length)
{
	if (in->bad || length > in->left) {
		in->bad = true;
		memset(into, 0, length);
		return;
	}
	memcpy(into, in->at, length);
	in->at += length;
	in->left -= length;
}

static uint64_t get_number(struct wire_in *in, size_t bytes)
{
	uint8_t raw[8];
	uint64_t value = 0;

	wire_get_bytes(in, raw, bytes);
	for (size_t i = 0; i < bytes; i++)
		value = value << 8 | raw[i];
	return value;
}

uint8_t wire_get_u8(struct wire_in *in)
{
	return (uint8_t)get_number(in, 1);
}

uint16_t wire_get_u16(struct wire_in *in)
{
	return (uint16_t)get_number(in, 2);
}

uint32_t wire_get_u32(struct wire_in *in)
{
	return (uint32_t)get_number(in, 4);
}

uint64_t wire_get_u64(struct wire_in *in)
{
	return get_number(in, 8);
}

double wire_get_f64(struct wire_in *in)
{
	uint64_t bits = get_number(in, 8);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

void wire_get_text(struct wire_in *in, char *into, size_t size)
{
	char raw[WIRE_TEXT_MAX];
	size_t length = wire_get_u16(in);
	struct text safe = { 0 };

	into[0] = '\0';
	if (in->bad || length > sizeof raw || length >= size) {
		in->bad = true;
		return;
	}
	wire_get_bytes(in, raw, length);
	if (in->bad)
		return;
	text_add_safe(&safe, raw, length);
	snprintf(into, size, "%s", text_chars(&safe));
	text_free(&safe);
}

/* ---- frames ----------------------------------------------------------- */

void wire_init(struct wire *wire, int fd)
{
	memset(wire, 0, sizeof *wire);
	wire->fd = fd;
	wire->payload_most = WIRE_EARLY_MAX;
}

static void make_tag(const uint8_t *frame, size_t length, const uint8_t *key,
	uint8_t tag[WIRE_TAG])
{
	crypto_generichash(tag, WIRE_TAG, frame, length, key,
		key ? WIRE_KEY : 0);
}

static uint32_t u32_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
		(uint32_t)at[2] << 8 | at[3];
}

/* Parses the frame at the beginning of the buffer, if it is complete. */
static enum wire_got parse(struct wire *wire, struct wire_in *in)
{
	const uint8_t *head = wire->buffer;
	uint8_t tag[WIRE_TAG];

	if (wire->used < WIRE_HEAD)
		return WIRE_MORE;
	/* The length is checked before it is used. */
	size_t payload = u32_at(head + 8);
	if (u32_at(head) != WIRE_MAGIC || payload > wire->payload_most ||
		head[6] || head[7] || u32_at(head + 12) != wire->received)
		return WIRE_BROKEN;
	size_t length = WIRE_HEAD + payload;
	if (wire->used < length + WIRE_TAG)
		return WIRE_MORE;
	make_tag(head, length, wire->keyed ? wire->key_in : NULL, tag);
	if (!wire_same(tag, head + length, WIRE_TAG))
		return WIRE_BROKEN;
	*in = (struct wire_in){
		.type = (uint16_t)(head[4] << 8 | head[5]),
		.at = head + WIRE_HEAD,
		.left = payload,
	};
	wire->taken = length + WIRE_TAG;
	wire->received++;
	return WIRE_FRAME;
}

static void drop_taken(struct wire *wire)
{
	memmove(wire->buffer, wire->buffer + wire->taken,
		wire->used - wire->taken);
	wire->used -= wire->taken;
	wire->taken = 0;
}

enum wire_got wire_take(struct wire *wire, struct wire_in *in)
{
	drop_taken(wire);
	enum wire_got got = parse(wire, in);
	if (got != WIRE_MORE)
		return got;
	/* The buffer has room: a complete frame fits, and this one is
	 * incomplete. */
	ssize_t length = recv(wire->fd, wire->buffer + wire->used,
		sizeof wire->buffer - wire->used, MSG_DONTWAIT);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return WIRE_MORE;
	if (length <= 0)
		return WIRE_CLOSED;
	wire->used += (size_t)length;
	return parse(wire, in);
}

/* Milliseconds until end_ns, at least 0. */
static int left_ms(uint64_t end_ns)
{
	uint64_t now_ns = tick_raw_ns();

	return now_ns < end_ns ? (int)((end_ns - now_ns) / 1000000 + 1) : 0;
}

enum wire_got wire_receive(struct wire *wire, struct wire_in *in,
	int timeout_ms)
{
	uint64_t end_ns = tick_raw_ns() + (uint64_t)timeout_ms * 1000000u;

	for (;;) {
		struct pollfd readable = { .fd = wire->fd, .events = POLLIN };
		enum wire_got got = wire_take(wire, in);

		if (got != WIRE_MORE)
			return got;
		int wait_ms = left_ms(end_ns);
		if (!wait_ms)
			return WIRE_TIMEOUT;
		poll(&readable, 1, wait_ms);
	}
}

const char *wire_got_words(enum wire_got got)
{
	switch (got) {
	case WIRE_CLOSED:
		return "closed the connection";
	case WIRE_BROKEN:
		return "sent data of another protocol";
	case WIRE_TIMEOUT:
		return "was silent for too long";
	case WIRE_FRAME:
	case WIRE_MORE:
		break;
	}
	return "sent an unexpected message";
}

static int send_all(int fd, const uint8_t *bytes, size_t length)
{
	uint64_t end_ns = tick_raw_ns() + SEND_MS * UINT64_C(1000000);

	while (length) {
		ssize_t sent =
			send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent > 0) {
			bytes += sent;
			length -= (size_t)sent;
			continue;
		}
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		struct pollfd room = { .fd = fd, .events = POLLOUT };
		int wait_ms = left_ms(end_ns);
		if (!wait_ms)
			return -1;
		poll(&room, 1, wait_ms);
	}
	return 0;
}

int wire_send(struct wire *wire, unsigned type, const struct wire_out *payload)
{
	uint8_t frame[WIRE_HEAD + WIRE_PAYLOAD_MAX + WIRE_TAG];
	size_t length = payload ? payload->length : 0;
	struct wire_out head = { 0 };

	if (payload && payload->full)
		return -1;
	wire_put_u32(&head, WIRE_MAGIC);
	wire_put_u16(&head, (uint16_t)type);
	wire_put_u16(&head, 0);
	wire_put_u32(&head, (uint32_t)length);
	wire_put_u32(&head, wire->sent++);
	memcpy(frame, head.bytes, WIRE_HEAD);
	if (length)
		memcpy(frame + WIRE_HEAD, payload->bytes, length);
	length += WIRE_HEAD;
	make_tag(frame, length, wire->keyed ? wire->key_out : NULL,
		frame + length);
	return send_all(wire->fd, frame, length + WIRE_TAG);
}

enum wire_refusal wire_get_refusal(struct wire_in *in, char *sentence,
	size_t size)
{
	enum wire_refusal reason = (enum wire_refusal)wire_get_u8(in);

	wire_get_text(in, sentence, size);
	if (!in->bad && *sentence)
		return reason;
	snprintf(sentence, size,
		"no reason given, expected a sentence of 1 to %d bytes",
		WIRE_TEXT_MAX);
	return 0;
}

int wire_refuse(struct wire *wire, enum wire_refusal reason, const char *format,
	...)
{
	struct wire_out out = { 0 };
	char sentence[WIRE_EARLY_MAX - 16];
	va_list list;

	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	wire_put_u8(&out, (uint8_t)reason);
	wire_put_text(&out, sentence);
	return wire_send(wire, WIRE_REFUSED, &out);
}

/* ---- tokens ----------------------------------------------------------- */

static bool keep(uint8_t *into, size_t *into_length, const void *bytes,
	size_t length)
{
	if (length > WIRE_EARLY_MAX)
		return false;
	memcpy(into, bytes, length);
	*into_length = length;
	return true;
}

bool wire_keep_hello(struct wire_transcript *transcript, const void *bytes,
	size_t length)
{
	return keep(transcript->hello, &transcript->hello_length, bytes,
		length);
}

bool wire_keep_challenge(struct wire_transcript *transcript, const void *bytes,
	size_t length)
{
	return keep(transcript->challenge, &transcript->challenge_length, bytes,
		length);
}

/* Hashes a length before each part, so that bytes cannot move from one part to
 * the next. */
static void hash_part(crypto_generichash_state *state, const void *part,
	size_t length)
{
	const uint8_t prefix[] = { (uint8_t)(length >> 24),
		(uint8_t)(length >> 16), (uint8_t)(length >> 8),
		(uint8_t)length };

	crypto_generichash_update(state, prefix, sizeof prefix);
	if (length)
		crypto_generichash_update(state, part, length);
}

static void keyed_hash(const uint8_t key[WIRE_KEY], const char *purpose,
	const struct wire_transcript *transcript, const void *more,
	size_t more_length, uint8_t hash[32])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, key, WIRE_KEY, 32);
	hash_part(&state, purpose, strlen(purpose));
	hash_part(&state, transcript->hello, transcript->hello_length);
	hash_part(&state, transcript->challenge, transcript->challenge_length);
	hash_part(&state, more, more_length);
	crypto_generichash_final(&state, hash, 32);
}

void wire_proof(const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *transcript, const void *more,
	size_t more_length, uint8_t proof[WIRE_PROOF])
{
	keyed_hash(key, far ? "benchtop far" : "benchtop near", transcript,
		more, more_length, proof);
}

bool wire_same(const void *a, const void *b, size_t length)
{
	return !sodium_memcmp(a, b, length);
}

void wire_use_key(struct wire *wire, const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *transcript)
{
	keyed_hash(key, "benchtop key near", transcript, NULL, 0,
		far ? wire->key_in : wire->key_out);
	keyed_hash(key, "benchtop key far", transcript, NULL, 0,
		far ? wire->key_out : wire->key_in);
	wire->keyed = true;
}

void wire_random(void *into, size_t length)
{
	randombytes_buf(into, length);
}

void wire_token_key(const char *token, size_t length, uint8_t key[WIRE_KEY])
{
	crypto_generichash(key, WIRE_KEY, (const uint8_t *)token, length, NULL,
		0);
}
