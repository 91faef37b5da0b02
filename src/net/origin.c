/* Origins of connections. */
#include "origin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

struct origin origin_of(const struct sockaddr_storage *address)
{
	struct origin origin = { .six = address->ss_family == AF_INET6 };
	struct sockaddr_in6 six;
	struct sockaddr_in four;

	memcpy(&six, address, sizeof six);
	memcpy(&four, address, sizeof four);
	if (origin.six)
		memcpy(origin.bytes, &six.sin6_addr, sizeof origin.bytes);
	else
		memcpy(origin.bytes, &four.sin_addr, sizeof four.sin_addr);
	return origin;
}

bool origin_same(const struct origin *a, const struct origin *b)
{
	return a->six == b->six && !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

void origin_text(const struct origin *origin, char *into, size_t size)
{
	uint8_t whole[16] = { 0 };
	char host[INET6_ADDRSTRLEN] = "?";

	memcpy(whole, origin->bytes, sizeof origin->bytes);
	inet_ntop(origin->six ? AF_INET6 : AF_INET, whole, host, sizeof host);
	snprintf(into, size, "%s%s", host, origin->six ? "/64" : "");
}
