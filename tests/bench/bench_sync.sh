#!/bin/sh
# Compares fs.sync how=fdatasync with fio and a plain loop (appended records of
# 2300 bytes: p50 and p99 of the sync) and with pg_test_fsync (8 KiB over and
# over: operations per second).
#   [FOLDER=FOLDER] bench_sync.sh BENCHTOP HERE
# Without FOLDER it is a new ext4 on a loop device in memory, which only root can
# make: on the virtual disk of a guest about one sync in a hundred takes four
# times as long, so that p99 differs by chance. Others use the working folder.
#
# Disks drift and pause, so BURSTS (12) of 12000 writes alternate, every second
# three in reverse order; the medians of the bursts' p50 and p99 count. A burst
# writes six files, because the time depends on where a file lies. In shorter
# bursts the start of each launch contributes to p99. The ratios should be within
# 10 %. fio sorts times into bins of at most 1.6 %.
#
# A sync waits three times, and a guest's processor that slept needs 3 to 15 us
# to run again, depending on what the other processors did. So a loop of the
# lowest priority keeps those awake.
#
# pg_test_fsync and fs.sync rewrite one block, and both find a small folio in the
# page cache: the file of fs.sync has this block alone, and pg_test_fsync has
# evicted it by its test with O_DIRECT before.

# make_disk: mounts the loop device at $disk; false if that is not possible.
make_disk() {
	disk=$(mktemp -d "${TMPDIR:-/tmp}/bench-disk-XXXXXX")
	image=$(mktemp /dev/shm/bench-disk-XXXXXX)
	truncate -s 512M "$image" && mkfs.ext4 -q -F "$image" &&
		mount -o loop "$image" "$disk" && rm "$image" && return
	rm -rf "$image" "$disk"
	disk=
	return 1
}

place=${FOLDER:-.}
disk=
if [ -z "${FOLDER:-}" ] && make_disk 2>/dev/null; then
	place=$disk
fi
. "$(dirname "$0")/setup.sh"
others=
end() {
	# shellcheck disable=SC2086 # numbers
	kill $others 2>/dev/null || true
	rm -rf "$folder"
	[ -z "$disk" ] || { umount "$disk" && rmdir "$disk"; }
}
trap end EXIT

benchtop=$1
plain=$2/plain_sync
bursts=${BURSTS:-12}
writes=12000

# shellcheck disable=SC2012 # their names are plain
pg=$(command -v pg_test_fsync || ls /usr/lib/postgresql/*/bin/pg_test_fsync \
	2>/dev/null | head -n 1)
if [ -z "$pg" ] || ! command -v fio >/dev/null; then
	echo "SKIP: fio or pg_test_fsync is not installed"
	exit 77
fi

# run SETTING..: of fs.sync; its session is $folder/session.json.
run() {
	"$benchtop" -c "run fs.sync how=fdatasync dir=$folder cpu=$cpu \
		launches=6 budget=120s precision=0.01% $*
		save $folder/session.json --force" >/dev/null
}

# All print p50 and p99 of a burst's syncs, us.
quantiles='
def say(syncs):
	syncs.sort()
	print(*(syncs[int(p * len(syncs))] / 1e3 for p in (.5, .99)))
'
ours_sync() {
	run pattern=append size=2300 trials=$((writes / 6))
	python3 -c "$quantiles"'
import json, sys
point = json.load(open(sys.argv[1]))["runs"][0]["points"][0]
say(sum(point["metrics"]["sync"]["values"], []))' "$folder/session.json"
}

fio_sync() {
	taskset -c "$cpu" fio --name=sync --directory="$folder" --rw=write \
		--bs=2300 --size=$((2300 * writes)) --nrfiles=6 \
		--file_service_type=sequential --fallocate=none \
		--fdatasync=1 --ioengine=sync --output-format=json+ \
		--output="$folder/fio.json"
	rm -f "$folder"/sync.*
	# Not in a pipe: Python would begin beside fio.
	python3 -c "$quantiles"'
import json, sys
bins = json.load(open(sys.argv[1]))["jobs"][0]["sync"]["lat_ns"]["bins"]
say([int(ns) for ns, count in bins.items() for _ in range(count)])' \
		"$folder/fio.json"
}

loop_sync() {
	taskset -c "$cpu" "$plain" "$folder/plain" 6 $((writes / 6)) 2300
	rm -rf "$folder/plain"
}

# ours_rate: operations per second from the mean, as pg_test_fsync counts.
ours_rate() {
	run pattern=rewrite size=8K trials=500
	python3 -c '
import json, sys
point = json.load(open(sys.argv[1]))["runs"][0]["points"][0]
print(1e9 / point["metrics"]["time"]["mean"])' "$folder/session.json"
}

pg_rate() {
	taskset -c "$cpu" "$pg" -f "$folder/pg" -s 1 |
		awk '$1 == "fdatasync" { print $2; exit }'
}

for other in $(seq 0 $(($(nproc --all) - 1))); do
	[ "$other" -eq "$cpu" ] && continue
	nice -n 19 taskset -c "$other" sh -c 'while :; do :; done' 2>/dev/null &
	others="$others $!"
done

echo "files in $place (${disk:+a loop device in memory: }$(stat -f -c %T "$place"))"
burst=0
while [ "$burst" -lt "$bursts" ]; do
	if [ $((burst % 2)) -eq 0 ]; then
		ours=$(ours_sync)
		theirs=$(fio_sync)
		loop=$(loop_sync)
	else
		loop=$(loop_sync)
		theirs=$(fio_sync)
		ours=$(ours_sync)
	fi
	echo "$ours $theirs $loop"
	burst=$((burst + 1))
done | awk "$middle"'
	{ for (i = 1; i <= 6; i++) v[i, NR] = $i }
	function of(column,    i, one) {
		for (i = 1; i <= NR; i++)
			one[i] = v[column, i]
		return middle(one, NR)
	}
	function say(name, i) {
		printf "%s: fs.sync %.1f us, fio %.1f us, loop %.1f us, " \
			"ratios %.3f, %.3f (%d bursts)\n", name, of(i),
			of(i + 2), of(i + 4), of(i) / of(i + 2),
			of(i) / of(i + 4), NR
	}
	END {
		say("p50", 1)
		say("p99", 2)
	}'
round=0
while [ "$round" -lt "$rounds" ]; do
	before=$(pg_rate)
	rate=$(ours_rate)
	echo "$rate $before $(pg_rate)"
	round=$((round + 1))
done | awk "$middle"'
	{ a[NR] = $1; b[NR] = ($2 + $3) / 2; r[NR] = a[NR] / b[NR] }
	END {
		if (!NR) { print "no figures"; exit 1 }
		printf "rate: fs.sync %.0f/s, pg_test_fsync %.0f/s, " \
			"ratio %.3f (%d rounds)\n", middle(a, NR),
			middle(b, NR), middle(r, NR), NR
	}'
