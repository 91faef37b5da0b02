#!/bin/sh
# Compares cpu.wake how=nanosleep with cyclictest at the same interval, timer
# slack, priority and processor.
#   [PRIORITY=fifo] bench_wake.sh BENCHTOP
# Five interleaved rounds. Prints p50 and p99 of both in us, and their ratios,
# which should be within 10 %. cyclictest counts whole microseconds, rounded
# down, so half a microsecond is added. After a delay beyond the interval it
# skips the wake-ups that are over, where cpu.wake counts each. So these are
# added: one interval less each, down to one interval.
. "$(dirname "$0")/setup.sh"
benchtop=$1
wakes=15000 # p99 needs many: disturbances come in bursts
priority=${PRIORITY:-normal}
policy=--policy=other
[ "$priority" = normal ] || policy="--policy=fifo -p50"

command -v cyclictest >/dev/null || {
	echo "SKIP: cyclictest is not installed"
	exit 77
}

# ours: p50 and p99 of all wake-ups, us.
ours() {
	rm -f "$folder/run.json"
	"$benchtop" run cpu.wake how=nanosleep interval=1ms cpu="$cpu" \
		priority="$priority" launches=6 trials=$((wakes / 6)) --json >"$folder/run.json"
	python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
point = run["points"][0]["metrics"]["late"]
tail = [f["value"] for f in run["findings"] if f["name"] == "p99"]
print(point["median"] / 1e3, tail[0] / 1e3)' "$folder/run.json"
}

theirs() {
	# shellcheck disable=SC2086 # words
	cyclictest -q -t1 -a "$cpu" -i 1000 -l "$wakes" $policy \
		--default-system -h 100000 2>/dev/null |
		awk '!/^#/ && NF == 2 {
				for (late = $1 + 0; ; late -= 1000) {
					n += $2
					c[late] += $2
					if (late > most) most = late
					if (late <= 1000) break
				}
			}
			END {
				for (i = 0; i <= most; i++) {
					sum += c[i]
					if (!p50 && sum >= .5 * n) p50 = i + .5
					if (!p99 && sum >= .99 * n) p99 = i + .5
				}
				print p50, p99
			}'
}

round=0
while [ "$round" -lt "$rounds" ]; do
	echo "$(ours) $(theirs)"
	round=$((round + 1))
done | awk "$middle"'
	NF == 4 { n++; a[n] = $1; c[n] = $2; b[n] = $3; d[n] = $4
		r[n] = $1 / $3; s[n] = $2 / $4 }
	END {
		if (!n) { print "no figures"; exit 1 }
		printf "p50: cpu.wake %.1f us, cyclictest %.1f us, ratio %.3f " \
			"(%d rounds)\n", middle(a, n), middle(b, n),
			middle(r, n), n
		printf "p99: cpu.wake %.1f us, cyclictest %.1f us, ratio %.3f\n",
			middle(c, n), middle(d, n), middle(s, n)
	}'
