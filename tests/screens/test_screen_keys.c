/* Keys, typed lines, and what they do to the screen. */
#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "hint.h"
#include "keys.h"
#include "seated.h"

/* ---- every key -------------------------------------------------------- */

static void go_to(const char *where)
{
	struct text text = { 0 };
	int place;

	screen_close_page(&screen);
	screen.menu.kind = MENU_NONE;
	prompt_close(&screen.prompt);
	screen_execute(&screen, "view lab; pick cpu.syscall");
	if (!strcmp(where, "page"))
		screen_execute(&screen, "keys");
	else if (!strcmp(where, "menu"))
		screen_execute(&screen, "menu notes");
	else if (view_named(where) < VIEWS)
		text_add(&text, "view %s", where);
	else if (view_with_place(where, &place) < VIEWS)
		text_add(&text, "focus %s", where);
	else if (*where && strcmp(where, "views") != 0)
		fail_msg("keys of nowhere: '%s'", where);
	screen_execute(&screen, text_chars(&text));
	text_clear(&screen.message);
	text_free(&text);
}

/* Each listed key does what it says: no line of the table is refused by the
 * language. What it cannot do at this moment it says in a sentence. */
static void test_r08_every_listed_key(void **state)
{
	for (const struct binding *row = bindings; row->key; row++) {
		go_to(row->where);
		assert_ptr_equal(binding_find(&screen, row->key)->line,
			row->line);
		press(row->key);
		if (strstr(said(), "unknown command") || strstr(said(), "too few") ||
			strstr(said(), "too many"))
			fail_msg("%s %s: %s", row->where, row->key, said());
		if (lab_busy(&lab))
			lab_stop(&lab);
		lab.quit = false;
	}
}

/* No key of the help needs a function key, Alt or the mouse. */
static void test_r08_letters_do_everything(void **state)
{
	for (const struct binding *row = bindings; row->key; row++) {
		bool other = false;

		if (row->key[0] != 'F' || !row->key[1])
			continue;
		for (const struct binding *also = bindings; also->key; also++)
			other |= also->key[0] != 'F' &&
				!strcmp(also->line, row->line);
		assert_true(other);
	}
}

static void test_r08_help_names_every_key(void **state)
{
	press("?");
	assert_non_null(screen.page.text);
	for (const struct binding *row = bindings; row->key; row++) {
		struct text line = { 0 };

		text_add(&line, "  %-10s%-18s%s\n", row->key, row->line,
			row->help);
		assert_non_null(strstr(screen.page.text, line.chars));
		text_free(&line);
	}
	press("/");
	fixture_type(&screen, "SAVES");
	press("Enter");
	assert_string_equal(screen.page.filter, "SAVES");
	assert_true(page_rows(&screen.page, 70) < 4);
	press("Esc");
	assert_null(screen.page.filter);
	press("Esc");
	assert_null(screen.page.text);
}

/* ---- typing ----------------------------------------------------------- */

/* Esc never leaves, and gives up what was typed only at the second time. */
static void test_esc(void **state)
{
	press("Esc");
	assert_false(lab.quit);
	press(":");
	press("Esc");
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
	fixture_type(&screen, ":note");
	press("Esc");
	assert_int_equal(screen.prompt.kind, PROMPT_COMMAND);
	assert_string_equal(screen.prompt.line, "note");
	struct text hint = { 0 };
	hint_of_prompt(&screen, &hint);
	assert_non_null(strstr(hint.chars, "Esc again"));
	text_free(&hint);
	fixture_type(&screen, "s");
	press("Esc");
	press("Esc");
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
}

static void test_history(void **state)
{
	fixture_type(&screen, ":words");
	press("Enter");
	press("Esc");
	fixture_type(&screen, ":keys");
	press("Enter");
	press("Esc");
	press(":");
	press("Up");
	assert_string_equal(screen.prompt.line, "keys");
	press("Up");
	assert_string_equal(screen.prompt.line, "words");
	press("Down");
	press("Down");
	assert_string_equal(screen.prompt.line, "");
}

