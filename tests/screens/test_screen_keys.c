/* Keys, typed lines, and their effect on the screen. */
#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "hint.h"
#include "keys.h"
#include "many_fixture.h"
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
		text_add(&text, "focus %s",
			views[view_named(where)].places[0].name);
	else if (view_with_place(where, &place) < VIEWS)
		text_add(&text, "focus %s", where);
	else if (*where && strcmp(where, "views") != 0)
		fail_msg("keys of nowhere: '%s'", where);
	screen_execute(&screen, text_chars(&text));
	text_clear(&screen.message);
	text_free(&text);
}

/* Each listed key has its effect: the language accepts every line of the table.
 * If a key has no effect at present, a sentence states why. */
static void test_r08_every_listed_key(void **state)
{
	many_keep_fleet(&lab.many, many_fleet());
	many_keep_history(&lab.many, many_history());
	lab.many.news = NULL;
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

/* The help begins with ten keys for beginners, all visible at 80x24. */
static void test_help_begins_with_ten(void **state)
{
	size_t count = 0;

	press("?");
	const char *drawn = drawn_at(80, 24);
	for (const struct first_keys *row = first_keys; row->keys; row++) {
		assert_non_null(strstr(drawn, row->help));
		count++;
	}
	assert_int_equal(count, 10);
	go_to("form");
	for (const struct first_keys *row = first_keys; row->keys; row++) {
		char *keys = xstrdup(row->keys), *rest = keys;

		for (char *key; (key = strtok_r(rest, " ", &rest));)
			assert_non_null(binding_find(&screen, key));
		free(keys);
	}
}

/* The key bar of every screen offers exports of its contents. Without a result
 * it offers none, because an export would be refused. */
static void test_bar_offers_what_applies(void **state)
{
	static const char *const names[] = { "lab", "sweep", "compare",
		"machine", "net" };
	struct session *session = session_new();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		go_to(names[i]);
		assert_non_null(strstr(drawn_at(80, 24), "E export  "));
	}
	go_to("lab");
	assert_non_null(strstr(drawn_at(80, 24), "d details  w save  "));
	struct session *kept = lab.session;
	lab.session = session;
	assert_null(strstr(drawn_at(80, 24), "E export"));
	assert_null(strstr(drawn_at(80, 24), "d details"));
	assert_null(strstr(drawn_at(80, 24), "w save"));
	assert_non_null(strstr(drawn_at(80, 24), "r run  e edit  p predict "));
	lab.session = kept;
	session_free(session);
}

/* As in less and vim, keys go to the end of a list or page, with the same
 * glyphs. */
static void test_g_and_G_are_the_ends(void **state)
{
	enum tier tier = screen.tier;

	press("g");
	assert_int_equal(screen.selected, 0);
	press("G");
	assert_int_equal(screen.selected, screen.item_count - 1);
	press("?");
	press("G");
	int end = screen.page.row;
	assert_true(end > 0);
	press("End");
	assert_int_equal(screen.page.row, end);
	press("g");
	assert_int_equal(screen.page.row, 0);
	assert_int_equal(screen.tier, tier);
}

/* ---- typing ----------------------------------------------------------- */

/* Esc never quits, and discards typed text only when pressed twice. */
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

/* A field reports errors while it is typed. */
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
	/* If a value is refused, the old value remains. */
	screen_execute(&screen, "edit");
	press("End");
	fixture_type(&screen, "x");
	press("Enter");
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "4K");
	assert_int_equal(screen.message_role, ROLE_BAD);
	/* The refused text remains, to be corrected. */
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

/* The content of a field is selected: a character replaces it, Backspace
 * deletes it, a cursor key keeps it. */
static void test_typing_replaces(void **state)
{
	static const struct {
		const char *key, *line;
	} rows[] = { { "8", "8" }, { "Backspace", "" }, { "Delete", "" },
		{ "End", "4K" }, { "Left", "4K" }, { "Home", "4K" },
		{ "C-e", "4K" } };

	screen_execute(&screen, "pick cpu.syscall; focus form; field 2");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		screen_execute(&screen, "edit");
		assert_true(screen.prompt.selected);
		press(rows[i].key);
		assert_string_equal(screen.prompt.line, rows[i].line);
		assert_false(screen.prompt.selected);
		prompt_close(&screen.prompt);
	}
	screen_execute(&screen, "edit");
	press("Left");
	fixture_type(&screen, "0");
	assert_string_equal(screen.prompt.line, "40K");
	prompt_close(&screen.prompt);
	/* Typing replaces the suggested file name, but not the verb. */
	screen_execute(&screen, "view lab; prompt save");
	assert_true(strlen(screen.prompt.line) > 9);
	fixture_type(&screen, "a.json");
	assert_string_equal(screen.prompt.line, "save a.json");
	prompt_close(&screen.prompt);
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
	/* A name counts before a title, here "System call". */
	screen_execute(&screen, "pick cpu.call; find m");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	screen_execute(&screen, "pick cpu.call; again 1");
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
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
	/* None of them was run: the marks remain, and the message states
	 * this. */
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

/* The prediction field of the form executes the verb `predict`. */
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
	/* A prediction for a measured experiment is marked as made
	 * afterwards. */
	screen_execute(&screen, "pick cpu.syscall");
	press("p");
	fixture_type(&screen, "80ns");
	press("Enter");
	assert_true(lab.predictions[1].post_hoc);
}

/* A unit may be separated from its number; the form shows the prediction in
 * canonical form. */
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

/* Actions by keys are recorded as lines that can be replayed. */
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
		IN_LAB(test_help_begins_with_ten),
		IN_LAB(test_bar_offers_what_applies),
		IN_LAB(test_g_and_G_are_the_ends),
		IN_LAB(test_esc),
		IN_LAB(test_history),
		IN_LAB(test_completes_files),
		IN_LAB(test_live_validation),
		IN_LAB(test_typing_replaces),
		IN_LAB(test_find),
		IN_LAB(test_find_opens_folded_groups),
		IN_LAB(test_marks_run_in_turn),
		IN_LAB(test_prediction),
		IN_LAB(test_prediction_as_it_is_said),
		IN_LAB(test_r18_record),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
