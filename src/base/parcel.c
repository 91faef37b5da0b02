/* Pieces, each preceded by its length. */
#include "parcel.h"

#include <string.h>

static void pad(struct text *text)
{
	text_pad(text, '\0', -text->length % PARCEL_ALIGNED);
}

void parcel_put(struct text *text, const void *bytes, size_t length)
{
	text_add_chars(text, (const char *)&length, sizeof length);
	pad(text);
	if (length)
		text_add_chars(text, bytes, length);
	pad(text);
}

void *parcel_take(struct parcel *parcel, size_t *length)
{
	size_t left = (size_t)(parcel->end - parcel->at);

	if (left < PARCEL_ALIGNED)
		return NULL;
	memcpy(length, parcel->at, sizeof *length);
	left -= PARCEL_ALIGNED;
	if (*length > left || -*length % PARCEL_ALIGNED > left - *length)
		return NULL;
	char *piece = parcel->at + PARCEL_ALIGNED;
	parcel->at = piece + *length + -*length % PARCEL_ALIGNED;
	return piece;
}

void *parcel_take_sized(struct parcel *parcel, size_t length)
{
	size_t found;
	void *piece = parcel_take(parcel, &found);

	return piece && found == length ? piece : NULL;
}
