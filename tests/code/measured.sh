#!/bin/sh
# measured.sh TOP: tests/package/measured.py accepts one reason why an experiment
# was not measured, and no other; mem.loaded still gives that reason.
set -eu
top=$1
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# expect STATUS EXPERIMENT STATE WHY: of a session that also has a point of
# cpu.call.
expect() {
	printf '%s  question\n' cpu.call mem.fault mem.loaded net.rtt |
		grep -E "^(cpu.call|net.rtt|$2) " >"$work/list"
	cat >"$work/session" <<END
{"runs": [
	{"experiment": "cpu.call", "points": [{"state": "ok", "args": {}}]},
	{"experiment": "$2", "points": [
		{"state": "$3", "args": {"size": "64M"}, "why": "$4"}]}
]}
END
	got=0
	python3 -B "$top/tests/package/measured.py" "$work/list" \
		"$work/session" >"$work/out" 2>&1 || got=$?
	[ "$got" -eq "$1" ] && return
	echo "wrong: $got instead of $1: $2 $3: $4"
	cat "$work/out"
	status=1
}

one_processor="this run has one processor: expected another one for a load thread"
expect 0 mem.loaded ok ""
expect 0 mem.loaded unavailable "$one_processor"
expect 1 mem.loaded unavailable "no memory for it"
expect 1 mem.loaded unavailable "$one_processor, not measured"
expect 1 mem.fault unavailable "$one_processor"
# An experiment of the list without any run.
expect 1 'mem.loaded|mem.fault' ok ""

# In the source the sentence is in two literals.
tr -d '\n\t' <"$top/probes/mem/loaded.c" | sed 's/""//g' |
	grep -qF "\"$one_processor\"" || {
	echo "wrong: mem.loaded gives another reason"
	status=1
}
exit $status
