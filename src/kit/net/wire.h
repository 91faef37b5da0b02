/*
 * The wire: what the two ends of a network experiment say to each other on
 * their control connection. This page is meant to be enough to write another
 * implementation.
 *
 * Frames. Everything is a frame; all numbers are big-endian:
 *
 *     0   4  magic, 0x42544657 ("BTFW")
 *     4   2  type, below
 *     6   2  zero
 *     8   4  length of the payload, at most 4096
 *     12  4  sequence: 0, 1, 2 .. in each direction
 *     16  n  payload
 *     +n 16  tag: BLAKE2b-128 of all that is before it in the frame; keyed with
 *            the direction's key once there is one, without a key until then
 *
 * A frame that is not exactly so ends the connection. Payloads are made of
 * u8, u16, u32, u64; f64 (the bits of an IEEE 754 double as a u64); raw bytes
 * of a known number; and text: a u16 length, at most 1024, then so many bytes.
 * A payload that is too short is an error; bytes after the fields that a
 * reader knows are not read, so that a minor version may add some.
 *
 * The beginning, near end (client, N) and far end (server, F):
 *
 *     N 1 HELLO      u16 lowest and u16 highest version spoken, u32 features,
 *                    32 random bytes, text program and version
 *     F 2 CHALLENGE  u16 version, u32 features that both have, u8 whether a
 *                    token is needed, 32 random bytes
 *     N 3 PROOF      32 bytes: BLAKE2b-256 keyed with the token's key over
 *                    "benchtop near", then the payloads of HELLO and CHALLENGE;
 *                    zeroes where no token is needed
 *     F 4 WELCOME    32 bytes: the same over "benchtop far", HELLO, CHALLENGE
 *                    and all of this payload that follows; u64 nanoseconds,
 *                    u64 bytes, u64 bit/s, u64 bytes of socket buffers, u32
 *                    streams: the most of a session, 0 without limit; text
 *                    description of the machine
 *
 * The token's key is the BLAKE2b-256 of the token. From here on, with a token,
 * the tags are keyed: the key of a direction is the BLAKE2b-256, keyed with the
 * token's key, over "benchtop key near" (what N sends) or "benchtop key far",
 * HELLO and CHALLENGE. HELLO and PROOF must be there within 5 s, and no frame
 * before WELCOME has a payload of more than 512 bytes.
 *
 *     N 6 OPEN       text experiment, u16 number of parameters, each a text
 *                    name, u8 kind and value: 0 a u64 (two's complement),
 *                    1 an f64, 2 a text (the word of a choice)
 *     F 7 READY      u16 TCP port, u16 UDP port (0: none), 16 bytes cookie,
 *                    u32 streams that will be accepted
 *
 * Then N connects to the TCP port, as often as the experiment wants, and sends
 * the cookie first; or it sends the cookie as a datagram to the UDP port, until
 * it comes back. F sends no datagram to an address from which the cookie has
 * not come, and the cookie only ever went over the control connection. What
 * follows, types 16 and above, is the experiment's own (net_rtt.c, ..).
 *
 *     F 5 REFUSED    u8 reason (enum wire_refusal), text sentence; at any time
 *     N, F 8 END     no payload: the session is over
 *     F 9 ALIVE      no payload: what was asked for is being done
 *
 * A control connection on which nothing comes for 8 s while something is due is
 * dead; what takes longer is told by ALIVE every second. There is no frame that
 * stops the far end's program.
 */
#ifndef BENCHTOP_WIRE_H
#define BENCHTOP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum {
	WIRE_MAGIC = 0x42544657,
	WIRE_VERSION = 1, /* spoken: this one only */
	WIRE_HEAD = 16,
	WIRE_TAG = 16,
	WIRE_PAYLOAD_MAX = 4096,
	WIRE_EARLY_MAX = 512, /* payload, before WELCOME */
	WIRE_TEXT_MAX = 1024,
	WIRE_KEY = 32,
	WIRE_NONCE = 32,
	WIRE_PROOF = 32,
	WIRE_COOKIE = 16,
	WIRE_PORT = 24117, /* of `benchtop serve` */
};

enum wire_type {
	WIRE_HELLO = 1,
	WIRE_CHALLENGE,
	WIRE_PROOF_FRAME,
	WIRE_WELCOME,
	WIRE_REFUSED,
	WIRE_OPEN,
	WIRE_READY,
	WIRE_END,
	WIRE_ALIVE,
	WIRE_OWN = 16, /* the first of an experiment's own */
};