static void test_completes_files(void **state)
{
	struct text folder = { 0 };

	text_add(&folder, "%s/files", getenv("HOME"));
	struct text command = { 0 };
	text_add(&command,
		"mkdir -p %s/deep && touch %s/one.json "
		"%s/once.json %s/.hidden '%s/two words'",
		folder.chars, folder.chars, folder.chars, folder.chars,
		folder.chars);
	assert_int_equal(system(command.chars), 0);
	text_clear(&command);
	text_add(&command, ":load %s/on", folder.chars);
	fixture_type(&screen, command.chars);
	press("Tab");
	assert_int_equal(screen.prompt.offered.count, 2);
	fixture_type(&screen, "e");
	press("Tab");
	text_clear(&command);
	text_add(&command, "load %s/one.json ", folder.chars);
	assert_string_equal(screen.prompt.line, command.chars);
	press("C-u");
	text_clear(&command);
	text_add(&command, "save %s/d", folder.chars);
	fixture_type(&screen, command.chars);
	press("Tab");
	assert_non_null(strstr(screen.prompt.line, "/files/deep/"));
	text_free(&command);
	text_free(&folder);
}

/* A field says what is wrong with it while it is typed. */
static void test_live_validation(void **state)
{
	static const struct hinted cases[] = {
		{ "4K", "Enter applies it", false },
		{ "4K,8K", "a sweep of 2 values", false },
		{ "1..1M", "a sweep of 21 values", false },
		{ "4Kx", "character 2", true },
		{ "2G", "size", true },
		{ "", "size", true },
	};

	screen_execute(&screen, "pick cpu.syscall; focus form; field 2");
	assert_hints(cases, sizeof cases / sizeof *cases);
	/* A value that is refused leaves the old one. */
	screen_execute(&screen, "edit");
	fixture_type(&screen, "x");
	press("Enter");
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "4K");
	assert_int_equal(screen.message_role, ROLE_BAD);
	/* It is still there, to be mended. */
	assert_int_equal(screen.prompt.kind, PROMPT_FIELD);
	assert_string_equal(screen.prompt.line, "4Kx");
	press("Backspace");
	press("Backspace");
	press("Backspace");
	fixture_type(&screen, "8K");
	press("Enter");
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "8K");
	assert_string_equal(said(), "");
}

/* ---- working ---------------------------------------------------------- */

static void test_find(void **state)
{
	screen_execute(&screen, "pick cpu; fold; pick cpu.call");
	press("/");
	fixture_type(&screen, "SYSTEM");
	press("Enter"); /* in the title, whatever the case */
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
	press("/");
	fixture_type(&screen, "c");
	press("Enter");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	press("n");
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.call");
	press("N");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	press("/");
	fixture_type(&screen, "nowhere");
	press("Enter");
	assert_non_null(strstr(said(), "no experiment has 'nowhere'"));
}

static void test_find_opens_folded_groups(void **state)
{
	screen_execute(&screen, "pick mem; fold");
	assert_int_equal(screen.item_count, 4);
	screen_execute(&screen, "find latency");
	assert_int_equal(screen.item_count, 5);
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
}

static void test_marks_run_in_turn(void **state)
{
	press("R");
	assert_non_null(strstr(said(), "no experiment is marked"));
	screen_execute(&screen, "pick cpu; mark; pick mem.latency");
	screen_execute(&screen, "edit call=read; mark");
	press("R");
	assert_int_equal(lab.queue_count, 3);
	assert_string_equal(lab.queue[0].experiment->name, "cpu.call");
	assert_string_equal(lab.queue[2].args.values[0].typed, "read");
	press("r");
	assert_non_null(strstr(said(), "a run is in progress"));
	lab_stop(&lab);
	assert_int_equal(lab.queue_count, 0);
	/* None of them came to run: the marks are still there, and it is
	 * said. */
	screen_take_ended(&screen);
	for (size_t i = 0; i < lab.registry.count; i++)
		assert_true(screen.forms[i].marked);
	assert_non_null(strstr(said(), "3 marked experiments did not run"));
	text_clear(&screen.message);
	screen_take_ended(&screen);
	assert_string_equal(said(), "");
	press("R");
	assert_int_equal(lab.queue_count, 3);
	lab_stop(&lab);
}

