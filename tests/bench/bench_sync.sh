#!/bin/sh
# Compares fs.sync how=fdatasync with fio (appended records of 2300 bytes: p50
# and p99 of the sync) and with pg_test_fsync (8 KiB over and over: operations
# per second).
#   [FOLDER=.] bench_sync.sh BENCHTOP
# Six interleaved rounds, every second one in reverse order, because disks
# drift. The ratios should be within 10 %. fio sorts times into bins of at most
# 1.6 %. Both rewrite one block, and both find a small folio in the page cache:
# the file of fs.sync has this block alone, and pg_test_fsync has evicted it by
# its test with O_DIRECT before.
place=${FOLDER:-.}
. "$(dirname "$0")/setup.sh"
benchtop=$1
rounds=${ROUNDS:-6}
writes=3000

# shellcheck disable=SC2012 # their names are plain
pg=$(command -v pg_test_fsync || ls /usr/lib/postgresql/*/bin/pg_test_fsync \
	2>/dev/null | head -n 1)
if [ -z "$pg" ] || ! command -v fio >/dev/null; then
	echo "SKIP: fio or pg_test_fsync is not installed"
	exit 77
fi

# ours_sync: p50 and p99 of the sync, us.
ours_sync() {
	"$benchtop" run fs.sync how=fdatasync pattern=append size=2300 \
		dir="$folder" cpu="$cpu" launches=6 trials=$((writes / 6)) \
		budget=120s precision=0.01% --json >"$folder/run.json"
	python3 -c '
import json, sys
sync = json.load(open(sys.argv[1]))["points"][0]["metrics"]["sync"]
q = sync["quantiles"]
print(q["p50"] / 1e3, q["p99"] / 1e3)' "$folder/run.json"
}

fio_sync() {
	rm -f "$folder/fio"
	taskset -c "$cpu" fio --name=sync --filename="$folder/fio" --rw=write \
		--bs=2300 --size=$((2300 * writes)) --fallocate=none \
		--fdatasync=1 --ioengine=sync --output-format=json |
		python3 -c '
import json, sys
sync = json.load(sys.stdin)["jobs"][0]["sync"]["lat_ns"]["percentile"]
print(sync["50.000000"] / 1e3, sync["99.000000"] / 1e3)'
}

# ours_rate: operations per second from the mean, as pg_test_fsync counts.
ours_rate() {
	"$benchtop" run fs.sync how=fdatasync pattern=rewrite size=8K \
		dir="$folder" cpu="$cpu" launches=6 trials=$((writes / 6)) \
		budget=120s precision=0.01% --json >"$folder/run.json"
	python3 -c '
import json, sys
time = json.load(open(sys.argv[1]))["points"][0]["metrics"]["time"]
print(1e9 / time["mean"])' "$folder/run.json"
}

pg_rate() {
	taskset -c "$cpu" "$pg" -f "$folder/pg" -s 1 |
		awk '$1 == "fdatasync" { print $2; exit }'
}

round=0
while [ "$round" -lt "$rounds" ]; do
	if [ $((round % 2)) -eq 0 ]; then
		echo "$(ours_sync) $(fio_sync) $(ours_rate) $(pg_rate)"
	else
		theirs=$(pg_rate) rate=$(ours_rate) fio=$(fio_sync)
		echo "$(ours_sync) $fio $rate $theirs"
	fi
	round=$((round + 1))
done | awk "$middle"'
	NF == 6 { n++; a[n] = $1; b[n] = $3; c[n] = $2; d[n] = $4
		e[n] = $5; f[n] = $6
		r[n] = $1 / $3; s[n] = $2 / $4; t[n] = $5 / $6 }
	END {
		if (!n) { print "no figures"; exit 1 }
		printf "p50: fs.sync %.1f us, fio %.1f us, ratio %.3f " \
			"(%d rounds)\n", middle(a, n), middle(b, n),
			middle(r, n), n
		printf "p99: fs.sync %.1f us, fio %.1f us, ratio %.3f\n",
			middle(c, n), middle(d, n), middle(s, n)
		printf "rate: fs.sync %.0f/s, pg_test_fsync %.0f/s, " \
			"ratio %.3f\n", middle(e, n), middle(f, n),
			middle(t, n)
	}'
