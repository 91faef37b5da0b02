#include "named.h"

#include <string.h>

const struct finding *finding_named(const struct findings *findings,
	const char *name)
{
	for (size_t i = 0; i < findings->count; i++)
		if (!strcmp(findings->list[i].name, name))
			return &findings->list[i];
	return NULL;
}
