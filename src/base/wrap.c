/* Lines broken at blanks. */
#include "wrap.h"

#include <stdlib.h>
#include <string.h>

enum { HANGING = 2 }; /* further indent of the rest of a broken line, columns */

/* The last position up to `at` that does not split a UTF-8 character; if there
 * is none, the next one after `at`. */
static size_t between_characters(const char *chars, size_t at)
{
	size_t place = at;

	while (place && (chars[place] & 0xc0) == 0x80)
		place--;
	if (place)
		return place;
	while ((chars[at] & 0xc0) == 0x80)
		at++;
	return at;
}

/* How much of a word fits into `room` columns: all of it, or up to a comma or
 * a bar. */
static int piece_of(const char *word, int room)
{
	int length = (int)strcspn(word, " ");
	int cut = room;

	if (length <= room)
		return length;
	while (cut > 1 && !strchr(",|", word[cut - 1]))
		cut--;
	return cut > 1 ? cut : (int)between_characters(word, (size_t)room);
}

static int last_column(const struct text *text)
{
	size_t at = text->length;

	while (at && text->chars[at - 1] != '\n')
		at--;
	return (int)(text->length - at);
}

void wrap_on(struct text *text, const char *chars, int indent, int width)
{
	int column = last_column(text);
	int gap = 0, room = width > indent ? width - indent : 1;

	while (*chars) {
		int length = piece_of(chars, room);

		if (column + gap + length > width) {
			text_add_char(text, '\n');
			text_pad(text, ' ', (size_t)indent);
			column = indent;
			gap = 0;
		}
		text_pad(text, ' ', (size_t)gap);
		text_add_chars(text, chars, (size_t)length);
		column += gap + length;
		chars += length;
		/* The rest of a word that was cut begins a new line. */
		if (*chars && *chars != ' ')
			column = width;
		chars += strspn(chars, " ");
		gap = 1;
	}
	text_add_char(text, '\n');
}

void wrap(struct text *text, const char *chars, int indent, int width)
{
	if (last_column(text) > indent) {
		while (text->length && text->chars[text->length - 1] == ' ')
			text->chars[--text->length] = '\0';
		text_add_char(text, '\n');
	}
	text_pad(text, ' ', (size_t)(indent - last_column(text)));
	wrap_on(text, chars, indent, width);
}

/* Where to break a line that is too long: before the last word that fits. */
static size_t break_of(const char *line, size_t indent, size_t width)
{
	size_t at = width;

	while (at > indent && line[at] != ' ')
		at--;
	while (at > indent && line[at - 1] == ' ')
		at--;
	return at > indent ? at : between_characters(line, width);
}

static void break_line(struct text *text, const char *line, size_t length,
	size_t width)
{
	size_t indent = strspn(line, " ") + HANGING;
	size_t begin = 0; /* columns of indent before the rest of the line */

	while (begin + length > width && indent < width / 2) {
		size_t room = width - begin;
		size_t at = break_of(line, begin ? 0 : indent, room);

		text_add_chars(text, line, at);
		at += strspn(line + at, " ");
		line += at;
		length -= at;
		if (!length)
			break;
		text_add_char(text, '\n');
		text_pad(text, ' ', indent);
		begin = indent;
	}
	text_add_chars(text, line, length);
}

void wrap_lines(struct text *text, const char *chars, int width)
{
	while (*chars) {
		size_t length = strcspn(chars, "\n");

		break_line(text, chars, length, (size_t)width);
		text_add_char(text, '\n');
		chars += length + (chars[length] == '\n');
	}
}
