#!/bin/sh
# Does mem.hierarchy find what this machine has?
#   bench_hierarchy.sh BENCHTOP [RUNS]
# A run finds it when the first level is within 10 % of what the kernel says, the
# second within 15 %, and the line is the kernel's; at least four of the first
# five quiet runs of at most fifteen should, each in at most 90 s. A run is quiet
# when no more than a twentieth of its watched time was not its own: the clock's
# own gaps, a second each before and after it.
set -eu
export LC_ALL=C
benchtop=$1
most=${2:-15}
quiet=.1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

cpu=$(awk '/^Cpus_allowed_list/ { n = split($2, a, /[,-]/); print a[n] }' \
	/proc/self/status)
caches=/sys/devices/system/cpu/cpu$cpu/cache

# nominal LEVEL: bytes of its data cache, by the kernel.
nominal() {
	for index in "$caches"/index*; do
		[ "$(cat "$index/level")" = "$1" ] || continue
		[ "$(cat "$index/type")" != Instruction ] || continue
		awk '{ k = /K/ ? 1024 : /M/ ? 1048576 : 1; print $1 * k }' \
			"$index/size"
		return
	done
}

l1=$(nominal 1)
l2=$(nominal 2)
line=$(cat "$caches/index0/coherency_line_size" 2>/dev/null || echo 64)
if [ -z "$l1" ] || [ -z "$l2" ]; then
	echo "SKIP: the kernel tells of no caches here"
	exit 77
fi
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}

# disturbed: the share of a second's trials that were flagged.
disturbed() {
	rm -f "$folder/figures.csv"
	"$benchtop" -c "run cpu.clock cpu=$cpu budget=1s
		export csv $folder/figures.csv" >/dev/null
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print $at["flagged"] }' "$folder/figures.csv"
}

run=1
found=0
counted=0
while [ "$run" -le "$most" ] && [ "$counted" -lt 5 ]; do
	before=$(disturbed)
	"$benchtop" -c "run mem.hierarchy cpu=$cpu --json" >"$folder/run.json"
	after=$(disturbed)
	said=$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
values = {f["name"]: f["value"] for f in run["findings"]}
l1, l2, line = (float(word) for word in sys.argv[2:5])
good = (abs(values.get("L1d", 0) / l1 - 1) <= .1 and
        abs(values.get("L2", 0) / l2 - 1) <= .15 and
        values.get("line", 0) == line and run["took_s"] <= 90)
print("L1d %.1f K, L2 %.0f K, line %.0f, %.1f s: %s" % (
    values.get("L1d", 0) / 1024, values.get("L2", 0) / 1024,
    values.get("line", 0), run["took_s"], "found" if good else "missed"))
' "$folder/run.json" "$l1" "$l2" "$line")
	was=$(awk -v a="$before" -v b="$after" -v q="$quiet" \
		'BEGIN { print a <= q && b <= q ? "quiet" : "loud" }')
	echo "run $run: $said; $was (flagged $before before, $after after)"
	if [ "$was" = quiet ]; then
		counted=$((counted + 1))
		case $said in
		*found) found=$((found + 1)) ;;
		esac
	fi
	run=$((run + 1))
done
echo "$found of the first $counted quiet runs found $((l1 / 1024))K," \
	"$((l2 / 1024))K and a line of $line"
