#!/bin/sh
# How often does the interval of 95 % contain what it estimates?
#   bench_coverage.sh BENCHTOP FOLDER
# Repeats four experiments with 30 launches, COVERAGE_RUNS times (10), in turns.
# The median of all launches alone on their core is taken as the true value.
# Then 200 runs are drawn: the launches of each are drawn from all of these, with
# repetition. The last column counts the runs that were really made: it also
# contains what changed on the machine from run to run. A figure of a shared core
# alone is not counted.
benchtop=$1
. "$(dirname "$0")/setup.sh"
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
round=0
while [ "$round" -lt "${COVERAGE_RUNS:-10}" ]; do
	for words in cpu.syscall "cpu.call args=0" "mem.latency size=16K" \
		cpu.switch; do
		# shellcheck disable=SC2086
		"$benchtop" run $words launches=30 >/dev/null
	done
	round=$((round + 1))
done
python3 - "$(dirname "$0")/../cli" "$folder"/benchtop/sessions/*.json <<'PYTHON'
import json, random, sys
from statistics import median
sys.path.insert(0, sys.argv[1])
from recompute import order_interval

DRAWN_RUNS, DRAWN_LAUNCHES = 200, 30
runs = {}
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        for run in json.load(file)["runs"]:
            metric = run["metrics"][0]["name"]
            figures = run["points"][0]["metrics"][metric]
            if figures["regime"] == "alone":
                runs.setdefault(run["experiment"], []).append(figures)
draw = random.Random(1)
for experiment, made in runs.items():
    launches = [one for run in made for one in run["launch_medians"]]
    true = median(launches)
    hits = 0
    for _ in range(DRAWN_RUNS):
        low, high = order_interval(draw.choices(launches, k=DRAWN_LAUNCHES))
        hits += low <= true <= high
    real = sum(run["ci"] is not None and run["ci"][0] <= true <= run["ci"][1]
               for run in made)
    print("%-12s %4d launches alone, in %.1f %% of %d drawn runs; "
          "in %d of %d real runs" % (experiment, len(launches),
          100 * hits / DRAWN_RUNS, DRAWN_RUNS, real, len(made)))
PYTHON