enum wire_refusal {
	WIRE_BUSY = 1, /* try again in a moment */
	WIRE_VERSIONS, /* none is spoken by both */
	WIRE_NO_TOKEN, /* a token is needed, or it is the wrong one */
	WIRE_LIMIT,    /* beyond a limit of WELCOME */
	WIRE_UNKNOWN,  /* no such experiment or parameter */
};

/* ---- payloads --------------------------------------------------------- */

/* Written from left to right; what does not fit sets `full`. */
struct wire_out {
	size_t length;
	bool full;
	uint8_t bytes[WIRE_PAYLOAD_MAX];
};
void wire_put_u8(struct wire_out *, uint8_t);
void wire_put_u16(struct wire_out *, uint16_t);
void wire_put_u32(struct wire_out *, uint32_t);
void wire_put_u64(struct wire_out *, uint64_t);
void wire_put_f64(struct wire_out *, double);
void wire_put_bytes(struct wire_out *, const void *bytes, size_t length);
/* At most WIRE_TEXT_MAX bytes of it. */
void wire_put_text(struct wire_out *, const char *text);

/* Read from left to right; what is not there reads as 0 and sets `bad`. */
struct wire_in {
	uint16_t type;
	const uint8_t *at;
	size_t left;
	bool bad;
};
uint8_t wire_get_u8(struct wire_in *);
uint16_t wire_get_u16(struct wire_in *);
uint32_t wire_get_u32(struct wire_in *);
uint64_t wire_get_u64(struct wire_in *);
double wire_get_f64(struct wire_in *);
void wire_get_bytes(struct wire_in *, void *into, size_t length);
/* Terminated, control characters made visible; longer than `size` is bad. */
void wire_get_text(struct wire_in *, char *into, size_t size);

/* ---- frames ----------------------------------------------------------- */

struct wire {
	int fd; /* a stream socket; not owned */
	bool keyed;
	uint8_t key_out[WIRE_KEY], key_in[WIRE_KEY];
	uint32_t sent, received; /* sequences */
	size_t payload_most;     /* of what is received */
	size_t used, taken;      /* bytes in the buffer, and of them in frames
				  * already given out */
	uint8_t buffer[WIRE_HEAD + WIRE_PAYLOAD_MAX + WIRE_TAG];
};

/* A wire without a key; frames before WELCOME may be WIRE_EARLY_MAX long. */
void wire_init(struct wire *, int fd);

enum wire_got {
	WIRE_FRAME,   /* one is there; valid until the next call */
	WIRE_MORE,    /* not yet */
	WIRE_CLOSED,  /* the other end has closed, or was lost */
	WIRE_BROKEN,  /* what came is no frame of this protocol */
	WIRE_TIMEOUT, /* nothing whole in time */
};
/* Takes what has come, without waiting. */
enum wire_got wire_take(struct wire *, struct wire_in *);
/* Waits for a frame at most so long; never WIRE_MORE. */
enum wire_got wire_receive(struct wire *, struct wire_in *, int timeout_ms);
/* "has closed the connection", "was silent for too long", .. */
const char *wire_got_words(enum wire_got);

/* Sends a frame, waiting up to 5 s for room. The payload may be NULL. 0, or -1
 * where the other end is gone or the payload was too long. */
int wire_send(struct wire *, unsigned type, const struct wire_out *);
/* The reason of a REFUSED and its sentence, `size` more than WIRE_TEXT_MAX; of
 * one that is not as above 0, and that it does not say why. */
enum wire_refusal wire_get_refusal(struct wire_in *, char *sentence,
	size_t size);
int wire_refuse(struct wire *, enum wire_refusal, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- tokens ----------------------------------------------------------- */

/* The payloads of HELLO and CHALLENGE, which proofs and keys are made of. */
struct wire_transcript {
	size_t hello_length, challenge_length;
	uint8_t hello[WIRE_EARLY_MAX], challenge[WIRE_EARLY_MAX];
};
/* False: too long. */
bool wire_keep_hello(struct wire_transcript *, const void *, size_t length);
bool wire_keep_challenge(struct wire_transcript *, const void *, size_t length);

/* The proof of the near end (`more` NULL), or of the far end with what follows
 * it in WELCOME. */
void wire_proof(const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *, const void *more, size_t more_length,
	uint8_t proof[WIRE_PROOF]);
/* Compares in a time that does not depend on what differs. */
bool wire_same(const void *, const void *, size_t length);
/* From now on tags are keyed. */
void wire_use_key(struct wire *, const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *);
void wire_random(void *into, size_t length);

/* The key of a token. */
void wire_token_key(const char *token, size_t length, uint8_t key[WIRE_KEY]);

#endif
