#!/bin/sh
# Does a point of a sweep have the figure that it has alone? The points of a
# launch share a process, so what one leaves behind (threads, memory, files) may
# change the next one.
#   bench_points.sh BENCHTOP
# Measures each sweep of a script (SCRIPT, quick.lab), each of its points alone,
# and the sweep again. Prints the points whose headline alone, in cycles where it
# has them, is more than 5 % above or below both sweeps and beyond the intervals.
# Loops that are limited by the load ports have several speeds, each kept for
# milliseconds, and a disk changes its speed: so mem.mountain and fs.read may be
# in the list.
benchtop=$1
. "$(dirname "$0")/setup.sh"
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
script=${SCRIPT:-$(dirname "$0")/../../assets/scripts/quick.lab}
python3 - "$benchtop" "$script" <<'PYTHON'
import json, subprocess, sys

benchtop, script = sys.argv[1:]

def measure(words, budget):
    done = subprocess.run([benchtop, "run", *words, "budget=" + budget,
                           "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None

def figures(run):
    """The median and the interval of each point that has them."""
    found = {}
    for point in run["points"] if run else []:
        one = point.get("metrics", {}).get(run["metrics"][0]["name"], {})
        if (one.get("cycles") or {}).get("ci"):
            one = one["cycles"]
        if one.get("ci") and one["median"] > 0:
            words = tuple("%s=%s" % word for word in point["args"].items())
            found[words] = one["median"], one["ci"]
    return found

def beyond(alone, sweep):
    """1 if clearly above, -1 if clearly below, else 0."""
    if alone[1][0] > sweep[1][1] and alone[0] > 1.05 * sweep[0]:
        return 1
    return -(alone[1][1] < sweep[1][0] and alone[0] < .95 * sweep[0])

compared = different = 0
for line in open(script, encoding="utf-8"):
    if not line.startswith("run "):
        continue
    experiment, *words = line.split()[1:]
    words = [word for word in words if not word.startswith("budget=")]
    sweep = figures(measure([experiment, *words], "6s"))
    if len(sweep) < 2:
        continue
    alone = {}
    for point in sweep:
        alone[point] = figures(measure([experiment, *point], "1s")).get(point)
    again = figures(measure([experiment, *words], "6s"))
    for point, one in alone.items():
        if not one or point not in again:
            continue
        compared += 1
        sign = beyond(one, sweep[point])
        if not sign or sign != beyond(one, again[point]):
            continue
        different += 1
        print("%-14s %s: %.3f and %.3f times the sweeps" % (
            experiment, " ".join(point), one[0] / sweep[point][0],
            one[0] / again[point][0]), flush=True)
print("%d points compared, %d differ" % (compared, different))
PYTHON
