#!/bin/sh
# How long does a run take until its headline is precise to 1 %, beside another
# benchtop, which BENCH_OTHER names?
#   bench_precision.sh BENCHTOP FOLDER
# Ten experiments, in turns. The width is half of the interval, in percent of the
# median: of the cycles where these are more precise, since the run ends by them.
# The seconds are scaled to 1 % where it is wider: four times the launches for
# half of the width. It is "-" if there is no interval.
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
from statistics import median

def half(one):
    low, high = one["ci"]
    return 50 * (high - low) / abs(one["median"])

took = {}
for which in ("here", "other"):
    for name in sorted(glob.glob("%s/%s/benchtop/sessions/*.json"
                                 % (sys.argv[1], which))):
        with open(name, encoding="utf-8") as file:
            run = json.load(file)["runs"][0]
        figures = run["points"][0]["metrics"][run["metrics"][0]["name"]]
        width = min((half(one) for one in (figures, figures.get("cycles"))
                     if one and one.get("ci") and one["median"]), default=None)
        took.setdefault(run["experiment"], {}).setdefault(which, []).append(
            (run["took_s"], width))

def words(rows):
    widths = [width for _, width in rows if width is not None]
    if not widths:
        return median(s for s, _ in rows), None, None
    scaled = median(s * max(1, w) ** 2 for s, w in rows if w is not None)
    return median(s for s, _ in rows), median(widths), scaled

print("%-12s %29s %29s %7s" % ("", "here: s, width %, s to 1 %",
      "other: s, width %, s to 1 %", "ratio"))
for experiment, which in took.items():
    here, other = (words(which.get(name, [(0, None)]))
                   for name in ("here", "other"))
    ratio = here[2] / other[2] if here[2] and other[2] else None
    print("%-12s %s" % (experiment, " ".join(
        "-".rjust(9) if value is None else "%9.3g" % value
        for value in here + other + (ratio,))))
PYTHON
