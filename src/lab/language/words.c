/* Splits text into statements and words. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct reader reader_of(const char *text)
{
	return (struct reader){ .at = text, .line = 1, .column = 1 };
}

void reader_advance(struct reader *reader)
{
	char passed = *reader->at++;
	bool more_of_it = ((unsigned char)*reader->at & 0xc0) == 0x80;

	if (passed == '\n') {
		reader->line++;
		reader->column = 1;
	} else if (!more_of_it) {
		reader->column++;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_statement(char c)
{
	return !c || c == ';' || c == '\n';
}

/* ---- one word --------------------------------------------------------- */

/* State while one word is read and its quotes are removed. */
struct scan {
	struct reader reader;
	struct reader byte; /* position of the last byte */
	struct reader open; /* position of the open quote */
	char quote;         /* kind of the open quote; 0: none */
};

static bool is_quote(const struct scan *scan)
{
	char c = *scan->reader.at;

	if (scan->quote)
		return c == scan->quote;
	return c == '"' || c == '\'';
}

static bool at_end(const struct scan *scan)
{
	char c = *scan->reader.at;

	return scan->quote ? !c : ends_statement(c) || is_blank(c);
}

/* Reads the next byte of the word. False at its end; if a quote was not closed,
 * scan->quote is still set then. */
static bool next_byte(struct scan *scan, char *byte)
{
	struct reader *reader = &scan->reader;

	for (; is_quote(scan); reader_advance(reader)) {
		scan->open = *reader;
		scan->quote = scan->quote ? '\0' : *reader->at;
	}
	scan->byte = *reader;
	if (at_end(scan))
		return false;
	bool escape = scan->quote == '"' && *reader->at == '\\' &&
		(reader->at[1] == '"' || reader->at[1] == '\\');
	if (escape)
		reader_advance(reader);
	*byte = *reader->at;
	reader_advance(reader);
	return true;
}

static void add_word(struct words *words, char *word, struct origin origin)
{
	/* One entry more than words, for the NULL at the end. */
	words->word =
		xrealloc(words->word, words->count + 2, sizeof *words->word);
	words->origin = xrealloc(words->origin, words->count + 1,
		sizeof *words->origin);
	words->word[words->count] = word;
	words->origin[words->count] = origin;
	words->word[++words->count] = NULL;
}

static int read_word(struct words *words, struct reader *reader,
	struct error *error)
{
	const struct reader begin = *reader;
	struct scan scan = { .reader = begin };
	struct text word = { 0 };
	char byte;

	while (next_byte(&scan, &byte))
		text_add_char(&word, byte);
	if (scan.quote) {
		text_free(&word);
		error->line = scan.open.line;
		error->column = scan.open.column;
		return error_set(error, STATUS_USAGE,
			"a quote is not closed: expected another %c",
			scan.quote);
	}
	*reader = scan.reader;
	add_word(words, text_take(&word),
		(struct origin){
			.typed = xstrndup(begin.at,
				(size_t)(reader->at - begin.at)),
			.line = begin.line,
			.column = begin.column,
		});
	return 0;
}

/* ---- a statement ------------------------------------------------------ */

int words_read(struct words *words, struct reader *reader, struct error *error)
{
	*words = (struct words){ 0 };
	for (;;) {
		while (is_blank(*reader->at))
			reader_advance(reader);
		if (*reader->at == '#')
			while (*reader->at && *reader->at != '\n')
				reader_advance(reader);
		if (ends_statement(*reader->at))
			break;
		if (read_word(words, reader, error)) {
			words_free(words);
			return -1;
		}
	}
	if (*reader->at)
		reader_advance(reader);
	return 0;
}

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		free(words->word[i]);
		free(words->origin[i].typed);
	}
	free(words->word);
	free(words->origin);
	*words = (struct words){ 0 };
}

void words_point(const struct words *words, size_t word, size_t offset,
	struct error *error)
{
	const struct origin *origin = &words->origin[word];
	struct scan scan = {
		.reader = { origin->typed, origin->line, origin->column },
	};
	char byte;

	/* The position of the first byte is that of its opening quote. */
	scan.byte = scan.reader;
	if (offset)
		while (next_byte(&scan, &byte) && offset--)
			;
	error->line = scan.byte.line;
	error->column = scan.byte.column;
}

void words_quote(struct text *text, const char *word)
{
	if (*word && !strpbrk(word, " \t\r\n;\"'\\#")) {
		text_add(text, "%s", word);
		return;
	}
	text_add_char(text, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			text_add_char(text, '\\');
		text_add_char(text, *word);
	}
	text_add_char(text, '"');
}
