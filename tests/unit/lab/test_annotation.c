/* Connections as text, where stamps are odd. */
#include "annotation_text.h"
#include "unit/packet/talk.h"

/* The answer is stamped a little before its question: no span is negative. */
static void test_backwards(void **state)
{
	struct text text = { 0 };
	struct talk talk;

	talk_start(&talk);
	SAY(&talk, .ms = 50, .flags = TCP_FIN | TCP_ACK);
	SAY(&talk, .ms = 49.9, .side = SERVER, .flags = TCP_FIN | TCP_ACK,
		.ack = 1);
	SAY(&talk, .ms = 49.8, .seq = 1, .ack = 1);
	annotation_text(talk.annotator, "made", &text);
	assert_non_null(strstr(text.chars, "FIN, ACK"));
	assert_null(strstr(text.chars, " -0.1"));
	assert_non_null(strstr(text.chars, "with a timestamp before"));
	text_free(&text);
	talk_end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backwards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
