#!/bin/sh
# Compares fs.read with fio on the same file, in interleaved rounds on the same
# processor. Then runs fs.cache three times.
#   bench_files.sh BENCHTOP
# fio uses psync and the same block; its figure is the median completion time
# (clat_ns, p50, in steps of 1.6 %). benchtop's test file has no name. In each
# round it is linked into the folder while a launch holds it, which needs root,
# and fio reads that file. The ratio of the medians should be within 10 %.
# Three effects on a block of 4K from the cache are made equal here:
#   - The processor's caches. With a file of 64 MiB, a block takes 600 ns if the
#     last-level cache has it, otherwise 1000 to 1500 ns. fio reads the file a
#     hundred times, benchtop four times before it measures. 16 MiB stay in the
#     cache for both.
#   - The alignment of the buffer: by default 16 bytes in fio, a page in
#     benchtop. The difference is 3 %.
#   - Two readings of the clock that fio does not subtract. Its null engine
#     shows their cost, 20 ns.
set -eu
export LC_ALL=C
middle=$(cat "$(dirname "$0")/middle.awk")
benchtop=$1
rounds=${ROUNDS:-5}
# Small enough for the last-level cache. After gigabytes of writing a disk is
# slow, in a cloud until it has credit again.
size=${SIZE:-16M}

skip() {
	echo "SKIP: $1"
	exit 77
}
command -v fio >/dev/null 2>&1 || skip "fio is not installed"
command -v taskset >/dev/null 2>&1 || skip "taskset is not installed"
[ "$(id -u)" -eq 0 ] || skip "not permitted here: linking a file without a name"

cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')
folder=$(mktemp -d "${DISK:-$PWD}/bench-files-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config"
mkdir "$folder/files"

# Links the first file without a name once it has its full size.
link_file() {
	bytes=$(numfmt --from=iec "$size")
	while [ ! -e "$folder/file" ]; do
		find /proc/[0-9]*/fd -lname "$folder/files/#*" 2>/dev/null |
			while read -r fd; do
				[ "$(stat -Lc %s "$fd" 2>/dev/null)" = \
					"$bytes" ] &&
					ln -L "$fd" "$folder/file" \
						2>/dev/null && break
			done || true
		sleep .05
	done
}

# column FILE METRIC NAME: the first cell of a column of an export.
column() {
	awk -F, -v metric="$2" -v name="$3" '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["metric"] == metric { print $at[name]; exit }' "$1"
}

# ours ORDER CACHE: ns
ours() {
	rm -f "$folder/csv"
	"$benchtop" -c "run fs.read dir=$folder/files size=$size order=$1 \
cache=$2 cpu=$cpu launches=6 budget=2s
export csv $folder/csv" >"$folder/said" 2>&1
	column "$folder/csv" time median
}

# clat WORDS...: fio's median completion time, ns
clat() {
	fio --name=file --filename="$folder/file" --readonly --bs=4k \
		--invalidate=0 --iomem_align=4k --cpus_allowed="$cpu" \
		--time_based --runtime=1 --percentile_list=50 \
		--output-format=json "$@" |
		awk -F: '/"read"/ { read = 1 }
			read && /"clat_ns"/ { clat = 1 }
			clat && /"50.000000"/ {
				gsub(/[^0-9.]/, "", $2); print $2; exit
			}'
}

# theirs ORDER CACHE: ns
theirs() {
	how='read'
	[ "$1" = sequential ] || how=randread
	if [ "$2" = direct ]; then
		clat --rw="$how" --direct=1 --ioengine=psync
		return
	fi
	own=$(clat --rw="$how" --ioengine=null --size="$size")
	all=$(clat --rw="$how" --direct=0 --ioengine=psync)
	echo $((all - own))
}

both() {
	round=0
	while [ "$round" -lt "$rounds" ]; do
		link_file &
		mine=$(ours "$1" "$2")
		wait "$!"
		echo "$mine $(theirs "$1" "$2")"
		rm "$folder/file"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v what="$2 4K $1" "$middle"'
		NF == 2 { n++; a[n] = $1; b[n] = $2; r[n] = $1 / $2 }
		END {
			if (!n) { print what ": no figures"; exit 1 }
			printf "%-20s fs.read %9.1f ns, fio %9.1f ns, " \
				"ratio %.3f (%d rounds:", what,
				middle(a, n), middle(b, n), middle(r, n), n
			for (i = 1; i <= n; i++)
				printf " %.3f", r[i]
			print ")"
		}' "$folder/figures"
}

both sequential direct
both random direct
both sequential warm
both random warm

[ "${CACHE:-yes}" = yes ] || exit 0
for round in 1 2 3; do
	"$benchtop" run fs.cache limit=512M "dir=$folder/files" cpu="$cpu" \
		-v >"$folder/out" 2>&1 || true
	echo "fs.cache, round $round:"
	grep -E 'the cache holds|no knee|unavailable|done|ended' "$folder/out" |
		sed 's/^ */  /'
done
