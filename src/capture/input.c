/* Reads standard input, and decompresses it. */
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "order.h"

enum {
	RAW_BYTES = 64 << 10,
	WINDOW_BYTES = 256 << 10,
	IDLE_MS = 200, /* a stopped writer that is silent for so long has
			* ended */
	LAST_MS = 500,
};

/* Bytes as standard input has them. Plain input is only looked at here. */
static struct {
	uint8_t bytes[RAW_BYTES];
	size_t first, end;
} raw;

/* What a decompressor has done. */
enum step { STEP_WITHIN, STEP_COMPLETE, STEP_DAMAGED };

static struct {
	uint8_t bytes[WINDOW_BYTES];
	size_t first, end;
	/* Decompresses from `raw`. NULL: the input is plain. */
	enum step (*step)(uint8_t *into, size_t room, size_t *made);
	const char *format;
	bool known; /* whether it is compressed */
	bool complete; /* no compressed part has begun and not ended */
	bool pending;  /* the decompressor holds output that did not fit */
	bool over;
	char fault[160]; /* "" */
} input;

static volatile sig_atomic_t stopped;
static int64_t stop_ms; /* when the stream ends after a signal */

/* ---- reading ------------------------------------------------------------ */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void note_signal(int number)
{
	(void)number;
	stopped = 1;
}

/* Writes the records so far. Those of order.h are held back for at most
 * IDLE_MS, however slowly their timestamps advance. */
static void pass_on(bool idle)
{
	static int64_t released_ms;

	if (idle || now_ms() - released_ms >= IDLE_MS) {
		order_release();
		released_ms = now_ms();
	}
	output_flush();
}

/* Waits until input can be read; false if it shall end. Waits for short times,
 * because a signal may arrive just before poll(). If poll() fails, read()
 * waits. */
static bool await(void)
{
	struct pollfd polled = { .fd = STDIN_FILENO, .events = POLLIN };
	int ready = poll(&polled, 1, 0);

	if (stopped && !stop_ms)
		stop_ms = now_ms() + LAST_MS;
	if (stop_ms && now_ms() >= stop_ms)
		return false;
	if (ready <= 0)
		pass_on(false);
	while (ready <= 0) {
		bool ends = stopped;

		ready = poll(&polled, 1, IDLE_MS);
		if (ready < 0 && errno != EINTR)
			return true;
		if (!ready)
			pass_on(true);
		if (!ready && ends)
			return false;
	}
	return true;
}

