#!/bin/sh
# How often is `ab` wrong on this machine?
#   bench_ab.sh BENCHTOP FOLDER
# Compares a setting a hundred times with itself, and a hundred times with work
# that is 2 % longer. The verdicts are in cycles. BENCH_AB_SPIN=1 keeps another
# processor busy.
set -eu
export LC_ALL=C
program=$2/../benchtop_selftest
runs=${BENCH_AB_RUNS:-100}

command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
folder=$(mktemp -d)
spinner=
trap 'test -z "$spinner" || kill "$spinner"; rm -rf "$folder"' EXIT
if [ -n "${BENCH_AB_SPIN:-}" ]; then
	taskset -c 0 sh -c 'while :; do :; done' &
	spinner=$!
fi
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

# verdicts LINKS LINKS: one JSON object per run, then the counts of verdicts.
verdicts() {
	lines=
	i=0
	while [ "$i" -lt "$runs" ]; do
		lines="$lines
ab selftest.padded links=$1 links=$2 launches=10 trials=100 --json"
		i=$((i + 1))
	done
	echo "$lines" | "$program" --script - | python3 -c '
import json, sys
text, at, rows = sys.stdin.read(), 0, []
decoder = json.JSONDecoder()
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    run, at = decoder.raw_decode(text, at)
    rows += run["comparison"]["rows"]
words = [row["cycles"]["verdict"] for row in rows if row.get("cycles")]
seen = sorted(row["visible"] for row in rows if row.get("visible"))
print(len(words), "runs:", ", ".join("%d %s" % (words.count(word), word)
      for word in sorted(set(words))),
      "; smallest change they can see, median %.2f %%, largest %.2f %%"
      % (100 * seen[len(seen) // 2], 100 * seen[-1]))'
}

echo "the same:      $(verdicts 1000 1000)"
echo "2 % more work: $(verdicts 1000 1020)"
