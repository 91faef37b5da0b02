/* `snapshot`: files from the same grid that the terminal shows, and
 * refusals. */
#include <unistd.h>

#include "file.h"
#include "fixture.h"
#include "picture.h"

static char folder[] = "/dev/shm/benchtop-snapshot-XXXXXX";

static void path_of(const char *name, struct text *path)
{
	text_clear(path);
	text_add(path, "%s/%s", folder, name);
}

static bool exists(const char *name)
{
	struct text path = { 0 };

	path_of(name, &path);
	bool there = !access(path.chars, F_OK);
	text_free(&path);
	return there;
}

static void read_back(const char *name, struct text *content)
{
	struct text path = { 0 };
	struct error error;

	path_of(name, &path);
	text_clear(content);
	assert_int_equal(file_read(path.chars, 1 << 20, content, &error), 0);
	text_free(&path);
}

/* Executes `snapshot VIEW folder/NAME REST`; the sentence of its error, or
 * NULL. */
static const char *snap(struct lab *lab, const char *view, const char *name,
	const char *rest)
{
	static struct error error;
	struct text line = { 0 };
	struct reply reply = { 0 };
	struct words words;

	text_add(&line, "snapshot %s %s/%s %s", view, folder, name, rest);
	struct reader reader = reader_of(line.chars);
	assert_int_equal(words_read(&words, &reader, &error), 0);
	enum outcome outcome = command_exec(lab, &words, &reply);
	error = reply.error;
	words_free(&words);
	reply_free(&reply);
	text_free(&line);
	return outcome == OUTCOME_DONE ? NULL : error.message;
}

static void test_text_is_the_grid(void **state)
{
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };
	struct text drawn = { 0 }, file = { 0 };

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "cpu.syscall");
	grid_reset(&grid, 120, 40, screen.tier);
	view_draw(&screen, &grid);
	grid_dump(&grid, &drawn);
	assert_null(snap(&lab, "lab", "a.txt", "120x40"));
	read_back("a.txt", &file);
	assert_string_equal(text_chars(&file), drawn.chars);
	text_free(&drawn);
	text_free(&file);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

/* Every tag is closed, and the text is ASCII or letters. */
static void check_svg(const char *svg)
{
	int depth = 0;

	assert_int_equal(strncmp(svg, "<svg xmlns=", 11), 0);
	for (const char *at = svg; (at = strchr(at, '<')); at++) {
		const char *end = strchr(at, '>');

		assert_non_null(end);
		if (at[1] == '/')
			depth--;
		else if (end[-1] != '/')
			depth++;
		assert_true(depth >= 0);
	}
	assert_int_equal(depth, 0);
	assert_null(strstr(svg, "nan"));
	for (const char *at = svg; (at = strchr(at, '&')); at++)
		assert_true(!strncmp(at, "&amp;", 5) ||
			!strncmp(at, "&lt;", 4) || !strncmp(at, "&gt;", 4));
}

static void test_svg(void **state)
{
	struct screen screen;
	struct lab lab;
	struct text first = { 0 }, second = { 0 };

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "cpu.syscall");
	for (int tier = 0; tier < TIERS; tier++)
		for (int theme = 0; theme < THEMES; theme++) {
			screen.tier = (enum tier)tier;
			screen.theme = (enum theme)theme;
			assert_null(snap(&lab, "lab", "a.svg", "120x40"));
			assert_null(snap(&lab, "lab", "b.svg", "120x40"));
			read_back("a.svg", &first);
			read_back("b.svg", &second);
			assert_string_equal(first.chars, second.chars);
			check_svg(first.chars);
			assert_non_null(strstr(first.chars, ">Result<"));
		}
	text_free(&first);
	text_free(&second);
	fixture_close(&lab, &screen);
}

/* Every character of the tiers is drawn as a shape or as a letter. */
static void test_every_glyph_is_drawn(void **state)
{
	for (uint32_t code = 0x21; code < 0x2900; code++) {
		struct grid grid = { 0 };
		struct text svg = { 0 };

		if (!fixture_in_diet(code))
			continue;
		/* Box characters that no widget uses are left out. */
		if (code >= 0x2500 && code <= 0x257f) {
			bool used = false;

			for (int glyph = 0; glyph < GLYPHS; glyph++)
				used |= glyph_code(TIER_BLOCK,
						(enum glyph)glyph) == code;
			if (!used)
				continue;
		}
		grid_reset(&grid, 1, 1, TIER_BRAILLE);
		grid.cells[0].code = code;
		picture_svg(&grid, &svg);
		if (code == 0x2800) /* braille without a dot */
			assert_null(strstr(svg.chars, "<path"));
		else
			assert_true(strstr(svg.chars, "<path") ||
				strstr(svg.chars, "<text"));
		text_free(&svg);
		grid_free(&grid);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *view, *name, *size, *sentence;
	} cases[] = {
		{ "bench", "c.txt", "",
			"unknown view 'bench': expected one of lab" },
		{ "lab", "c.png", "", "ends with .txt or .svg" },
		{ "lab", "txt", "", "ends with .txt or .svg" },
		{ "lab", "c.txt", "80", "is not a size" },
		{ "lab", "c.txt", "80x", "is not a size" },
		{ "lab", "c.txt", "80x24x", "is not a size" },
		{ "lab", "c.txt", "39x24", "40x10 to 300x100" },
		{ "lab", "c.txt", "301x24", "is not a size" },
		{ "lab", "c.txt", "80x-24", "is not a size" },
		{ "lab", "no/c.txt", "80x24", "its folder does not" },
		{ "details", "c.txt", "80x24", "is not measured yet" },
	};
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *sentence =
			snap(&lab, cases[i].view, cases[i].name, cases[i].size);

		if (!sentence || !strstr(sentence, cases[i].sentence))
			fail_msg("%s %s %s: '%s'", cases[i].view, cases[i].name,
				cases[i].size, sentence ? sentence : "done");
		assert_false(exists(cases[i].name));
	}
	fixture_close(&lab, &screen);
}

/* Without a screen a snapshot shows the state after the last run. With a
 * screen, an open page remains in it. */
static void test_with_and_without_a_screen(void **state)
{
	struct screen screen;
	struct lab lab;
	struct text text = { 0 };

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	screen_execute(&screen, "keys");
	assert_null(snap(&lab, "words", "d.txt", ""));
	assert_string_equal(screen.page.title, "keys");
	lab.screen = NULL;
	assert_null(snap(&lab, "lab", "d.txt", "100x30"));
	read_back("d.txt", &text);
	assert_non_null(strstr(text.chars, "mem.latency"));
	assert_non_null(strstr(text.chars, "call=getpid"));
	lab.screen = &screen;
	text_free(&text);
	fixture_close(&lab, &screen);
}

static int open_folder(void **state)
{
	return fixture_home(state) || !mkdtemp(folder) ? -1 : 0;
}

static int close_folder(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", folder);
	int failed = system(command.chars);
	text_free(&command);
	return fixture_away(state) || failed ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_the_grid),
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_every_glyph_is_drawn),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_with_and_without_a_screen),
	};

	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
