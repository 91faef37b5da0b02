/* Reads lines while the loop runs. */
#include "line.h"

#include <string.h>
#include <unistd.h>

static bool give(struct line_input *input, struct text *line)
{
	const char *from = text_chars(&input->read) + input->given;
	size_t left = input->read.length - input->given;
	const char *newline = left ? memchr(from, '\n', left) : NULL;

	if (!newline && !(input->ended && left))
		return false;
	size_t length = newline ? (size_t)(newline - from) : left;
	text_clear(line);
	text_add_chars(line, from, length);
	input->given += length + (newline != NULL);
	if (input->given == input->read.length) {
		text_clear(&input->read);
		input->given = 0;
	}
	return true;
}

static void take(struct line_input *input)
{
	char piece[4096];
	ssize_t got = read(STDIN_FILENO, piece, sizeof piece);

	if (got > 0)
		text_add_chars(&input->read, piece, (size_t)got);
	else
		input->ended = true;
}

bool line_next(struct line_input *input, struct loop *loop, struct text *line)
{
	bool got;

	loop->watched = STDIN_FILENO;
	while (!(got = give(input, line)) && !input->ended) {
		loop_turn(loop, -1);
		if (loop->interrupts)
			break;
		if (loop->readable)
			take(input);
		else
			input->ended = loop->hung_up;
	}
	loop->watched = -1;
	return got;
}

void line_free(struct line_input *input)
{
	text_free(&input->read);
}
