/* The kernel's counters of TCP. */
#include "netstat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file has pairs of lines: names, then values, with the same prefix
 * ("TcpExt:"). Finds the value of a name. */
static bool find(const char *names, const char *values, const char *name,
	uint64_t *found)
{
	size_t length = strlen(name);

	for (;;) {
		names += strcspn(names, " ");
		values += strcspn(values, " ");
		names += strspn(names, " ");
		values += strspn(values, " ");
		if (!*names || !*values)
			return false;
		size_t word = strcspn(names, " \n");
		if (word == length && !memcmp(names, name, length)) {
			*found = strtoull(values, NULL, 10);
			return true;
		}
	}
}

struct wanted {
	const char *name;
	uint64_t *into;
};

static unsigned read_file(const char *path, const char *prefix,
	const struct wanted *wanted, size_t count)
{
	FILE *file = fopen(path, "re");
	char *names = NULL, *values = NULL;
	size_t names_size = 0, values_size = 0;
	unsigned found = 0;

	while (file && getline(&names, &names_size, file) > 0 &&
		getline(&values, &values_size, file) > 0) {
		if (strncmp(names, prefix, strlen(prefix)))
			continue;
		for (size_t i = 0; i < count; i++)
			found += find(names, values, wanted[i].name,
				wanted[i].into);
	}
	free(names);
	free(values);
	if (file)
		fclose(file);
	return found;
}

struct netstat netstat_now(void)
{
	struct netstat now = { 0 };
	const struct wanted extended[] = {
		{ "TCPSynRetrans", &now.syn_retransmissions },
		{ "ListenOverflows", &now.listen_overflows },
	};
	const struct wanted plain[] = {
		{ "RetransSegs", &now.retransmissions },
	};

	now.known = read_file("/proc/self/net/netstat", "TcpExt:", extended,
			    2) == 2 &&
		read_file("/proc/self/net/snmp", "Tcp:", plain, 1) == 1;
	return now;
}

struct netstat netstat_since(struct netstat before)
{
	struct netstat now = netstat_now();

	now.syn_retransmissions -= before.syn_retransmissions;
	now.listen_overflows -= before.listen_overflows;
	now.retransmissions -= before.retransmissions;
	now.known = now.known && before.known;
	return now;
}
