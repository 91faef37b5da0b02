#!/bin/sh
# How long does a run take until its headline is precise to 1 %, beside another
# benchtop, which BENCH_OTHER names?
#   bench_precision.sh BENCHTOP FOLDER
# Ten experiments, in turns, ROUNDS (12) times. The seconds are those of the whole
# command, with its calibration. The width is half of the interval that a run
# claims, the scatter that of 95 % of the runs (1.96 standard deviations of their
# medians), both in percent of the median. The seconds to 1 % are scaled by the
# scatter if it is wider, since a program may claim too much: four times the
# launches for half of it. Of time and cycles, what scatters less counts. A width
# is "-" if there is no interval.
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
python3 - "$benchtop" "$BENCH_OTHER" "$rounds" <<'PYTHON'
import json, subprocess, sys, time
from statistics import mean, median, stdev

RUNS = ("cpu.syscall", "cpu.clock clock=rdtsc", "cpu.loop count=1024",
        "cpu.call args=0", "cpu.switch", "cpu.process", "cpu.thread",
        "mem.latency size=16K", "mem.fault", "net.rtt")
programs, rounds = sys.argv[1:3], int(sys.argv[3])

def measure(program, words):
    begin = time.monotonic()
    done = subprocess.run([program, "run", *words.split(), "precision=1%",
                           "--json"], stdout=subprocess.PIPE)
    took = time.monotonic() - begin
    run = json.loads(done.stdout)
    return took, run["points"][0]["metrics"][run["metrics"][0]["name"]]

def half(one):
    low, high = one["ci"]
    return 50 * (high - low) / abs(one["median"])

def scatter(figures):
    return 196 * stdev(one["median"] for one in figures) / abs(
        mean(one["median"] for one in figures))

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

took = {run: ([], []) for run in RUNS}
for _ in range(rounds):
    for run in RUNS:
        for program, runs in zip(programs, took[run]):
            runs.append(measure(program, run))
print("%-21s %37s %39s %7s" % ("", "here: s, width %, scatter %, s to 1 %",
      "other: s, width %, scatter %, s to 1 %", "ratio"))
for run, both in took.items():
    here, other = map(words, both)
    ratio = here[3] / other[3] if here[3] and other[3] else None
    print("%-21s %s" % (run, " ".join(
        "-".rjust(9) if value is None else "%9.3g" % value
        for value in here + other + (ratio,))))
PYTHON
