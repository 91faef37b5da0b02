/* Golden files of plain text. */
#include "golden_text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

void assert_fits(const char *name, const struct text *text,
	const struct text_layout *layout)
{
	for (const char *line = text_chars(text); *line;) {
		size_t length = strcspn(line, "\n");
		char *one = strndup(line, length);

		if (text_width(one) > layout->width)
			fail_msg("%s: more than %d columns: %s", name,
				layout->width, one);
		if (length && one[length - 1] == ' ')
			fail_msg("%s: a blank ends: %s", name, one);
		for (size_t i = 0; i < length && !layout->utf8; i++)
			if ((unsigned char)one[i] >= 0x7f)
				fail_msg("%s: not ASCII: %s", name, one);
		free(one);
		line += length + (line[length] == '\n');
	}
}

void golden_file(const char *path, const struct text *text)
{
	struct text wanted = { 0 };

	if (getenv("UPDATE_GOLDEN")) {
		FILE *file = fopen(path, "we");

		assert_non_null(file);
		fwrite(text_chars(text), 1, text->length, file);
		fclose(file);
	}
	FILE *file = fopen(path, "re");
	if (!file)
		fail_msg("no golden file '%s'", path);
	for (int c; (c = fgetc(file)) != EOF;)
		text_add_char(&wanted, (char)c);
	fclose(file);
	if (strcmp(text_chars(&wanted), text_chars(text)) != 0) {
		print_error("%s is\n%s\nexpected\n%s\n", path,
			text_chars(text), text_chars(&wanted));
		fail();
	}
	text_free(&wanted);
}

/* Adds the lines that differ, with their numbers from 1. */
static void add_difference(const char *name, const struct text *ascii,
	const struct text *utf8, struct text *all)
{
	const char *line = text_chars(utf8), *before = text_chars(ascii);

	for (int number = 1; *line && *before; number++) {
		size_t length = strcspn(line, "\n");
		size_t length_before = strcspn(before, "\n");

		if (length != length_before || memcmp(line, before, length))
			text_add(all, "%3d %.*s\n", number, (int)length, line);
		line += length + (line[length] == '\n');
		before += length_before + (before[length_before] == '\n');
	}
	if (*line || *before)
		fail_msg("%s: ASCII and UTF-8 differ in lines", name);
}

void golden_text(const char *name, print_what *print, const void *what)
{
	static const int widths[] = { 80, 100, 120 };
	struct text path = { 0 }, all = { 0 };

	for (int i = 0; i < 3; i++) {
		struct text texts[2] = { { 0 }, { 0 } };

		for (int utf8 = 0; utf8 < 2; utf8++) {
			const struct text_layout layout = { .width = widths[i],
				.utf8 = utf8,
				.bars = true };

			print(what, &layout, &texts[utf8]);
			assert_fits(name, &texts[utf8], &layout);
		}
		text_add(&all, "==== %d columns, ASCII\n%s", widths[i],
			text_chars(&texts[0]));
		text_add(&all, "==== %d columns, UTF-8\n", widths[i]);
		add_difference(name, &texts[0], &texts[1], &all);
		text_free(&texts[0]);
		text_free(&texts[1]);
	}
	text_add(&path, "%s/tests/golden/%s.txt", SOURCE_FOLDER, name);
	golden_file(path.chars, &all);
	text_free(&path);
	text_free(&all);
}
