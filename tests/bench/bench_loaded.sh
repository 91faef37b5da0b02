#!/bin/sh
# Compares mem.loaded with mem.latency and mem.bandwidth, of the same size (SIZE)
# and order, in interleaved rounds (ROUNDS).
#   bench_loaded.sh BENCHTOP
# Prints the medians and their ratios. The idle latency should agree within its
# interval, the bandwidth without pauses within 5 %, and the curve should rise
# within its intervals: prints in how many rounds that is so. The highest of the
# eight bandwidths would be too high: it is the one that noise raised most.
. "$(dirname "$0")/setup.sh"
benchtop=$1
size=${SIZE:-256M}
# With the chain on the last processor, the load thread runs on the first.
first=$(awk '/^Cpus_allowed_list/ { split($2, a, /[,-]/); print a[1] }' \
	/proc/self/status)

# figures RUN: lines of experiment, pause or -, metric, median and its interval.
figures() {
	measure "$1"
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["median"] != "" {
			pause = "param_pause" in at ? $at["param_pause"] : "-"
			print $at["experiment"], pause, $at["metric"],
				$at["median"], $at["ci_low"], $at["ci_high"]
		}' "$folder/figures.csv"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	figures "mem.latency size=$size order=local budget=15s"
	figures "mem.loaded threads=2 size=$size cpu=$cpu budget=20s"
	figures "mem.bandwidth op=read size=$size cpu=$first budget=4s"
	echo round
	round=$((round + 1))
done | awk "$middle"'
	function overlap(low, high, other_low, other_high) {
		return low != "" && other_low != "" && low <= other_high &&
			other_low <= high
	}
	function forget() { points = 0; peak = 0; loaded = "" }
	$1 == "mem.latency" { latency = $4; low = $5; high = $6 }
	$1 == "mem.loaded" && $3 == "load" {
		points++
		load[points] = $4; lo[points] = $5; hi[points] = $6
		rate[points] = 0
		if ($2 == "idle") idle = points
	}
	$1 == "mem.loaded" && $3 == "bandwidth" && $2 != "idle" {
		rate[points] = $4
		if ($2 + 0 == 0) { peak = $4; loaded = load[points] }
	}
	$1 == "mem.bandwidth" && $3 == "bandwidth" { alone = $4 }
	$1 == "round" && points && latency && alone {
		n++
		a[n] = load[idle]; b[n] = latency; r[n] = a[n] / latency
		c[n] = peak; d[n] = alone; s[n] = peak / alone
		l[n] = loaded
		agree += overlap(low, high, lo[idle], hi[idle])
		falls = 0
		for (i = 1; i <= points; i++)
			for (j = 1; j <= points; j++)
				if (rate[i] < rate[j] && lo[i] != "" &&
					hi[j] != "" && lo[i] > hi[j])
					falls++
		rises += !falls
		forget()
	}
	END {
		if (!n) { print "no figures"; exit 1 }
		printf "idle    mem.loaded %6.1f ns, mem.latency %6.1f ns, " \
			"ratio %.3f; intervals overlap in %d of %d rounds\n",
			middle(a, n), middle(b, n), middle(r, n), agree, n
		printf "peak    mem.loaded %6.2f GB/s, mem.bandwidth %6.2f " \
			"GB/s, ratio %.3f\n", middle(c, n) / 1e9,
			middle(d, n) / 1e9, middle(s, n)
		printf "loaded  mem.loaded %6.1f ns; the curve rises within " \
			"its intervals in %d of %d rounds\n", middle(l, n),
			rises, n
	}'
