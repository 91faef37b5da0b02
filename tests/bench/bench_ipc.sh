#!/bin/sh
# Compares ipc.pingpong, ipc.bandwidth, ipc.ready and cpu.signal with minimal
# loops, and with lmbench if LMBENCH names the folder of its programs.
#   bench_ipc.sh BENCHTOP HELPERS [NAME..]
# Five interleaved rounds on one processor. Prints the medians and the median
# ratios. That of benchtop to the median of the loop should be within 5 %, and
# that of lmbench to the mean of the loop with lmbench's operation: it divides
# the time of many operations by their number, interruptions included. Where the
# operations are the same, the line ends with the ratio of the two programs.
. "$(dirname "$0")/setup.sh"
benchtop=$1
plain=$2/plain_ipc
shift 2
only=" $* "
# Without these, lmbench measures for seconds how long it must measure.
export ENOUGH="${ENOUGH:-100000}" TIMING_O=0 LOOP_O=0

# ours METRIC WORDS..: the median of all trials. The loop and lmbench cannot
# exclude the time beside a co-runner.
ours() {
	metric=$1
	shift
	measure "$@" cpu="$cpu" budget=3s
	awk -F, -v metric="$metric" '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == metric {
			print $at["median_all"]
			exit
		}' "$folder/figures.csv"
}

# lmbench FACTOR WORDS..: the number in its output, times the factor; 0 without
# lmbench.
lmbench() {
	if [ $# -eq 0 ] || [ ! -x "${LMBENCH:-}/$2" ]; then
		echo 0
		return
	fi
	factor=$1 program=$LMBENCH/$2
	shift 2
	timeout 20 taskset -c "$cpu" "$program" -W 0 -N 3 "$@" 2>&1 |
		awk -v factor="$factor" '{
			for (i = NF; i > 0; i--)
				if ($i + 0 > 0) {
					print $i * factor
					found = 1
					exit
				}
		}
		END { if (!found) print 0 }'
}

# compare NAME METRIC "WORDS OF BENCHTOP" "FACTOR AND WORDS OF LMBENCH" [LIKE]
compare() {
	[ "$only" = "  " ] || case $only in *" $1 "*) ;; *) return 0 ;; esac
	round=0
	while [ "$round" -lt "$rounds" ]; do
		# shellcheck disable=SC2086
		a=$(ours "$2" $3)
		b=$("$plain" "$cpu" "$1")
		# shellcheck disable=SC2086
		c=$(lmbench $4)
		# shellcheck disable=SC2086
		d=$([ -z "${5:-}" ] || "$plain" "$cpu" "$1" $5)
		echo "$a $b $c ${d:-$b}"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v name="$1" -v like="${5:-}" "$middle"'
		{ a[NR] = $1; b[NR] = $2; r[NR] = $1 / $2 }
		$4 > 0 { n++; c[n] = $4; d[n] = $6; s[n] = $4 / $6
			t[n] = $1 / $4 }
		END {
			printf "%-8s benchtop %-10.5g loop %-10.5g ratio %.3f",
				name, middle(a, NR), middle(b, NR),
				middle(r, NR)
			if (n)
				printf "  lmbench %-10.5g mean of %s loop " \
					"%-10.5g ratio %.3f", middle(c, n),
					like ? "its" : "the",
					middle(d, n), middle(s, n)
			if (n && !like)
				printf "  benchtop/lmbench %.3f", middle(t, n)
			printf "\n"
		}' "$folder/figures"
}

cat <<'END'
ns of a round trip or a call, bytes per second. Three of lmbench's operations are
others, and have a loop of their own. lat_sem waits and posts in one call, and
prints half a round trip. lat_fcntl hands the same two locks to and fro, so a
process often locks at once what it has unlocked; it prints half of that.
lat_select selects for writing, so all its descriptors are ready; they are one
regular file, and their number is also the limit, so the last few are left out.
END
like='like-lmbench'
compare pipe time "ipc.pingpong through=pipe" "1000 lat_pipe"
compare unix time "ipc.pingpong through=unix-stream" "1000 lat_unix"
compare sem time "ipc.pingpong through=sysv-sem" "1000 lat_sem" $like
compare fcntl time "ipc.pingpong through=fcntl" "1000 lat_fcntl" $like
compare select scan "ipc.ready with=select descriptors=64" \
	"1000 lat_select -n 64 file" $like
compare signal time "cpu.signal how=self" ""
compare install time "cpu.signal how=install" "1000 lat_sig install"
compare handler handler "cpu.signal how=self" "1000 lat_sig catch"
compare fault fault "cpu.signal how=segv" "1000 lat_sig prot ${LMBENCH:-}/lat_sig"
compare bw-pipe bandwidth "ipc.bandwidth through=pipe size=64K" \
	"1000000 bw_pipe"
compare bw-unix bandwidth "ipc.bandwidth through=unix-stream size=64K" \
	"1000000 bw_unix"