static size_t read_some(uint8_t *into, size_t room)
{
	ssize_t got = -1;

	do {
		if (!await())
			return 0;
		got = read(STDIN_FILENO, into, room);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	if (got < 0)
		snprintf(input.fault, sizeof input.fault, "%s",
			strerror(errno));
	return got > 0 ? (size_t)got : 0;
}

static bool fill_raw(void)
{
	raw.first = 0;
	raw.end = read_some(raw.bytes, sizeof raw.bytes);
	return raw.end > 0;
}

/* ---- decompression ------------------------------------------------------ */

static z_stream gzip;
static ZSTD_DStream *zstd;

static enum step step_gzip(uint8_t *into, size_t room, size_t *made)
{
	gzip.next_in = raw.bytes + raw.first;
	gzip.avail_in = (uInt)(raw.end - raw.first);
	gzip.next_out = into;
	gzip.avail_out = (uInt)room;
	int got = inflate(&gzip, Z_NO_FLUSH);
	raw.first = raw.end - gzip.avail_in;
	*made = room - gzip.avail_out;
	if (got == Z_STREAM_END)
		return inflateReset(&gzip) ? STEP_DAMAGED : STEP_COMPLETE;
	return got == Z_OK || got == Z_BUF_ERROR ? STEP_WITHIN : STEP_DAMAGED;
}

static enum step step_zstd(uint8_t *into, size_t room, size_t *made)
{
	ZSTD_inBuffer from = { raw.bytes, raw.end, raw.first };
	ZSTD_outBuffer to = { into, room, 0 };
	size_t left = ZSTD_decompressStream(zstd, &to, &from);

	raw.first = from.pos;
	*made = to.pos;
	if (ZSTD_isError(left))
		return STEP_DAMAGED;
	return left ? STEP_WITHIN : STEP_COMPLETE;
}

static void blame(const char *what)
{
	if (!*input.fault)
		snprintf(input.fault, sizeof input.fault, "its %s data %s",
			input.format, what);
}

static size_t decompress(uint8_t *into, size_t room)
{
	for (;;) {
		size_t made = 0;

		if (!input.pending && raw.first == raw.end && !fill_raw()) {
			if (!input.complete && !stopped)
				blame("is truncated");
			return 0;
		}
		enum step step = input.step(into, room, &made);
		input.complete = step == STEP_COMPLETE;
		input.pending = step == STEP_WITHIN && made == room;
		if (step == STEP_DAMAGED) {
			blame("is damaged");
			input.over = true;
		}
		if (made || input.over)
			return made;
	}
}

/* Looks for the magic numbers of RFC 1952 and RFC 8878. */
static void recognise(void)
{
	static const uint8_t magic_gzip[] = { 0x1f, 0x8b };
	static const uint8_t magic_zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	/* A pipe may deliver single bytes. */
	while (raw.end < sizeof magic_zstd) {
		size_t got = read_some(raw.bytes + raw.end,
			sizeof raw.bytes - raw.end);

		if (!got)
			return;
		raw.end += got;
	}
	if (!memcmp(raw.bytes, magic_gzip, sizeof magic_gzip)) {
		enum { GZIP_ONLY = 16 };

		input.format = "gzip";
		input.step = step_gzip;
		if (inflateInit2(&gzip, GZIP_ONLY + MAX_WBITS))
			blame("needs more memory");
	} else if (!memcmp(raw.bytes, magic_zstd, sizeof magic_zstd)) {
		input.format = "zstd";
		input.step = step_zstd;
		zstd = ZSTD_createDStream();
		if (!zstd)
			blame("needs more memory");
	}
	input.over = *input.fault;
}

/* ---- the stream --------------------------------------------------------- */

void input_open(void)
{
	const struct sigaction action = { .sa_handler = note_signal };

	sigaction(SIGINT, &action, NULL);
}

void input_close(void)
{
	if (input.step == step_gzip)
		inflateEnd(&gzip);
	ZSTD_freeDStream(zstd);
	zstd = NULL;
	raw.first = raw.end = 0;
	input.first = input.end = 0;
	input.step = NULL;
	input.known = input.complete = input.pending = input.over = false;
	*input.fault = '\0';
}

/* Reads more bytes into the window; false at the end. */
static bool fill(void)
{
	if (!input.known)
		recognise();
	input.known = true;
	memmove(input.bytes, input.bytes + input.first,
		input.end - input.first);
	input.end -= input.first;
	input.first = 0;
	if (input.over)
		return false;
	uint8_t *into = input.bytes + input.end;
	size_t room = sizeof input.bytes - input.end, got;
	if (input.step) {
		got = decompress(into, room);
	} else if (raw.first < raw.end) {
		/* Into an empty window, which is larger. */
		memcpy(into, raw.bytes, raw.end);
		got = raw.first = raw.end;
	} else {
		got = read_some(into, room);
	}
	input.end += got;
	input.over |= !got;
	return got > 0;
}

const uint8_t *input_take(size_t count)
{
	while (input.end - input.first < count)
		if (!fill())
			return NULL;
	input.first += count;
	return input.bytes + input.first - count;
}

bool input_skip(uint64_t count)
{
	for (;;) {
		size_t there = input.end - input.first;
		size_t skipped = count < there ? (size_t)count : there;

		input.first += skipped;
		count -= skipped;
		if (!count)
			return true;
		if (!fill())
			return false;
	}
}

bool input_has_rest(void)
{
	return input.first < input.end;
}

const char *input_fault(void)
{
	return *input.fault ? input.fault : NULL;
}

const char *input_fault_to_end(void)
{
	if (input.step)
		input_skip(UINT64_MAX);
	return input_fault();
}

bool input_stopped(void)
{
	return stopped;
}
