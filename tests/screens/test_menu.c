/* Menus: changing and deleting notes, and lines for exports. */
#include "golden.h"
#include "keys.h"
#include "menu.h"
#include "tiers.h"

#include "seated.h"

static const char *note(size_t i)
{
	return lab.session->notes[i].text;
}

static void test_notes(void **state)
{
	screen_execute(&screen, "note first; note \"the second one\"");
	press("A");
	assert_int_equal(menu_count(&screen), 3);
	press("Down");
	press("Enter");
	/* The line contains the present words, to be edited. */
	assert_string_equal(screen.prompt.line,
		"note --instead=2 the second one");
	press("C-u");
	fixture_type(&screen, "another");
	press("Enter");
	assert_int_equal(lab.session->note_count, 2);
	assert_string_equal(note(1), "another");
	assert_string_equal(note(0), "first");
	press("A");
	press("D");
	assert_int_equal(lab.session->note_count, 1);
	assert_string_equal(note(0), "another");
	press("Down"); /* the entry that adds one */
	press("Enter");
	fixture_type(&screen, "last");
	press("Enter");
	assert_string_equal(note(1), "last");
}

static void test_refused(void **state)
{
	static const struct answer cases[] = {
		{ "note", "too few words" },
		{ "note --delete=1", "no note 1: the session has 0" },
		{ "note --delete=x", "no note 'x'" },
		{ "note --delete=1 words", "expected no text" },
		{ "note --instead=0 words", "no note '0'" },
		{ "menu take", "no menu is open" },
		{ "menu remove", "no note is selected" },
		{ "menu lunch", "expected one of export" },
	};

	assert_answers(cases, sizeof cases / sizeof *cases);
}

/* Every entry is a valid line of the language. */
static void test_export(void **state)
{
	press("E");
	int count = menu_count(&screen);
	assert_true(count >= 8);
	press("Esc");
	for (int i = 0; i < count; i++) {
		struct words words;
		struct error error;

		press("E");
		for (int k = 0; k < i; k++)
			press("Down");
		press("Enter");
		assert_int_equal(screen.menu.kind, MENU_NONE);
		assert_int_equal(screen.prompt.kind, PROMPT_COMMAND);
		struct reader reader = reader_of(screen.prompt.line);
		assert_int_equal(words_read(&words, &reader, &error), 0);
		if (command_check(&lab, &words, &error))
			fail_msg("%s: %s", screen.prompt.line, error.message);
		words_free(&words);
		press("Esc");
		press("Esc");
	}
}

static void test_keys_are_the_menus(void **state)
{
	press("E");
	assert_string_equal(binding_place(&screen), "menu");
	press("q"); /* closes the menu, and does not quit */
	assert_false(lab.quit);
	assert_int_equal(screen.menu.kind, MENU_NONE);
}

/* The golden grids of both menus. */
static void test_golden(void **state)
{
	struct machine *machine = &lab.session->machine;

	snprintf(machine->hostname, sizeof machine->hostname, "zen4");
	snprintf(machine->kernel, sizeof machine->kernel, "6.1.0");
	fixture_select(&screen, "cpu.syscall");
	screen_execute(&screen, "menu export; entry 2");
	golden(&screen, "menu-export");
	press("Esc");
	screen_execute(&screen,
		"note \"before the new kernel\"; note \"it rained\"; menu "
		"notes; entry 1");
	for (size_t i = 0; i < lab.session->note_count; i++) {
		struct session_note *made = &lab.session->notes[i];

		free(made->at);
		made->at = xstrdup("2025-11-20T14:02:00+0100");
	}
	golden(&screen, "menu-notes");
}

static void test_r06_every_size(void **state)
{
	static const char *const lines[] = { "menu export; entry 7",
		"menu notes; entry 20" };

	for (int i = 0; i < 20; i++)
		screen_execute(&screen,
			"note \"a note that is longer than many a screen is "
			"wide, as notes are\"");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		screen_execute(&screen, lines[i]);
		draw_sizes(&screen, 300, 100, 4, 3);
	}
	draw_every_size(&screen, lines, sizeof lines / sizeof *lines);
}

int main(void)
{
#define IN_LAB(test) \
	cmocka_unit_test_setup_teardown(test, open_measured, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_notes),
		IN_LAB(test_refused),
		IN_LAB(test_export),
		IN_LAB(test_keys_are_the_menus),
		IN_LAB(test_golden),
		IN_LAB(test_r06_every_size),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
