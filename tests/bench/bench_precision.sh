#!/bin/sh
# How long does a run take until its headline is precise to 1 %, beside another
# benchtop, which BENCH_OTHER names?
#   bench_precision.sh BENCHTOP FOLDER
# Ten experiments, in turns, ROUNDS (12) times. The width is half of the interval
# that a run claims, the scatter that of 95 % of the runs (1.96 standard
# deviations of their medians), both in percent of the median. The seconds to 1 %
# are scaled by the scatter if it is wider, since a program may claim too much:
# four times the launches for half of it. Of time and cycles, what scatters less
# counts. A width is "-" if there is no interval.
ROUNDS=${ROUNDS:-12}
benchtop=$1
. "$(dirname "$0")/setup.sh"
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
[ -x "${BENCH_OTHER:-}" ] || {
	echo "SKIP: BENCH_OTHER names no other benchtop"
	exit 77
}
round=0
while [ "$round" -lt "$rounds" ]; do
	for words in cpu.syscall "cpu.clock clock=rdtsc" "cpu.loop count=1024" \
		"cpu.call args=0" cpu.switch cpu.process cpu.thread \
		"mem.latency size=16K" "mem.fault" net.rtt; do
		for which in here other; do
			program=$benchtop
			[ $which = here ] || program=$BENCH_OTHER
			# shellcheck disable=SC2086
			XDG_STATE_HOME=$folder/$which "$program" run $words \
				precision=1% >/dev/null || :
		done
	done
	round=$((round + 1))
done
python3 - "$folder" <<'PYTHON'
import glob, json, sys
from statistics import mean, median, stdev

def half(one):
    low, high = one["ci"]
    return 50 * (high - low) / abs(one["median"])

def scatter(figures):
    return 196 * stdev(one["median"] for one in figures) / abs(
        mean(one["median"] for one in figures))

took = {}
for which in ("here", "other"):
    for name in sorted(glob.glob("%s/%s/benchtop/sessions/*.json"
                                 % (sys.argv[1], which))):
        with open(name, encoding="utf-8") as file:
            run = json.load(file)["runs"][0]
        figures = run["points"][0]["metrics"][run["metrics"][0]["name"]]
        took.setdefault(run["experiment"], {}).setdefault(which, []).append(
            (run["took_s"], figures))

def words(runs):
    time = [figures for _, figures in runs]
    cycles = [figures["cycles"] for figures in time if figures.get("cycles")]
    kinds = [kind for kind in (time, cycles)
             if len(kind) == len(runs) and all(one["median"] for one in kind)]
    if len(runs) < 3 or not kinds:
        return None, None, None, None
    least = min(kinds, key=scatter)
    claimed = [half(one) for one in least if one.get("ci")]
    seconds = median(s for s, _ in runs)
    return (seconds, median(claimed) if claimed else None, scatter(least),
            seconds * max(1, scatter(least)) ** 2)

print("%-12s %37s %39s %7s" % ("", "here: s, width %, scatter %, s to 1 %",
      "other: s, width %, scatter %, s to 1 %", "ratio"))
for experiment, which in took.items():
    here, other = (words(which.get(name, [])) for name in ("here", "other"))
    ratio = here[3] / other[3] if here[3] and other[3] else None
    print("%-12s %s" % (experiment, " ".join(
        "-".rjust(9) if value is None else "%9.3g" % value
        for value in here + other + (ratio,))))
PYTHON
