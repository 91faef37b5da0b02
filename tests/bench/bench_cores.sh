#!/bin/sh
# Compares cpu.cores with two threads that change one word in turn.
#   bench_cores.sh BENCHTOP HELPERS
# Five interleaved rounds between the first and the last permitted processor.
# Prints the medians and their ratio, which should be within 10 %.
. "$(dirname "$0")/setup.sh"
benchtop=$1
cas=$2/plain_cas

from=$(awk '/^Cpus_allowed_list/ { split($2, a, /[,-]/); print a[1] }' \
	/proc/self/status)
to=$cpu
[ "$from" != "$to" ] || {
	echo "SKIP: one processor only"
	exit 77
}

ours() {
	measure cpu.cores op=cas from="$from" to="$to" budget=3s
	columns median
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
