/* Chooses connections by address and port. */
#include "connection_filter.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_MOST = 65535 };

/* The version of an IP address, which may be in brackets if it is 6; 0: it is
 * none. */
static uint8_t read_address(const char *address, uint8_t *bytes)
{
	size_t length = strlen(address);
	char inner[INET6_ADDRSTRLEN];

	if (*address == '[' && length <= sizeof inner &&
		address[length - 1] == ']') {
		snprintf(inner, sizeof inner, "%.*s", (int)length - 2,
			address + 1);
		return inet_pton(AF_INET6, inner, bytes) == 1 ? 6 : 0;
	}
	if (inet_pton(AF_INET, address, bytes) == 1)
		return 4;
	return inet_pton(AF_INET6, address, bytes) == 1 ? 6 : 0;
}

static int read_host(struct endpoint *host, const char *address,
	struct error *error)
{
	uint8_t bytes[sizeof host->address] = { 0 };

	if (host->version)
		return error_set(error, STATUS_USAGE,
			"host %s is a second address: expected one host and "
			"one port, of the same end",
			text_quoted(address).chars);
	host->version = read_address(address, bytes);
	if (!host->version)
		return error_set(error, STATUS_USAGE,
			"%s is not an address: expected IPv4 or IPv6, as in "
			"host=10.0.0.1",
			text_quoted(address).chars);
	memcpy(host->address, bytes, sizeof bytes);
	return 0;
}

static int read_port(struct endpoint *host, const char *number,
	struct error *error)
{
	char *end;
	long value = strtol(number, &end, 10);

	if (host->port)
		return error_set(error, STATUS_USAGE,
			"port %s is a second port: expected one host and one "
			"port, of the same end",
			text_quoted(number).chars);
	if (end == number || *end || value < 1 || value > PORT_MOST)
		return error_set(error, STATUS_USAGE,
			"%s is not a port: expected 1 .. 65535",
			text_quoted(number).chars);
	host->port = (uint16_t)value;
	return 0;
}

/* "443" or ":443". */
static bool is_port(const char *word)
{
	const char *number = word + (*word == ':');

	return *number && !number[strspn(number, "0123456789")];
}

int connection_filter_read(struct connection_filter *filter, const char *word,
	struct error *error)
{
	if (!strncmp(word, "host=", 5))
		return read_host(&filter->host, word + 5, error);
	if (!strncmp(word, "port=", 5))
		return read_port(&filter->host, word + 5, error);
	if (is_port(word))
		return read_port(&filter->host, word + (*word == ':'), error);
	if (!read_host(&filter->host, word, error))
		return 0;
	return error_set(error, STATUS_USAGE,
		"unknown word %s: expected an address or a port, as in "
		"host=10.0.0.1 or port=443",
		text_quoted(word).chars);
}

bool connection_matches(const struct connection *connection,
	const struct connection_filter *filter)
{
	return connection_has_end(connection, &filter->host);
}

bool connection_filter_any(const struct connection_filter *filter)
{
	return filter->host.version || filter->host.port;
}

void connection_filter_write(const struct connection_filter *filter,
	struct text *text)
{
	const struct endpoint *host = &filter->host;
	char address[INET6_ADDRSTRLEN];

	if (host->version)
		text_add(text, "host=%s",
			inet_ntop(host->version == 6 ? AF_INET6 : AF_INET,
				host->address, address, sizeof address));
	if (host->port)
		text_add(text, "%sport=%u", host->version ? " " : "",
			host->port);
}

void endpoint_read(const char *chars, struct endpoint *end)
{
	const char *colon = strrchr(chars, ':');
	bool six = *chars == '[';
	char address[INET6_ADDRSTRLEN] = "";
	size_t length = colon ? (size_t)(colon - chars) : 0;

	*end = (struct endpoint){ .version = six ? 6 : 4 };
	if (length <= 2 * (size_t)six ||
		length - 2 * (size_t)six >= sizeof address)
		return;
	memcpy(address, chars + six, length - 2 * (size_t)six);
	end->port = (uint16_t)strtoul(colon + 1, NULL, 10);
	if (inet_pton(six ? AF_INET6 : AF_INET, address, end->address) != 1)
		memset(end->address, 0, sizeof end->address);
}
