/*
 * The wire: the protocol on the control connection between the two ends of a
 * network experiment. This specification should suffice to write another
 * implementation.
 *
 * Frames. All messages are frames; all numbers are big-endian:
 *
 *     0   4  magic, 0x42544657 ("BTFW")
 *     4   2  type, below
 *     6   2  zero
 *     8   4  length of the payload, at most 4096
 *     12  4  sequence: 0, 1, 2 .. in each direction
 *     16  n  payload
 *     +n 16  tag: BLAKE2b-128 of all preceding bytes of the frame; keyed with
 *            the direction's key once there is one, unkeyed until then
 *
 * Any other frame ends the connection. Payloads consist of u8, u16, u32, u64;
 * f64 (the bits of an IEEE 754 double as a u64); raw bytes of a known number;
 * and text: a u16 length, at most 1024, then that number of bytes. A payload
 * that is too short is an error. Bytes after the known fields are ignored, so
 * that a minor version may add fields.
 *
 * The beginning, between near end (client, N) and far end (server, F):
 *
 *     N 1 HELLO      u16 lowest and u16 highest known version, u32 features,
 *                    32 random bytes, text program and version
 *     F 2 CHALLENGE  u16 version, u32 features of both ends, u8 whether a token
 *                    is required, 32 random bytes
 *     N 3 PROOF      32 bytes: hash("benchtop near", HELLO, CHALLENGE, "");
 *                    zeroes if no token is required
 *     F 4 WELCOME    32 bytes: hash("benchtop far", HELLO, CHALLENGE, rest),
 *                    then the rest of this payload: u64 nanoseconds, u64 bytes,
 *                    u64 bit/s, u64 bytes of socket buffers, u32 streams, all
 *                    limits of a session, 0 for unlimited; text description of
 *                    the machine
 *
 * hash() is BLAKE2b-256 keyed with the token's key, which is the BLAKE2b-256 of
 * the token. Of each part it hashes the length as a u32, then the bytes. HELLO
 * and CHALLENGE are the whole payloads with both random numbers, the versions,
 * and the features, and the first part is the role of the end. So each end
 * knows that the other end holds the token and has seen the same greeting.
 *
 * From here on, if a token is used, the tags are keyed. The key of a direction
 * is hash("benchtop key near", HELLO, CHALLENGE, "") for frames of N, and the
 * same with "benchtop key far" for frames of F. The control connection is then
 * authenticated but not encrypted. Data connections and datagrams are neither:
 * they only begin with the cookie. HELLO and PROOF must arrive within 5 s.
 * Frames before WELCOME have payloads of at most 512 bytes.
 *
 *     N 6 OPEN       text experiment, u16 number of parameters, each a text
 *                    name, u8 kind and value: 0 a u64 (two's complement),
 *                    1 an f64, 2 a text (the word of a choice)
 *     F 7 READY      u16 TCP port, u16 UDP port (0: none), 16 bytes cookie,
 *                    u32 streams that will be accepted
 *
 * Then N connects to the TCP port, as often as the experiment needs, and sends
 * the cookie first. Or it sends the cookie as a datagram to the UDP port until
 * it comes back. F sends no datagram to an address that has not sent the
 * cookie, and the cookie itself was only sent over the control connection. The
 * following frames, types 16 and above, are defined by the experiment
 * (net_rtt.c, ..).
 *
 *     F 5 REFUSED    u8 reason (enum wire_refusal), text sentence; at any time
 *     N, F 8 END     no payload: the session is over
 *     F 9 ALIVE      no payload: the request is being processed
 *
 * A control connection is dead if an expected frame does not arrive for 8 s.
 * During longer work, F sends ALIVE every second. No frame can stop the far
 * end's program.
 */
#ifndef BENCHTOP_WIRE_H
#define BENCHTOP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum {
	WIRE_MAGIC = 0x42544657,
	WIRE_VERSION = 3, /* the only version supported */
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
	WIRE_OWN = 16, /* first type defined by experiments */
};

