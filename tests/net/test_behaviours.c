/* The behaviours match their names, by the kernel's own counters. */
#include "behaviours.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "on_link.h"

static struct behaved behaved;

static void make(enum behaviour what)
{
	struct error error = { 0 };

	if (behave(what, NULL, &behaved, &error))
		fail_msg("%s", error.message);
}

static int64_t counted(const char *name)
{
	return behaved_counter(&behaved, LINK_NEAR, name);
}

/* A delay on a busy machine may look like a loss to the kernel, but not the
 * reverse. There are at least as many retransmissions as drops. */
static void loss(void **state)
{
	make(BEHAVIOUR_LOSS);
	assert_int_equal(behaved.counters[LINK_NEAR].lost, 1);
	assert_int_equal(behaved.counters[LINK_NEAR].lost_index[0], 100);
	assert_true(behaved.retransmits >= 1);
	assert_true(
		counted("TCPSackRecovery") >= 1 || counted("TCPTimeouts") >= 1);
}

static void tail_loss(void **state)
{
	make(BEHAVIOUR_TAIL_LOSS);
	assert_int_equal(behaved.counters[LINK_NEAR].lost, 5);
	assert_true(behaved.retransmits >= 5);
	assert_true(
		counted("TCPLossProbes") >= 1 || counted("TCPTimeouts") >= 1);
}

static void rto_chain(void **state)
{
	make(BEHAVIOUR_RTO_CHAIN);
	assert_int_equal(behaved.counters[LINK_NEAR].lost, 4);
	assert_true(behaved.retransmits >= 4);
	assert_true(counted("TCPTimeouts") >= 2);
}

static void zero_window(void **state)
{
	make(BEHAVIOUR_ZERO_WINDOW);
	assert_true(
		behaved_counter(&behaved, LINK_FAR, "TCPToZeroWindowAdv") >= 1);
	assert_true(counted("TCPWinProbe") >= 1);
	assert_int_equal(behaved.counters[LINK_NEAR].lost, 0);
}

static void hystart(void **state)
{
	struct error error = { 0 };

	if (behave(BEHAVIOUR_HYSTART, NULL, &behaved, &error)) {
		if (!strstr(error.message, "cubic: "))
			fail_msg("%s", error.message);
		print_message("SKIP: not permitted here: %s\n", error.message);
		skip();
	}
	assert_true(counted("TCPHystartTrainDetect") +
			counted("TCPHystartDelayDetect") >=
		1);
	/* The kernel has set a finite threshold, below the thousand packets of
	 * the queue. */
	assert_true(behaved.ssthresh < 1000);
	assert_int_equal(behaved.counters[LINK_NEAR].refused, 0);
}

static void overshoot(void **state)
{
	make(BEHAVIOUR_OVERSHOOT);
	assert_true(behaved.counters[LINK_NEAR].refused > 50);
	assert_true(behaved.retransmits >= behaved.counters[LINK_NEAR].refused);
	assert_int_equal(behaved.counters[LINK_NEAR].queue_peak, 80);
}

/* Each side sends SYN and SYN+ACK, at least two packets, and then those that
 * close the connection. */
static void simultaneous(void **state)
{
	make(BEHAVIOUR_SIMULTANEOUS);
	assert_int_equal(behaved.state, 1); /* established */
	assert_true(behaved.counters[LINK_NEAR].packets >= 2);
	assert_true(behaved.counters[LINK_FAR].packets >= 2);
}

static void self(void **state)
{
	make(BEHAVIOUR_SELF);
	assert_int_equal(behaved.state, 1);
	assert_int_equal(behaved.counters[LINK_NEAR].packets, 0);
}

static void unknown_counter(void **state)
{
	assert_int_equal(counted("TCPTime"), -1);
	assert_int_equal(counted("NoSuchThing"), -1);
	assert_true(counted("TCPTimeouts") >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loss),
		cmocka_unit_test(tail_loss),
		cmocka_unit_test(rto_chain),
		cmocka_unit_test(zero_window),
		cmocka_unit_test(hystart),
		cmocka_unit_test(overshoot),
		cmocka_unit_test(simultaneous),
		cmocka_unit_test(self),
		cmocka_unit_test(unknown_counter),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
