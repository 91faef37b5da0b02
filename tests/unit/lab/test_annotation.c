/* Connections as text, with unusual time stamps. */
#include "annotation_text.h"

#include <string.h>

#include "golden_text.h"
#include "unit/packet/talk.h"

static const struct connection_filter every;

/* The time stamp of the answer is slightly earlier than that of the question:
 * no duration is negative. */
static void test_backwards(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 49.9, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
		.ack = 1);
	SAY(&talk, .ms = 49.8, .seq = 1, .ack = 1);
	annotation_text(talk.annotator, "made", &every, &text_layout_plain,
		&text);
	assert_non_null(strstr(text.chars, "FIN, ACK"));
	assert_null(strstr(text.chars, " -0.1"));
	assert_non_null(strstr(text.chars, "with a timestamp before"));
	text_free(&text);
	talk_end(&talk);
}

static void print(const void *what, const struct text_layout *layout,
	struct text *text)
{
	annotation_text(what, "a-name.pcap", &every, layout, text);
}

/* A server that retransmits the same segment repeatedly. */
static void test_repeats(void **state)
{
	struct text_layout layout = text_layout_plain;
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .side = SERVER, .length = 1000);
	for (int i = 0; i < 60; i++)
		SAY(&talk, .ms = 300 + 250 * i, .side = SERVER,
			.length = 1000);
	SAY(&talk, .ms = 20000, .ack = 1000);
	golden_text("annotate-repeats", print, talk.annotator);
	layout.verbose = true;
	annotation_text(talk.annotator, "made", &every, &layout, &text);
	size_t lines = 0;
	for (const char *at = text.chars;
		(at = strstr(at, "server: retransmitted")) != NULL; at++)
		lines++;
	assert_int_equal(lines, 60);
	assert_null(strstr(text.chars, " x6"));
	text_free(&text);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_repeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