enum wire_refusal {
	WIRE_BUSY = 1, /* try again in a moment */
	WIRE_VERSIONS, /* no common version */
	WIRE_NO_TOKEN, /* a token is required, or the token is wrong */
	WIRE_LIMIT,    /* beyond a limit of WELCOME */
	WIRE_UNKNOWN,  /* no such experiment or parameter */
};

/* ---- payloads --------------------------------------------------------- */

/* Written in order; `full` is set if something does not fit. */
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
/* Truncates to WIRE_TEXT_MAX bytes. */
void wire_put_text(struct wire_out *, const char *text);

/* Read in order; a missing value reads as 0 and sets `bad`. */
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
/* Terminated, control characters escaped; sets `bad` if longer than `size`. */
void wire_get_text(struct wire_in *, char *into, size_t size);

/* ---- frames ----------------------------------------------------------- */

struct wire {
	int fd; /* a stream socket; not owned */
	bool keyed;
	uint8_t key_out[WIRE_KEY], key_in[WIRE_KEY];
	uint32_t sent, received; /* sequence numbers */
	size_t payload_most;     /* of received frames */
	size_t used, taken;      /* bytes in the buffer; bytes of frames that
				  * were already returned */
	uint8_t buffer[WIRE_HEAD + WIRE_PAYLOAD_MAX + WIRE_TAG];
};

/* A wire without a key. Frames before WELCOME may have payloads of
 * WIRE_EARLY_MAX. */
void wire_init(struct wire *, int fd);

enum wire_got {
	WIRE_FRAME,   /* a frame; valid until the next call */
	WIRE_MORE,    /* no complete frame yet */
	WIRE_CLOSED,  /* the other end has closed, or was lost */
	WIRE_BROKEN,  /* not a frame of this protocol */
	WIRE_TIMEOUT, /* no complete frame in time */
};
/* Returns a received frame without waiting. */
enum wire_got wire_take(struct wire *, struct wire_in *);
/* Waits at most timeout_ms for a frame; never returns WIRE_MORE. */
enum wire_got wire_receive(struct wire *, struct wire_in *, int timeout_ms);
/* "has closed the connection", "was silent for too long", .. */
const char *wire_got_words(enum wire_got);

/* Sends a frame; waits up to 5 s for room. The payload may be NULL. Returns 0,
 * or -1 if the other end is gone or the payload is too long. */
int wire_send(struct wire *, unsigned type, const struct wire_out *);
/* The reason of a REFUSED frame and its sentence; `size` must exceed
 * WIRE_TEXT_MAX. For a malformed frame returns 0, with a sentence that no
 * reason was given. */
enum wire_refusal wire_get_refusal(struct wire_in *, char *sentence,
	size_t size);
int wire_refuse(struct wire *, enum wire_refusal, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- tokens ----------------------------------------------------------- */

/* The payloads of HELLO and CHALLENGE, from which proofs and keys are
 * derived. */
struct wire_transcript {
	size_t hello_length, challenge_length;
	uint8_t hello[WIRE_EARLY_MAX], challenge[WIRE_EARLY_MAX];
};
/* Returns false if the payload is too long. */
bool wire_keep_hello(struct wire_transcript *, const void *, size_t length);
bool wire_keep_challenge(struct wire_transcript *, const void *, size_t length);

/* The proof of the near end (`more` NULL), or of the far end with the rest of
 * WELCOME in `more`. */
void wire_proof(const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *, const void *more, size_t more_length,
	uint8_t proof[WIRE_PROOF]);
/* Compares in constant time. */
bool wire_same(const void *, const void *, size_t length);
/* Makes all further tags keyed. */
void wire_use_key(struct wire *, const uint8_t key[WIRE_KEY], bool far,
	const struct wire_transcript *);
void wire_random(void *into, size_t length);

/* Derives the key of a token. */
void wire_token_key(const char *token, size_t length, uint8_t key[WIRE_KEY]);

#endif
