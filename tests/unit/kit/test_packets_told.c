/* Reports of an experiment beside the packets of its run. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture_wire.h"
#include "check.h"
#include "packets.h"

static int file;

static int make(void **state)
{
	file = memfd_create("packets", MFD_CLOEXEC);
	return file < 0 || fcntl(file, F_SETFL, O_APPEND);
}

static int drop(void **state)
{
	return close(file);
}

static struct tcp_report report_of(uint32_t window, uint32_t threshold)
{
	struct tcp_report report;

	memset(&report, 0, sizeof report);
	report.length = sizeof report.account;
	report.account.send_mss = 1448;
	report.account.congestion_window = window;
	report.account.send_ssthresh = threshold;
	report.account.unacked = 20;
	report.account.sacked = 5;
	report.account.lost = 2;
	report.account.retrans = 1;
	report.account.rtt_us = 40123;
	report.account.total_retrans = 3;
	return report;
}

static void test_told(void **state)
{
	const struct link_args link = { .rtt_ns = 40000000,
		.rate_bit_s = 20000000,
		.queue = 80 * UNIT_QUEUE_PACKETS };
	struct tcp_report slow = report_of(10, 0x7fffffff);
	struct tcp_report lossy = report_of(30, 15), old = report_of(1, 1);
	struct packets *packets = packets_follow(file);
	struct packet_record record;

	old.length = 8;
	packets_tell_path(file, 40000, 5, "reno", &link);
	packets_tell_path(file, 40001, 6, "cubic", NULL);
	packets_tell_sample(file, 40000, 7, &slow);
	packets_tell_sample(file, 40000, 8, &lossy);
	packets_tell_sample(file, 40000, 9, &old);
	packets_tell_sample(-1, 40000, 9, &slow);
	assert_false(packets_next(packets, &record));
	assert_false(packets_state(packets)->damaged);
	const struct tcpinfo_log *tcpinfo = packets_tcpinfo(packets);
	const struct tcpinfo_path *paths = tcpinfo->paths.data;
	const struct tcpinfo_sample *samples = tcpinfo->samples.data;
	assert_int_equal(tcpinfo->paths.count, 2);
	assert_string_equal(paths[0].congestion, "reno");
	assert_int_equal(paths[0].queue_bytes, 80 * LINK_MTU);
	assert_int_equal(paths[0].rate_bit_s, 20000000);
	assert_int_equal(paths[1].port, 40001);
	assert_int_equal(paths[1].rate_bit_s, 0);
	assert_int_equal(tcpinfo->samples.count, 2);
	assert_int_equal(samples[0].window_bytes, 10 * 1448);
	assert_int_equal(samples[0].threshold_bytes, 0);
	assert_int_equal(samples[0].in_flight_bytes, 14 * 1448);
	assert_int_equal(samples[0].rtt_ns, 40123000);
	assert_int_equal(samples[1].threshold_bytes, 15 * 1448);
	assert_int_equal(samples[1].resent, 3);
	assert_int_equal(samples[1].t_ns, 8);
	packets_unfollow(packets);
}

/* A report is not a packet, and not in the saved file. */
static void test_not_saved(void **state)
{
	struct tcp_report report = report_of(10, 5);
	struct error error = { 0 };

	packets_tell_sample(file, 40000, 7, &report);
	assert_int_equal(packets_save(file, "/tmp/benchtop-none", &error), -1);
	assert_string_equal(error.message, "the run has no packets");
}

/* A report of a wrong length is ignored. */
static void test_cut(void **state)
{
	const struct capture_header header = { .kind = CAPTURE_TOLD_SAMPLE,
		.byte_count = 8 };
	char record[sizeof header + 8] = { 0 };
	struct packets *packets = packets_follow(file);
	struct packet_record got;

	memcpy(record, &header, sizeof header);
	assert_int_equal(write(file, record, sizeof record), sizeof record);
	assert_false(packets_next(packets, &got));
	assert_true(packets_state(packets)->damaged);
	assert_int_equal(packets_tcpinfo(packets)->samples.count, 0);
	packets_unfollow(packets);
}

/* The helper writes records while the worker writes reports: no record is
 * incomplete, and none overwrites another. */
static void test_two_writers(void **state)
{
	enum { PIECES = 20000, EACH = 10 };
	struct tcp_report report = report_of(10, 5);
	static struct capture_header many[EACH];
	struct packets *packets;
	struct packet_record record;
	size_t got = 0;
	int status;

	for (int i = 0; i < EACH; i++)
		many[i] = (struct capture_header){ .kind = CAPTURE_PACKET };
	pid_t helper = fork();
	assert_true(helper >= 0);
	for (int i = 0; !helper && i < PIECES; i++)
		if (write(file, many, sizeof many) != (ssize_t)sizeof many)
			_exit(1);
	if (!helper)
		_exit(0);
	for (int i = 0; i < PIECES; i++)
		packets_tell_sample(file, 40000, i, &report);
	assert_int_equal(waitpid(helper, &status, 0), helper);
	assert_int_equal(status, 0);
	packets = packets_follow(file);
	while (packets_next(packets, &record))
		got++;
	assert_false(packets_state(packets)->damaged);
	assert_int_equal(got, PIECES * EACH);
	assert_int_equal(packets_tcpinfo(packets)->samples.count, PIECES);
	packets_unfollow(packets);
}

int main(void)
{
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make, drop)
	const struct CMUnitTest tests[] = {
		WITH_FILE(test_told),
		WITH_FILE(test_not_saved),
		WITH_FILE(test_cut),
		WITH_FILE(test_two_writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
