/* The log of `serve`: one line per event, within its quota. */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "serve_internal.h"
#include "tcp.h"
#include "text.h"

static void add_head(struct text *line, const struct sockaddr_storage *from)
{
	char when[32], who[80] = "-";
	time_t now = time(NULL);
	struct tm utc;

	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	if (from)
		tcp_address_text(from, who, sizeof who);
	text_add(line, "%s %s ", when, who);
}

static void write_line(struct serve *serve, const struct text *line)
{
	fprintf(serve->settings.log, "%s\n", text_chars(line));
	fflush(serve->settings.log);
}

void serve_log(struct serve *serve, const struct sockaddr_storage *about,
	const char *format, ...)
{
	struct text line = { 0 };
	va_list list;

	add_head(&line, about);
	va_start(list, format);
	text_vadd(&line, format, list);
	va_end(list);
	write_line(serve, &line);
	text_free(&line);
}

void serve_log_client(struct serve *serve, enum log_kind kind,
	const struct sockaddr_storage *from, const char *format, ...)
{
	struct origin origin = origin_of(from);
	struct text line = { 0 };
	va_list list;

	add_head(&line, from);
	va_start(list, format);
	text_vadd(&line, format, list);
	va_end(list);
	if (log_quota_has(&serve->quota, &origin, kind, line.length + 1))
		write_line(serve, &line);
	text_free(&line);
}

void serve_log_minute(struct serve *serve, bool over)
{
	uint64_t now_ns = tick_raw_ns();
	struct text omitted = { 0 };

	if (!over && now_ns - serve->minute_ns <
			LOG_MINUTE_MS * UINT64_C(1000000))
		return;
	serve->minute_ns = now_ns;
	if (log_quota_next(&serve->quota, &omitted))
		serve_log(serve, NULL, "%s", text_chars(&omitted));
	text_free(&omitted);
}
