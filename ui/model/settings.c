/* Reads and writes the settings file: two words per line. */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

enum { BYTES_MOST = 65536 };

static const char *const header =
	"# What the screen of benchtop remembers: `theme`, `glyphs`, `mouse`.\n";

static char *settings_path(void)
{
	char *folder = folder_config();
	struct text path = { 0 };

	if (!folder)
		return NULL;
	text_add(&path, "%s/screen", folder);
	free(folder);
	return text_take(&path);
}

static enum mouse_use mouse_named(const char *word)
{
	if (!strcmp(word, "on"))
		return MOUSE_TAKEN;
	return strcmp(word, "off") ? MOUSE_UNSAID : MOUSE_LEFT;
}

/* Reads one line; -1 if it is invalid. */
static int read_line(struct settings *settings, const char *line, int number,
	struct error *error)
{
	char name[16], value[16], more[2];
	int words = sscanf(line, "%15s %15s %1s", name, value, more);
	const char *expected = "theme, glyphs or mouse, and one word";

	if (words < 1 || name[0] == '#')
		return 0;
	if (words == 2 && !strcmp(name, "theme")) {
		settings->theme = theme_named(value);
		if (settings->theme < THEMES)
			return 0;
		expected = "any, dark, light, mono or high";
	} else if (words == 2 && !strcmp(name, "glyphs")) {
		settings->tier = tier_named(value);
		if (settings->tier < TIERS)
			return 0;
		expected = "braille, block, console or ascii";
	} else if (words == 2 && !strcmp(name, "mouse")) {
		settings->mouse = mouse_named(value);
		if (settings->mouse != MOUSE_UNSAID)
			return 0;
		expected = "on or off";
	}
	struct text safe = { 0 };
	text_add_safe(&safe, line, strnlen(line, 40));
	error_set(error, STATUS_INPUT,
		"%s:%d: '%s' is invalid: expected %s; the file is not changed",
		settings->path, number, text_chars(&safe), expected);
	error->line = number;
	text_free(&safe);
	return -1;
}

static int read_lines(struct settings *settings, const char *chars,
	struct error *error)
{
	for (int number = 1; *chars; number++) {
		size_t length = strcspn(chars, "\n");
		char *line = xstrndup(chars, length);
		int failed = read_line(settings, line, number, error);

		free(line);
		if (failed)
			return -1;
		chars += length + (chars[length] == '\n');
	}
	return 0;
}

int settings_load(struct settings *settings, struct error *error)
{
	struct text content = { 0 };

	*settings = (struct settings){
		.path = settings_path(),
		.theme = THEMES,
		.tier = TIERS,
	};
	if (!settings->path || access(settings->path, F_OK))
		return 0;
	settings->there = true;
	int failed = file_read_own(settings->path, 0, BYTES_MOST, &content,
		error);
	if (!failed && strlen(text_chars(&content)) != content.length)
		failed = error_set(error, STATUS_INPUT,
			"%s: contains a byte 0, expected lines of text; the "
			"file is not changed",
			settings->path);
	if (!failed)
		failed = read_lines(settings, text_chars(&content), error);
	text_free(&content);
	settings->spoilt = failed != 0;
	return failed;
}

static bool is_about(const char *line, const char *name)
{
	size_t length = strlen(name);

	line += strspn(line, " \t");
	return !strncmp(line, name, length) && strchr(" \t", line[length]);
}

/* Copies every line except those about `name`; appends the new one at the
 * end. */
static void rewrite(const char *chars, const char *name, const char *value,
	struct text *out)
{
	while (*chars) {
		size_t length = strcspn(chars, "\n");

		if (!is_about(chars, name)) {
			text_add_chars(out, chars, length);
			text_add_char(out, '\n');
		}
		chars += length + (chars[length] == '\n');
	}
	text_add(out, "%s %s\n", name, value);
}

int settings_keep(struct settings *settings, const char *name,
	const char *value, struct error *error)
{
	struct text content = { 0 }, out = { 0 };
	int failed = 0;

	if (!settings->path)
		return error_set(error, STATUS_OUTPUT,
			"not remembered: set HOME or XDG_CONFIG_HOME");
	if (settings->spoilt)
		return error_set(error, STATUS_OUTPUT,
			"not remembered: '%s' is invalid, correct or remove it",
			settings->path);
	if (access(settings->path, F_OK))
		text_add(&content, "%s", header);
	else
		failed = file_read_own(settings->path, 0, BYTES_MOST, &content,
			error);
	if (!failed) {
		rewrite(text_chars(&content), name, value, &out);
		failed = file_save(settings->path, text_chars(&out), out.length,
			error);
	}
	text_free(&content);
	text_free(&out);
	return failed;
}

void settings_free(struct settings *settings)
{
	free(settings->path);
	settings->path = NULL;
}
