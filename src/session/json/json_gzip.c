/* Files that are compressed with gzip. */
#include <string.h>
#include <zlib.h>

#include "json_gzip.h"

bool json_is_gzip(const char *chars, size_t length)
{
	return length > 2 && !memcmp(chars, "\x1f\x8b", 2);
}

size_t json_gzip_bytes(const char *chars, size_t length)
{
	const unsigned char *last = (const unsigned char *)chars + length - 4;

	return length < 4 ? 0 :
			    last[0] | (size_t)last[1] << 8 |
			(size_t)last[2] << 16 | (size_t)last[3] << 24;
}

/* Returns what zlib did last: Z_STREAM_END is the whole text. */
static int inflate_all(z_stream *stream, struct text *text)
{
	char piece[64 << 10];
	int did = Z_OK;

	while (did == Z_OK && text->length <= JSON_BYTES_MAX) {
		stream->next_out = (Bytef *)piece;
		stream->avail_out = sizeof piece;
		did = inflate(stream, Z_NO_FLUSH);
		text_add_chars(text, piece, sizeof piece - stream->avail_out);
	}
	return did;
}

int json_gunzip(const char *chars, size_t length, const char *name,
	struct text *text, struct error *error)
{
	enum { GZIP_WINDOW = 15 + 16 };
	z_stream stream = {
		.next_in = (Bytef *)chars,
		.avail_in = (uInt)length,
	};

	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return error_set(error, STATUS_INTERNAL,
			"'%s': not enough memory to decompress it", name);
	int did = inflate_all(&stream, text);
	bool whole = did == Z_STREAM_END && !stream.avail_in;
	inflateEnd(&stream);
	if (text->length > JSON_BYTES_MAX)
		return error_set(error, STATUS_INPUT,
			"'%s' is decompressed larger than %d MiB", name,
			JSON_BYTES_MAX >> 20);
	return whole ? 0 :
		       error_set(error, STATUS_INPUT,
			       "'%s' is damaged: gzip cannot decompress it",
			       name);
}
