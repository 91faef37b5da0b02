/* Capture files of one conversation. */
#include "capture_talk.h"

#include "capture.h"
#include "random.h"

const struct segment talk[TALK_PACKETS] = {
	{ .flags = TCP_SYN, .seq = -1, .mss = 1460, .wscale = 8 },
	{ .ms = 250,
		.side = 1,
		.flags = TCP_SYN | TCP_ACK,
		.seq = -1,
		.mss = 1460,
		.wscale = 8 },
	{ .ms = 375 },
	{ .ms = 500, .flags = TCP_ACK | TCP_PSH, .length = 120 },
	{ .ms = 750, .side = 1, .ack = 120 },
	{ .ms = 1000, .side = 1, .ack = 120, .length = 1448 },
	{ .ms = 1250, .seq = 120, .ack = 1448 },
	{ .ms = 1500, .flags = TCP_FIN | TCP_ACK, .seq = 120, .ack = 1448 },
	{ .ms = 1750,
		.side = 1,
		.flags = TCP_FIN | TCP_ACK,
		.seq = 1448,
		.ack = 121 },
	{ .ms = 1875, .seq = 121, .ack = 1449 },
};

void read_bytes(const char *path, struct bytes *bytes)
{
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	bytes->count = fread(bytes->at, 1, sizeof bytes->at, file);
	fclose(file);
}

void write_bytes(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, count, file), count);
	assert_int_equal(fclose(file), 0);
}

void write_talk_on(struct capture_file *file, enum encapsulation on, bool six)
{
	struct flow flow = flow_new();

	flow.six = six;
	for (size_t i = 0; i < TALK_PACKETS; i++) {
		struct made ip = segment_make(&flow, talk[i]);
		struct made made = made_on(&ip, on, six);

		capture_file_add(file, &made, segment_ns(&flow, &talk[i]));
	}
}

void write_talk(bool ng, struct bytes *bytes)
{
	struct capture_file file = { .ng = ng };

	capture_file_open(&file, in_folder("talk.pcap"), LINK_RAW);
	write_talk_on(&file, ON_RAW, false);
	capture_file_close(&file);
	read_bytes(in_folder("talk.pcap"), bytes);
}

char *connections_in(const struct ran *ran)
{
	const char *begin =
		strstr(text_chars(&ran->out), ",\n\"connections\":[");

	assert_non_null(begin);
	return strdup(begin);
}

char *connections_of(const char *path)
{
	struct ran ran = RUN(PROGRAM, "annotate", path, "--json");

	assert_status(ran, 0);
	char *found = connections_in(&ran);
	ran_free(&ran);
	return found;
}

pid_t start_helper(const char *path)
{
	char *helper = capture_program();
	pid_t pid = fork();

	assert_non_null(helper);
	if (!pid) {
		dup2(open(path, O_RDONLY | O_CLOEXEC), 0);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
		execl(helper, helper, "file", NULL);
		_exit(127);
	}
	free(helper);
	return pid;
}

/* A few changed bytes, or a cut: read to the end or refused. */
static void damage(struct bytes *bytes, uint64_t *seed)
{
	for (uint64_t i = random_below(seed, 8); i; i--) {
		size_t at = random_below(seed,
			random_below(seed, 2) ? bytes->count : 120);

		bytes->at[at] = (uint8_t)(random_below(seed, 2) ?
				next_random(seed) :
				bytes->at[at] ^ 1u << random_below(seed, 8));
	}
	if (!random_below(seed, 4))
		bytes->count = random_below(seed, bytes->count);
}

void assert_survives(const struct bytes *file, int times)
{
	static struct bytes bytes;
	uint64_t seed = 24;
	int status;

	for (int i = 0; i < times; i++) {
		bytes = *file;
		damage(&bytes, &seed);
		write_bytes(in_folder("damaged"), bytes.at, bytes.count);
		pid_t pid = start_helper(in_folder("damaged"));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
			fail_msg("damage %d: status %x", i, status);
	}
}
