#!/bin/sh
# Compares ipc.pingpong, ipc.bandwidth, ipc.ready and cpu.signal with minimal
# loops, and with lmbench if LMBENCH names the folder of its programs.
#   bench_ipc.sh BENCHTOP HELPERS
# Five interleaved rounds on one processor. Prints the medians and the median
# ratio, which should be within 5 %.
. "$(dirname "$0")/setup.sh"
benchtop=$1
plain=$2/plain_ipc

# ours WORDS..: the headline, or the median of all trials without one.
ours() {
	measure "$@" cpu="$cpu" budget=3s
	columns median median_all | awk '{ print $1 }'
}

# lmbench FACTOR WORDS..: the number in its output, times the factor; 0 without
# lmbench.
lmbench() {
	factor=$1 program=${LMBENCH:-}/$2
	shift 2
	if [ -z "${LMBENCH:-}" ] || [ ! -x "$program" ]; then
		echo 0
		return
	fi
	taskset -c "$cpu" "$program" -W 0 -N 3 "$@" 2>&1 |
		awk -v factor="$factor" '{
			for (i = NF; i > 0; i--)
				if ($i + 0 > 0) { print $i * factor; exit }
		}'
}

# compare NAME "WORDS OF BENCHTOP" "FACTOR AND WORDS OF LMBENCH"
compare() {
	round=0
	while [ "$round" -lt "$rounds" ]; do
		a=$(ours "$2")
		b=$("$plain" "$cpu" "$1")
		# shellcheck disable=SC2086
		c=$(if [ -n "$3" ]; then lmbench $3; else echo 0; fi)
		echo "$a $b $c"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v name="$1" "$middle"'
		{ a[NR] = $1; b[NR] = $2; c[NR] = $3; r[NR] = $1 / $2 }
		$3 > 0 { s[++peers] = $1 / $3 }
		END {
			printf "%-8s benchtop %-12.6g plain %-12.6g ratio %.3f",
				name, middle(a, NR), middle(b, NR),
				middle(r, NR)
			if (peers)
				printf "  lmbench %-12.6g ratio %.3f",
					middle(c, NR), middle(s, peers)
			printf "\n"
		}' "$folder/figures"
}

cat <<'END'
ns of a round trip or a call, bytes per second. lmbench divides the time of many
operations by their number, interruptions included. lat_sem passes a semaphore
with one call where two are usual, and prints half a round trip. lat_select
watches regular files or one idle socket, never eventfds. lat_fcntl unlocks and
at once locks the same file again, and often gets it back. lat_sig counts down
before its first signal, and never ends if it starts at 0. These are not
compared.
END
compare pipe "ipc.pingpong through=pipe" "1000 lat_pipe"
compare unix "ipc.pingpong through=unix-stream" "1000 lat_unix"
compare sem "ipc.pingpong through=sysv-sem" ""
compare select "ipc.ready with=select descriptors=64" ""
compare signal "cpu.signal how=self" ""
compare install "cpu.signal how=install" "1000 lat_sig install"
compare bw-pipe "ipc.bandwidth through=pipe size=64K" "1000000 bw_pipe"
compare bw-unix "ipc.bandwidth through=unix-stream size=64K" "1000000 bw_unix"
