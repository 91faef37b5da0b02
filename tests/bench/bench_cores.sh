#!/bin/sh
# Compares cpu.cores with two threads that change one word in turn.
#   bench_cores.sh BENCHTOP HELPERS
# Five interleaved rounds between the first and the last permitted processor.
# Prints the medians and their ratio, which should be within 10 %.
set -eu
export LC_ALL=C
middle=$(cat "$(dirname "$0")/middle.awk")
benchtop=$1
cas=$2/plain_cas
rounds=${ROUNDS:-5}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

cpus=$(awk '/^Cpus_allowed_list/ { n = split($2, a, /[,-]/); print a[1], a[n] }' \
	/proc/self/status)
from=${cpus% *}
to=${cpus#* }
[ "$from" != "$to" ] || {
	echo "SKIP: one processor only"
	exit 77
}

ours() {
	rm -f "$folder/figures.csv"
	"$benchtop" -c "run cpu.cores op=cas from=$from to=$to budget=3s
		export csv $folder/figures.csv" >/dev/null
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print $at["median"] }' "$folder/figures.csv"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	echo "$(ours) $("$cas" "$from" "$to")"
	round=$((round + 1))
done | awk -v pair="$from-$to" "$middle"'
	NF == 2 { n++; a[n] = $1; b[n] = $2; r[n] = $1 / $2 }
	END {
		if (!n) { print "no figures"; exit 1 }
		printf "processors %s: cpu.cores %.1f ns, plain cas %.1f ns, " \
			"ratio %.3f (%d rounds)\n",
			pair, middle(a, n), middle(b, n), middle(r, n), n
	}'
