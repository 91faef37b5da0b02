/* Inputs of `annotate`: compressed files, and standard input. */
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <zlib.h>
#include <zstd.h>

#include "capture_talk.h"

/* Runs a shell command, in which $1 is the program and $2 the folder. */
static struct ran shell(const char *command)
{
	return RUN("/bin/sh", "-c", command, "sh", PROGRAM, folder);
}

/* ---- compression -------------------------------------------------------- */

static size_t gzip(const uint8_t *from, size_t count, uint8_t *to, size_t room)
{
	z_stream stream = { .next_in = (uint8_t *)from,
		.avail_in = (unsigned)count,
		.next_out = to,
		.avail_out = (unsigned)room };

	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 16 + 15, 8,
				 Z_DEFAULT_STRATEGY),
		Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	return stream.total_out;
}

static size_t zstd(const uint8_t *from, size_t count, uint8_t *to, size_t room)
{
	size_t made = ZSTD_compress(to, room, from, count, 3);

	assert_false(ZSTD_isError(made));
	return made;
}

static const struct {
	const char *name;
	size_t (*compress)(const uint8_t *, size_t, uint8_t *, size_t);
} formats[] = { { "gzip", gzip }, { "zstd", zstd } };

/* Compressed in two parts, which follow each other. */
static void compress_halves(int format, const struct bytes *whole,
	struct bytes *compressed)
{
	size_t half = whole->count / 2;

	compressed->count = formats[format].compress(whole->at, half,
		compressed->at, BYTES_MAX);
	compressed->count += formats[format].compress(whole->at + half,
		whole->count - half, compressed->at + compressed->count,
		BYTES_MAX - compressed->count);
}

static void test_compressed(void **state)
{
	static struct bytes whole, compressed;

	for (int ng = 0; ng < 2; ng++) {
		write_talk(ng, &whole);
		char *plain = connections_of(in_folder("talk.pcap"));
		assert_non_null(strstr(plain, "\"kind\":\"orderly\""));
		for (int i = 0; i < 2; i++) {
			compress_halves(i, &whole, &compressed);
			/* Recognised by its content, whatever its name. */
			write_bytes(in_folder("talk.pcap"), compressed.at,
				compressed.count);
			char *found = connections_of(in_folder("talk.pcap"));
			assert_string_equal(found, plain);
			free(found);
			struct ran ran = shell("cat $2/talk.pcap | "
					       "$1 annotate - --json");
			assert_status(ran, 0);
			assert_contains(ran.out,
				"\"file\":\"standard input\"");
			found = connections_in(&ran);
			assert_string_equal(found, plain);
			free(found);
			ran_free(&ran);
		}
		free(plain);
	}
}

/* Whatever is missing, what came before is explained, and one sentence names
 * the damage. */
static void test_truncated(void **state)
{
	static struct bytes whole, compressed;

	write_talk(false, &whole);
	for (int i = 0; i < 2; i++) {
		char sentence[40];

		compress_halves(i, &whole, &compressed);
		snprintf(sentence, sizeof sentence, "its %s data is truncated",
			formats[i].name);
		write_bytes(in_folder("cut"), compressed.at,
			compressed.count - 5);
		struct ran ran = RUN(PROGRAM, "annotate", in_folder("cut"));
		assert_status(ran, 3);
		assert_contains(ran.err, sentence);
		assert_contains(ran.out, "handshake");
		assert_contains(ran.out, "without the rest of a damaged file");
		ran_free(&ran);
		ran = RUN(PROGRAM, "annotate", in_folder("cut"), "--json");
		assert_contains(ran.out, "\"damaged\":true");
		ran_free(&ran);
	}
}

/* 256 MiB of a few hundred KB: the helper does not keep them. */
static void test_bomb(void **state)
{
	enum { PIECES = 16, PIECE_BYTES = 1 << 24, HEADER = 16 };
	static const uint32_t begin[6] = { 0xa1b23c4d, 2 | 4 << 16, 0, 0, 65535,
		LINK_RAW };
	static const uint32_t header[4] = { 1, 0, PIECE_BYTES, PIECE_BYTES };
	static uint8_t piece[HEADER + PIECE_BYTES], out[1 << 20];
	FILE *file = fopen(in_folder("bomb.gz"), "we");
	struct rusage used;
	int status;

	assert_non_null(file);
	size_t made = gzip((const uint8_t *)begin, sizeof begin, out,
		sizeof out);
	fwrite(out, 1, made, file);
	memcpy(piece, header, sizeof header);
	made = gzip(piece, sizeof piece, out, sizeof out);
	for (int i = 0; i < PIECES; i++)
		fwrite(out, 1, made, file);
	assert_int_equal(fclose(file), 0);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("bomb.gz"));
	assert_status(ran, 0);
	assert_contains(ran.out, "16 packets");
	ran_free(&ran);
	pid_t pid = start_helper(in_folder("bomb.gz"));
	assert_int_equal(wait4(pid, &status, 0, &used), pid);
	assert_int_equal(status, 0);
	/* In KB. This process has more, which the child begins with. */
	assert_in_range(used.ru_maxrss, 0, 128 << 10);
}

/* One flipped bit of compressed data may decompress, to a packet that makes no
 * sense. The checksum at its end shows the reason. */
