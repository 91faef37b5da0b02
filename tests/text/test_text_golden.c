/* Results as plain text: at three widths, in block characters and in ASCII. No
 * line of any result is wider than its layout. */
#include "golden_text.h"
#include "made.h"
#include "print_results.h"
#include "probe_list.h"
#include "unit/lab/lab_fixture.h"

/* Results that are printed one after another. */
struct printed {
	struct results *const *runs;
	size_t count;
	const struct machine *machine; /* NULL: unknown */
};

static void print_all(const void *what, const struct text_layout *layout,
	struct text *text)
{
	const struct printed *printed = what;

	for (size_t i = 0; i < printed->count; i++)
		print_results(printed->runs[i], printed->machine, layout, text);
}

static void check(const char *name, const struct printed *printed)
{
	golden_text(name, print_all, printed);
	for (int width = 80; width <= 120; width += 20) {
		struct text_layout layout = { .width = width };
		struct text text = { 0 };

		/* For screen readers: without drawings. */
		print_all(printed, &layout, &text);
		assert_fits(name, &text, &layout);
		assert_null(strchr(text.chars, '#'));
		text_clear(&text);
		layout.verbose = layout.bars = layout.utf8 = true;
		print_all(printed, &layout, &text);
		assert_fits(name, &text, &layout);
		text_free(&text);
	}
}

static void test_states(void **state)
{
	for (const struct made *made = made_states; made->name; made++) {
		struct results *results = made->make();

		check(made->name, &(struct printed){ &results, 1, NULL });
		results_free(results);
	}
}

/* Sessions that were measured. */
static void test_sessions(void **state)
{
	static const struct {
		const char *name, *file;
	} sessions[] = {
		{ "syscall", SOURCE_FOLDER "/assets/pictures/syscall.json" },
		{ "calls", SOURCE_FOLDER "/assets/pictures/calls.json" },
		{ "latency", SOURCE_FOLDER "/assets/pictures/latency.json" },
		{ "slowstart",
			SOURCE_FOLDER "/assets/pictures/slowstart.json" },
	};
	struct lab lab;

	lab_init(&lab, probe_list);
	for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
		struct error error;
		struct session *session =
			lab_open_session(&lab, sessions[i].file, &error);

		assert_non_null(session);
		check(sessions[i].name,
			&(struct printed){ session->runs, session->run_count,
				&session->machine });
		session_free(session);
	}
	lab_release(&lab);
}

/* Where the kernel reports no caches, none is named. */
static void test_whose_levels(void **state)
{
	static const struct {
		const char *level, *says;
	} notes[] = {
		{ "L2", "levels by the kernel's cache sizes;" },
		{ "?", "the kernel reports no caches;" },
	};
	const struct text_layout layout = { .width = 100, .verbose = true };

	for (size_t i = 0; i < 2; i++) {
		struct results *results = made_states[0].make();
		struct text text = { 0 };

		point_add_note(&results->points[0], "level", notes[i].level);
		print_results(results, NULL, &layout, &text);
		assert_non_null(strstr(text.chars, notes[i].says));
		assert_null(strstr(text.chars, notes[1 - i].says));
		text_free(&text);
		results_free(results);
	}
}

/* Bold and colour add only escape sequences to the text. */
static void test_colour(void **state)
{
	struct results *results = made_states[0].make();
	struct text_layout layout = { .width = 100, .utf8 = true,
		.bars = true };
	struct text plain = { 0 }, coloured = { 0 }, bare = { 0 };

	print_results(results, NULL, &layout, &plain);
	layout.colour = true;
	print_results(results, NULL, &layout, &coloured);
	assert_non_null(strstr(coloured.chars, "\033[1m"));
	for (const char *at = coloured.chars; *at; at++)
		if (*at == '\033')
			at += strcspn(at, "m");
		else
			text_add_char(&bare, *at);
	assert_string_equal(bare.chars, plain.chars);
	text_free(&plain);
	text_free(&coloured);
	text_free(&bare);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_whose_levels),
		cmocka_unit_test(test_colour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
