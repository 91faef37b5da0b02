/* Lines, statements, words. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void add_word(struct words *words, char *word, int column)
{
	/* One place more than words, for the NULL at the end. */
	words->word =
		xrealloc(words->word, words->count + 2, sizeof *words->word);
	words->column = xrealloc(words->column, words->count + 1,
		sizeof *words->column);
	words->word[words->count] = word;
	words->column[words->count] = column;
	words->word[++words->count] = NULL;
}

/* Reads a quoted stretch; *at stands on the opening quote. */
static int read_quoted(struct text *word, const char *begin, const char **at,
	struct error *error)
{
	const char *open = *at;
	char quote = *open;

	for ((*at)++; **at != quote; (*at)++) {
		if (!**at || **at == '\n') {
			error->column = (int)(open - begin) + 1;
			return error_set(error, STATUS_USAGE,
				"a quote is not closed: expected another %c",
				quote);
		}
		bool escaped = quote == '"' && **at == '\\' &&
			((*at)[1] == '"' || (*at)[1] == '\\');
		if (escaped)
			(*at)++;
		text_add_char(word, **at);
	}
	(*at)++;
	return 0;
}

static bool ends_statement(char c)
{
	return !c || c == ';' || c == '\n';
}

static int read_word(struct words *words, const char *begin, const char **at,
	struct error *error)
{
	int column = (int)(*at - begin) + 1;
	struct text word = { 0 };

	while (!ends_statement(**at) && !is_blank(**at)) {
		if (**at != '"' && **at != '\'') {
			text_add_char(&word, *(*at)++);
			continue;
		}
		if (read_quoted(&word, begin, at, error)) {
			text_free(&word);
			return -1;
		}
	}
	add_word(words, text_take(&word), column);
	return 0;
}

int words_read(struct words *words, const char *begin, const char **line,
	struct error *error)
{
	const char *at = *line;

	*words = (struct words){ 0 };
	for (;;) {
		while (is_blank(*at))
			at++;
		if (*at == '#')
			at += strcspn(at, "\n");
		if (ends_statement(*at))
			break;
		if (read_word(words, begin, &at, error)) {
			words_free(words);
			return -1;
		}
	}
	if (*at == ';')
		at++;
	*line = at;
	return 0;
}

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	free(words->column);
	*words = (struct words){ 0 };
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
