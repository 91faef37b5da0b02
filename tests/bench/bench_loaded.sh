#!/bin/sh
# Compares the ends of mem.loaded's curve with mem.latency and mem.bandwidth,
# of the same size (SIZE) and order, in interleaved rounds (ROUNDS).
#   bench_loaded.sh BENCHTOP
# Prints the medians and their ratios. The idle latency should agree within 5 %,
# and the highest bandwidth too.
. "$(dirname "$0")/setup.sh"
benchtop=$1
size=${SIZE:-256M}

# figures RUN: lines of experiment, pause or -, metric and median.
figures() {
	measure "$1"
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["median"] != "" {
			pause = "param_pause" in at ? $at["param_pause"] : "-"
			print $at["experiment"], pause, $at["metric"],
				$at["median"]
		}' "$folder/figures.csv"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	figures "mem.latency size=$size order=local budget=4s"
	figures "mem.loaded pause=0,idle threads=2 size=$size budget=6s"
	figures "mem.bandwidth op=read size=$size budget=4s"
	echo round
	round=$((round + 1))
done | awk "$middle"'
	$1 == "mem.latency" { latency = $4 }
	$1 == "mem.loaded" && $2 == "idle" && $3 == "load" { idle = $4 }
	$1 == "mem.loaded" && $2 != "idle" && $3 == "load" { loaded = $4 }
	$1 == "mem.loaded" && $2 != "idle" && $3 == "bandwidth" { peak = $4 }
	$1 == "mem.bandwidth" && $3 == "bandwidth" { alone = $4 }
	$1 == "round" {
		n++
		a[n] = idle; b[n] = latency; r[n] = idle / latency
		c[n] = peak; d[n] = alone; s[n] = peak / alone
		l[n] = loaded
	}
	END {
		if (!n) { print "no figures"; exit 1 }
		printf "idle    mem.loaded %6.1f ns, mem.latency %6.1f ns, " \
			"ratio %.3f (%d rounds)\n",
			middle(a, n), middle(b, n), middle(r, n), n
		printf "peak    mem.loaded %6.2f GB/s, mem.bandwidth %6.2f " \
			"GB/s, ratio %.3f\n", middle(c, n) / 1e9,
			middle(d, n) / 1e9, middle(s, n)
		printf "loaded  mem.loaded %6.1f ns\n", middle(l, n)
	}'
