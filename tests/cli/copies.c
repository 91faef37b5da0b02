#include <unistd.h>

#include "copies.h"
#include "run.h"

int copies_prepare(void **state)
{
	if (make_folder(state) || chdir(folder))
		return -1;
	struct ran ran = RUN(SELFTEST, "-c",
		"run selftest.adds links=10 launches=6 trials=20; "
		"save one.json");
	int status = ran.status;

	ran_free(&ran);
	return status;
}

void copies_make(const struct copies *copies)
{
	char count[20], at[20], times[20];

	snprintf(count, sizeof count, "%d", copies->count);
	snprintf(at, sizeof at, "%d", copies->at);
	snprintf(times, sizeof times, "%g", copies->times);
	struct ran ran = RUN("/usr/bin/env", "python3",
		SOURCE_FOLDER "/tests/cli/copies.py", copies->folder, count, at,
		times, copies->name, copies->before, copies->after,
		copies->hosts ? copies->hosts : "-");
	assert_status(ran, 0);
	ran_free(&ran);
}
