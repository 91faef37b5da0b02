/* What surrounded the runs of a kept session. */
#include "surroundings.h"

#include <stdlib.h>
#include <string.h>

#include "compare_surroundings.h"
#include "json.h"

/* `line` is how the member's line begins. Members of "tool" and "machine" have
 * the same indentation, and the names in both have the same value. */
static const struct {
	const char *line, *member, *name;
} table[SURROUNDINGS] = {
	[SURROUNDING_DEVICE] = { "  \"device\":", "device", "device" },
	[SURROUNDING_PROCESSOR] = { "  \"cpu\":", "cpu", "processor" },
	[SURROUNDING_PROCESSORS] = { "  \"cpus\":", "cpus", "processors" },
	[SURROUNDING_THREADS] = { "  \"threads_per_core\":",
		"threads_per_core", "threads a core" },
	[SURROUNDING_NODES] = { "  \"nodes\":", "nodes", "NUMA nodes" },
	[SURROUNDING_FIRMWARE] = { "  \"firmware\":", "firmware",
		"firmware" },
	[SURROUNDING_HYPERVISOR] = { "  \"hypervisor\":", "hypervisor",
		"hypervisor" },
	[SURROUNDING_SYSTEM] = { "  \"system\":", "system", "system" },
	[SURROUNDING_KERNEL] = { "  \"kernel\":", "kernel", "kernel" },
	[SURROUNDING_KERNEL_VERSION] = { "  \"kernel_version\":",
		"kernel_version", "kernel version" },
	[SURROUNDING_COMMAND_LINE] = { "  \"command_line\":", "command_line",
		"command line" },
	[SURROUNDING_MICROCODE] = { "  \"microcode\":", "microcode",
		"microcode" },
	[SURROUNDING_MITIGATIONS] = { "  \"mitigations\":", "mitigations",
		"mitigations" },
	[SURROUNDING_GOVERNOR] = { "  \"governor\":", "governor", "governor" },
	[SURROUNDING_LIBC] = { "  \"libc\":", "libc", "libc" },
	[SURROUNDING_BENCHTOP] = { "  \"version\":", "version", "benchtop" },
	[SURROUNDING_COMPILER] = { "  \"compiler\":", "compiler", "compiler" },
	[SURROUNDING_FLAGS] = { "  \"flags\":", "flags", "flags" },
	[SURROUNDING_BUILD] = { "  \"build\":", "build", "build" },
	[SURROUNDING_BUILD_ID] = { "  \"build_id\":", "build_id",
		"build id" },
};

/* A text, or a count above 0. */
static char *value_in(const struct kept_line *line)
{
	char *text = kept_safe_text(line);
	struct text count = { 0 };

	if (text)
		return text;
	cJSON *item = cJSON_ParseWithLength(line->at, line->length);
	if (cJSON_IsNumber(item) && item->valuedouble > 0)
		text_add(&count, "%.0f", item->valuedouble);
	cJSON_Delete(item);
	return count.length ? text_take(&count) : NULL;
}

bool surroundings_take(struct surroundings *surroundings,
	struct kept_line *line)
{
	/* Most lines have another indentation. */
	if (line->length < 3 || memcmp(line->at, "  \"", 3) != 0)
		return false;
	if (kept_is_member(line, "  \"hostname\":")) {
		free(surroundings->host);
		surroundings->host = kept_text(line);
		return true;
	}
	for (int i = 0; i < SURROUNDINGS; i++) {
		if (!kept_is_member(line, table[i].line))
			continue;
		free(surroundings->value[i]);
		surroundings->value[i] = value_in(line);
		return true;
	}
	return false;
}

void surroundings_free(struct surroundings *surroundings)
{
	for (int i = 0; i < SURROUNDINGS; i++)
		free(surroundings->value[i]);
	free(surroundings->host);
	*surroundings = (struct surroundings){ 0 };
}

const char *surrounding_name(enum surrounding which)
{
	return table[which].name;
}

bool surrounding_differs(enum surrounding which,
	const struct surroundings *first, const struct surroundings *second,
	struct text *a, struct text *b)
{
	const char *was = first->value[which], *is = second->value[which];

	if (!was || !is || !strcmp(was, is))
		return false;
	compare_values(table[which].member, was, is, a, b);
	return true;
}