/* The field of the form is the verb `predict`. */
static void test_prediction(void **state)
{
	const struct prediction *own;

	screen_execute(&screen, "pick cpu.call");
	own = &lab.predictions[0];
	press("p");
	fixture_type(&screen, "80..120ns");
	press("Enter");
	assert_true(own->set);
	assert_false(own->post_hoc);
	assert_true(own->total.low == 80 && own->total.high == 120);
	press("p");
	press("C-u");
	fixture_type(&screen, "hw=10..20ns sw=30..40ns");
	press("Enter");
	assert_true(own->total.low == 40 && own->total.high == 60);
	press("p");
	press("C-u");
	fixture_type(&screen, "9..1ns");
	press("Enter");
	assert_true(own->total.low == 40);
	assert_int_equal(screen.message_role, ROLE_BAD);
	assert_int_equal(screen.prompt.kind, PROMPT_PREDICT);
	assert_string_equal(screen.prompt.line, "9..1ns");
	press("Esc");
	press("Esc");
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
	/* One that was measured already is not foreseen any more. */
	screen_execute(&screen, "pick cpu.syscall");
	press("p");
	fixture_type(&screen, "80ns");
	press("Enter");
	assert_true(lab.predictions[1].post_hoc);
}

/* A unit may stand apart from its number, and what was said comes back. */
static void test_prediction_as_it_is_said(void **state)
{
	static const struct {
		const char *typed, *again;
		double low, high;
	} rows[] = { { "300 ns", "300ns", 300, 300 },
		{ "50..90 ns", "50ns..90ns", 50, 90 },
		{ " 50 ns .. 90 ns ", "50ns..90ns", 50, 90 },
		{ "hw=10 .. 20 ns sw=30 ns", "hw=10ns..20ns sw=30ns", 40, 50 },
		{ "hw=200..400ns", "200ns..400ns", 200, 400 } };

	screen_execute(&screen, "pick cpu.call");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct range *total = &lab.predictions[0].total;

		press("p");
		press("C-u");
		fixture_type(&screen, rows[i].typed);
		press("Enter");
		assert_int_equal(screen.prompt.kind, PROMPT_NONE);
		assert_true(total->low == rows[i].low);
		assert_true(total->high == rows[i].high);
		press("p");
		assert_string_equal(screen.prompt.line, rows[i].again);
		press("Enter");
		assert_true(total->low == rows[i].low);
		assert_true(total->high == rows[i].high);
	}
}

/* What is done by keys is recorded as lines that can be replayed. */
static void test_r18_record(void **state)
{
	struct text line = { 0 }, content = { 0 };
	struct error error;

	text_add(&line, "record %s/keys.lab", getenv("HOME"));
	screen_execute(&screen, line.chars);
	screen_execute(&screen, "pick cpu.syscall; edit call=read,getpid");
	press("p");
	fixture_type(&screen, "80..90ns");
	press("Enter");
	press("r");
	lab_stop(&lab);
	fixture_type(&screen, ":note it rained");
	press("Enter");
	screen_execute(&screen, "record off");
	assert_int_equal(file_read(line.chars + 7, 1 << 16, &content, &error),
		0);
	assert_non_null(strstr(content.chars,
		"predict cpu.syscall hw=80..90ns\n"
		"run cpu.syscall call=read,getpid\n"
		"note it rained\n"));
	assert_null(strstr(content.chars, "pick"));
	text_free(&line);
	text_free(&content);
}

int main(void)
{
#define IN_LAB(test) \
	cmocka_unit_test_setup_teardown(test, open_measured, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_r08_every_listed_key),
		IN_LAB(test_r08_letters_do_everything),
		IN_LAB(test_r08_help_names_every_key),
		IN_LAB(test_esc),
		IN_LAB(test_history),
		IN_LAB(test_completes_files),
		IN_LAB(test_live_validation),
		IN_LAB(test_find),
		IN_LAB(test_find_opens_folded_groups),
		IN_LAB(test_marks_run_in_turn),
		IN_LAB(test_prediction),
		IN_LAB(test_prediction_as_it_is_said),
		IN_LAB(test_r18_record),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
