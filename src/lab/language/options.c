/* The options of `benchtop` itself. */
#include "options.h"

#include <stddef.h>
#include <string.h>

const struct program_option program_options[] = {
	{ "-c", "'LINE; LINE'", "execute lines" },
	{ "--script", "FILE", "execute a script; - is standard input" },
	{ "quick", "", "execute the script quick.lab: two minutes" },
	{ "tour", "", "learn the screen in five minutes" },
	{ "--wait-quiet=", "TIME", "wait for an unshared core before each "
		"run" },
	{ "--trials=", "none", "save figures and launch medians only" },
	{ "--plain", "", "show a prompt instead of the screen" },
	{ "--glyphs=", "TIER", "braille, block, console or ascii" },
	{ "--theme=", "NAME", "any, dark, light, mono or high" },
	{ "--no-mouse", "", "leave the mouse to the terminal" },
	{ "--version", "", "print the version" },
	{ "--help", "", "show this help" },
	{ .name = NULL },
};

const struct program_option *option_word(const char *word)
{
	for (const struct program_option *row = program_options; row->name;
		row++)
		if (row->name[0] != '-' && !strcmp(row->name, word))
			return row;
	return NULL;
}

const char *option_nearest(const char *word)
{
	enum { OPTIONS = sizeof program_options / sizeof *program_options };
	const char *names[OPTIONS];

	for (size_t i = 0; i < OPTIONS; i++)
		names[i] = program_options[i].name;
	return text_nearest(word, names);
}

void option_write(const struct program_option *option, struct text *text)
{
	text_add(text, "%s", option->name);
	if (*option->value && text->chars[text->length - 1] != '=')
		text_add_char(text, ' ');
	text_add(text, "%s", option->value);
}
