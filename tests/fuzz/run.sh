#!/bin/sh
# run.sh BUILD SECONDS [NAME ...]: runs the fuzzer on each input for so many
# seconds; without NAME, on all. BUILD is the folder of the preset `fuzz`, or of
# `coverage`. The corpus grows in BUILD/corpus/NAME, from one call to the next. A
# failing input is left in BUILD/corpus as NAME-crash-..; mend it, and add it to
# findings/NAME.
set -eu
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1") seconds=$2
shift 2
if [ $# -eq 0 ]; then
	for path in "$here"/*_input.c; do
		set -- "$@" "$(basename "$path" _input.c)"
	done
fi

# The user's files and those of the working folder would change the inputs'
# effect.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work" XDG_CONFIG_HOME="$work" LC_ALL=C.UTF-8
PYTHONDONTWRITEBYTECODE=1 python3 "$here/make_seeds.py" "$build/benchtop" \
	"$work/seeds" "$@"

status=0
for name in "$@"; do
	corpus=$build/corpus
	mkdir -p "$corpus/$name" "$work/seeds/$name" "$work/empty"
	findings=$here/findings/$name
	[ -d "$findings" ] || findings=
	dictionary=$work/seeds/$name.dict
	echo "== fuzz_$name, $seconds s"
	# shellcheck disable=SC2086
	(cd "$work/empty" && "$build/tests/fuzz_$name" -max_total_time="$seconds" \
		-timeout=10 -rss_limit_mb=2048 -max_len=50000 \
		-print_final_stats=1 -artifact_prefix="$corpus/$name-" \
		-dict="$dictionary" "$corpus/$name" \
		"$work/seeds/$name" $findings) >"$work/log" 2>&1 || {
		status=1
		grep -v '^#[0-9]*	' "$work/log" | tail -60 >&2
		continue
	}
	grep -E 'DONE|stat::(number|average|peak)' "$work/log"
done
exit $status
