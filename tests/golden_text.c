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

static void read_file(const char *path, struct text *text)
{
	FILE *file = fopen(path, "re");

	if (!file)
		fail_msg("no golden file '%s'", path);
	for (int c; (c = fgetc(file)) != EOF;)
		text_add_char(text, (char)c);
	fclose(file);
}

static void write_file(const char *path, const struct text *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fwrite(text_chars(text), 1, text->length, file);
	fclose(file);
}

void golden_text(const char *name, print_what *print, const void *what)
{
	static const int widths[] = { 80, 100, 120 };
	struct text path = { 0 }, all = { 0 }, wanted = { 0 };

	for (int i = 0; i < 6; i++) {
		const struct text_layout layout = { .width = widths[i / 2],
			.utf8 = i % 2,
			.bars = true };
		struct text one = { 0 };

		print(what, &layout, &one);
		assert_fits(name, &one, &layout);
		text_add(&all, "==== %d columns, %s\n%s", layout.width,
			layout.utf8 ? "UTF-8" : "ASCII", text_chars(&one));
		text_free(&one);
	}
	text_add(&path, "%s/tests/golden/%s.txt", SOURCE_FOLDER, name);
	if (getenv("UPDATE_GOLDEN"))
		write_file(path.chars, &all);
	read_file(path.chars, &wanted);
	if (strcmp(text_chars(&wanted), all.chars) != 0) {
		print_error("%s is\n%s\nexpected\n%s\n", name, all.chars,
			text_chars(&wanted));
		fail();
	}
	text_free(&path);
	text_free(&all);
	text_free(&wanted);
}
