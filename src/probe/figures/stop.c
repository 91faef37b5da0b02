/* Words for the reasons why a run ended. */
#include "stop.h"

#include <string.h>

static const char *const words[STOP_OTHER] = {
	[STOP_NONE] = "",
	[STOP_PRECISION] = "precision",
	[STOP_BUDGET] = "budget",
	[STOP_MAXIMUM] = "maximum",
	[STOP_USER] = "user",
	[STOP_FAULT] = "fault",
	[STOP_NETWORK] = "network",
	[STOP_UNAVAILABLE] = "unavailable",
	[STOP_INVALID] = "invalid",
	[STOP_PUBLISHED] = "published",
};

const char *stop_word(const struct stop *stop)
{
	return stop->reason == STOP_OTHER ? stop->word : words[stop->reason];
}

bool stop_read(struct stop *stop, const char *word)
{
	size_t length = strlen(word);

	*stop = (struct stop){ .reason = STOP_NONE };
	if (length >= sizeof stop->word)
		return false;
	while (stop->reason < STOP_OTHER && strcmp(words[stop->reason], word))
		stop->reason++;
	if (stop->reason == STOP_OTHER)
		memcpy(stop->word, word, length + 1);
	return true;
}
