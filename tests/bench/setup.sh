# Sourced by the bench_*.sh that print medians of interleaved rounds. Sets
# rounds (ROUNDS, 5), middle (functions for awk), folder (temporary, in `place`;
# also for benchtop's state) and cpu (the last permitted processor).
# shellcheck shell=sh disable=SC2034,SC2154
set -eu
export LC_ALL=C
middle=$(cat "$(dirname "$0")/middle.awk")
rounds=${ROUNDS:-5}
folder=$(mktemp -d "${place:-${TMPDIR:-/tmp}}/bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

cpu=$(awk '/^Cpus_allowed_list/ { n = split($2, a, /[,-]/); print a[n] }' \
	/proc/self/status)

# measure WORDS..: writes the figures of a run to $folder/figures.csv.
measure() {
	rm -f "$folder/figures.csv"
	"$benchtop" -c "run $*
		export csv $folder/figures.csv" >/dev/null
}

# columns NAME..: those of the first figure.
columns() {
	awk -F, -v names="$*" '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 {
			n = split(names, name, " ")
			for (i = 1; i <= n; i++)
				printf "%s%s", $at[name[i]], i < n ? " " : "\n"
		}' "$folder/figures.csv"
}
