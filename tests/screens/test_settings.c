/* Stored settings: a plain file that is not overwritten if it is not
 * understood. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "fixture.h"
#include "golden.h"

static void write_settings(const char *content)
{
	struct error error;
	char *folder = folder_config();
	struct text path = { 0 };

	text_add(&path, "%s/screen", folder);
	unlink(path.chars);
	if (content)
		assert_int_equal(file_save(path.chars, content, strlen(content),
					 &error),
			0);
	text_free(&path);
	free(folder);
}

static char *read_settings(void)
{
	static struct text content;
	struct error error;
	char *folder = folder_config();
	struct text path = { 0 };

	text_add(&path, "%s/screen", folder);
	text_clear(&content);
	assert_int_equal(file_read(path.chars, 1 << 16, &content, &error), 0);
	text_free(&path);
	free(folder);
	text_add(&content, "%s", "");
	return content.chars;
}

static void open_screen(struct lab *lab, struct screen *screen)
{
	const struct ui_options none = { 0 };

	fixture_open(lab, screen);
	screen_recall(screen, &none);
}

static void test_remembered(void **state)
{
	struct screen screen;
	struct lab lab;

	write_settings(NULL);
	open_screen(&lab, &screen);
	assert_int_equal(screen.theme, THEME_ANY);
	screen_execute(&screen, "theme light; theme keep; theme dark; "
		"theme keep; glyphs console; glyphs keep; glyphs ascii");
	assert_non_null(strstr(screen.message.chars, "`glyphs keep`"));
	fixture_close(&lab, &screen);
	assert_non_null(strstr(read_settings(), "theme dark\n"));
	assert_null(strstr(read_settings(), "light"));
	open_screen(&lab, &screen);
	assert_int_equal(screen.theme, THEME_DARK);
	assert_int_equal(screen.tier, TIER_CONSOLE);
	fixture_close(&lab, &screen);
}

/* Its writer would be awaited before the first frame. */
static void test_named_pipe(void **state)
{
	char *folder = folder_config();
	struct text path = { 0 };
	struct screen screen;
	struct lab lab;

	text_add(&path, "%s/screen", folder);
	unlink(path.chars);
	assert_int_equal(mkfifo(path.chars, 0600), 0);
	alarm(30);
	open_screen(&lab, &screen);
	assert_non_null(strstr(text_chars(&screen.message),
		"is not a regular file: remove it"));
	screen_execute(&screen, "theme light; theme keep");
	fixture_close(&lab, &screen);
	alarm(0);
	assert_int_equal(unlink(path.chars), 0);
	text_free(&path);
	free(folder);
}

/* A key pressed by accident has no effect on the next start. */
static void test_forgotten_unless_asked(void **state)
{
	struct screen screen;
	struct lab lab;

	write_settings("# mine\n");
	open_screen(&lab, &screen);
	screen_execute(&screen, "glyphs ascii; theme mono");
	screen_key(&screen, "U", 'U');
	screen_key(&screen, "T", 'T');
	fixture_close(&lab, &screen);
	assert_string_equal(read_settings(), "# mine\n");
}

/* ---- faults and limits -------------------------------------------------- */

/* A terminal with fewer capabilities than the stored settings uses its own. */
static void test_poorer_terminal(void **state)
{
	const struct ui_options none = { 0 };
	struct screen screen;
	struct lab lab;

	write_settings("glyphs block\n");
	fixture_open(&lab, &screen);
	screen.tier = TIER_ASCII;
	screen_recall(&screen, &none);
	assert_int_equal(screen.tier, TIER_ASCII);
	screen.tier = TIER_BRAILLE;
	screen_recall(&screen, &none);
	assert_int_equal(screen.tier, TIER_BLOCK);
	fixture_close(&lab, &screen);
}

/* Comments and other lines of the user remain. */
static void test_comments_stay(void **state)
{
	struct screen screen;
	struct lab lab;

	write_settings("# mine\n\n  theme   mono\n# more");
	open_screen(&lab, &screen);
	assert_int_equal(screen.theme, THEME_MONO);
	screen_execute(&screen, "theme high; theme keep");
	fixture_close(&lab, &screen);
	assert_string_equal(read_settings(), "# mine\n\n# more\ntheme high\n");
}

/* The command line has priority over stored settings. */
static void test_options_win(void **state)
{
	const struct ui_options options = { .theme = "light",
		.glyphs = "ascii" };
	struct screen screen;
	struct lab lab;

	write_settings("theme mono\nglyphs block\n");
	fixture_open(&lab, &screen);
	screen.tier = TIER_ASCII;
	screen_recall(&screen, &options);
	assert_int_equal(screen.theme, THEME_LIGHT);
	assert_int_equal(screen.tier, TIER_ASCII);
	fixture_close(&lab, &screen);
}

static void test_bad_content_is_told_and_kept(void **state)
{
	static const struct {
		const char *content, *sentence;
	} cases[] = {
		{ "theme pink\n", "screen:1: 'theme pink'" },
		{ "theme dark\nglyphs 7\n", "screen:2: 'glyphs 7'" },
		{ "colour red\n", "expected theme, glyphs or mouse" },
		{ "theme dark blue\n", "expected theme, glyphs or mouse" },
		{ "theme\n", "expected theme, glyphs or mouse" },
		{ "mouse sideways\n", "expected on or off" },
		{ "\x1b[2J\n", "\\x1b" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct screen screen;
		struct lab lab;

		write_settings(cases[i].content);
		open_screen(&lab, &screen);
		if (!strstr(screen.message.chars, cases[i].sentence))
			fail_msg("'%s' was told as '%s'", cases[i].content,
				screen.message.chars);
		screen_execute(&screen, "theme light; theme keep");
		assert_non_null(strstr(screen.message.chars, "not remembered"));
		assert_int_equal(screen.theme, THEME_LIGHT);
		fixture_close(&lab, &screen);
		assert_string_equal(read_settings(), cases[i].content);
	}
}

/* If nothing can be written, this is reported and the lab continues. */
static void test_nowhere_to_remember(void **state)
{
	struct settings settings = { .theme = THEMES, .tier = TIERS };
	struct error error;

	assert_int_equal(settings_keep(&settings, "theme", "dark", &error), -1);
	assert_non_null(strstr(error.message, "HOME"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_remembered),
		cmocka_unit_test(test_named_pipe),
		cmocka_unit_test(test_forgotten_unless_asked),
		cmocka_unit_test(test_poorer_terminal),
		cmocka_unit_test(test_comments_stay),
		cmocka_unit_test(test_options_win),
		cmocka_unit_test(test_bad_content_is_told_and_kept),
		cmocka_unit_test(test_nowhere_to_remember),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
