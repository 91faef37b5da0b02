/* Only this file is compiled again for each commit. */
#include "version.h"

const char benchtop_version[] = BENCHTOP_VERSION;
