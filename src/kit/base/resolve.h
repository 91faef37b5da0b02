/*
 * The addresses of a host, by name.
 *
 * In a static program, getaddrinfo() of glibc loads the shared modules that
 * nsswitch.conf names, and crashes if they belong to another glibc. There
 * (BENCHTOP_STATIC) it is given addresses only; names are resolved by the
 * program getent(1) of the machine.
 */
#ifndef BENCHTOP_RESOLVE_H
#define BENCHTOP_RESOLVE_H

#include <netdb.h>

/* Returned beside the codes of getaddrinfo(). */
enum { RESOLVE_NO_GETENT = 7411 };

/* As getaddrinfo() with a numeric port or NULL; blocks, as that does. The
 * caller releases the list with freeaddrinfo(). */
int resolve(const char *name, const char *port, const struct addrinfo *hints,
	struct addrinfo **found);
/* The reason for a failure, a part of a sentence; as gai_strerror(). */
const char *resolve_why(int failed);

#ifdef __GLIBC__
/* What resolve() does in a static program. A getent that is silent for
 * `limit_ms` is killed: EAI_AGAIN. */
int resolve_by_getent(const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found, int limit_ms);
#endif

#endif