static void test_flipped(void **state)
{
	static struct bytes whole, compressed;
	int damaged = 0;

	write_talk(false, &whole);
	compressed.count = gzip(whole.at, whole.count, compressed.at,
		BYTES_MAX);
	for (size_t at = 10; at < compressed.count; at += 7) {
		compressed.at[at] ^= (uint8_t)(1u << at % 8);
		write_bytes(in_folder("flipped"), compressed.at,
			compressed.count);
		compressed.at[at] ^= (uint8_t)(1u << at % 8);
		struct ran ran = RUN(PROGRAM, "annotate", in_folder("flipped"));
		damaged += ran.status == 3;
		if (ran.status)
			assert_contains(ran.err, "its gzip data is ");
		ran_free(&ran);
	}
	/* A few bits mean nothing. */
	assert_true(damaged > 40);
}

static void test_damaged(void **state)
{
	static struct bytes whole, compressed;

	write_talk(true, &whole);
	for (int i = 0; i < 2; i++) {
		compress_halves(i, &whole, &compressed);
		assert_survives(&compressed, 150);
	}
}

/* ---- standard input ----------------------------------------------------- */

struct pipeline {
	pid_t pid;
	int in, out, err;
};

static struct pipeline open_pipeline(void)
{
	int in[2], out[2], err[2];

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (!pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(err[1], 2);
		execl(PROGRAM, PROGRAM, "annotate", "-", NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	return (struct pipeline){ pid, in[1], out[0], err[0] };
}

static struct ran close_pipeline(struct pipeline *pipeline)
{
	struct ran ran = { 0 };
	int status;

	collect(pipeline->out, pipeline->err, &ran);
	close(pipeline->out);
	close(pipeline->err);
	assert_int_equal(waitpid(pipeline->pid, &status, 0), pipeline->pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return ran;
}

/* Waits until all bytes written to the pipe have been read. */
static void wait_until_read(int pipe)
{
	int left = 1;

	for (int i = 0; left && i < 20000; i++) {
		usleep(1000);
		assert_int_equal(ioctl(pipe, FIONREAD, &left), 0);
	}
	assert_int_equal(left, 0);
	usleep(100000);
}

/* A pipe that stays open: SIGINT ends the capture, and what came so far is
 * explained, without the half of a packet at its end. */
static void test_interrupted(void **state)
{
	static struct bytes whole;
	struct pipeline pipeline = open_pipeline();

	write_talk(false, &whole);
	for (size_t i = 0; i < whole.count - 20; i++)
		assert_int_equal(write(pipeline.in, whole.at + i, 1), 1);
	wait_until_read(pipeline.in);
	kill(pipeline.pid, SIGINT);
	struct ran ran = close_pipeline(&pipeline);
	assert_status(ran, 130);
	assert_contains(ran.out, "standard input");
	assert_contains(ran.out, "9 packets");
	assert_contains(ran.out, "handshake");
	assert_int_equal(ran.err.length, 0);
	ran_free(&ran);
	close(pipeline.in);
}

/* Without a signal, half a packet at the end is damage. */
static void test_pipe_cut(void **state)
{
	static struct bytes whole;
	struct pipeline pipeline = open_pipeline();

	write_talk(false, &whole);
	assert_int_equal(write(pipeline.in, whole.at, whole.count - 20),
		whole.count - 20);
	close(pipeline.in);
	struct ran ran = close_pipeline(&pipeline);
	assert_status(ran, 3);
	assert_contains(ran.err, "it ends within packet 10");
	assert_contains(ran.out, "9 packets");
	ran_free(&ran);
}

/* The last packet of the file is long. What is kept of it is there, and the
 * rest is missing: it is not counted. */
static void test_cut_in_payload(void **state)
{
	static struct bytes whole;
	const uint32_t stated = 3000, there = 2000;
	size_t last = 0;

	write_talk(false, &whole);
	for (size_t at = 24; at < whole.count;) {
		uint32_t captured;

		memcpy(&captured, whole.at + at + 8, sizeof captured);
		last = at;
		at += 16 + captured;
	}
	memcpy(whole.at + last + 8, &stated, sizeof stated);
	memcpy(whole.at + last + 12, &stated, sizeof stated);
	memset(whole.at + whole.count, 0, there);
	write_bytes(in_folder("cut"), whole.at, whole.count + there);
	struct ran ran = RUN(PROGRAM, "annotate", in_folder("cut"));
	assert_status(ran, 3);
	assert_contains(ran.err, "it ends within packet 10");
	assert_contains(ran.out, "9 packets");
	ran_free(&ran);
}

static void test_no_pipe(void **state)
{
	struct ran ran = RUN(PROGRAM, "annotate", "-");
	int terminal, status;

	assert_status(ran, 3);
	assert_contains(ran.err, "it is empty");
	ran_free(&ran);
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
	if (!pid) {
		execl(PROGRAM, PROGRAM, "annotate", "-", NULL);
		_exit(127);
	}
	struct text said = { 0 };
	char piece[512];
	for (ssize_t got; (got = read(terminal, piece, sizeof piece)) > 0;)
		text_add_chars(&said, piece, (size_t)got);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_non_null(strstr(text_chars(&said), "is a terminal"));
	text_free(&said);
	close(terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_pipe_cut),
		cmocka_unit_test(test_cut_in_payload),
		cmocka_unit_test(test_no_pipe),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
