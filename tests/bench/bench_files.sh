#!/bin/sh
# fs.read against fio on the same file, in interleaved rounds, both pinned to
# the same processor; and what fs.cache finds and takes, three times.
#   bench_files.sh BENCHTOP
# fio: psync, the same block, its median of completion (clat_ns, p50, in steps
# of 1.6 %). benchtop's test file has no name: in each round one of them is
# linked into the folder while a launch holds it (which takes root), and fio
# reads that. Ratios of the medians should be within 10 %.
# Three things make a block of 4K from the cache look slower to one than to the
# other, and are counted alike here:
#   - the processor's caches. Of 64 MiB a block took 600 ns once the last cache
#     had them, and 1000 to 1500 ns before, or when a neighbour took it. fio
#     reads it a hundred times, benchtop four times before it looks; of 16 MiB
#     both find it there. fio reads what benchtop has written in that round.
#   - where the block goes. fio aligns its buffer to 16 bytes if not told to do
#     better, benchtop to a page: 3 %.
#   - fio's own two readings of the clock, which it does not subtract. They are
#     what its null engine takes, 20 ns.
set -eu
export LC_ALL=C
middle=$(cat "$(dirname "$0")/middle.awk")
benchtop=$1
rounds=${ROUNDS:-5}
# Small, since a disk that has just been given gigabytes answers late, in a
# cloud for as long as its credit is used up; and it fits into the last cache.
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

# Links the first file without a name that appears, once it has its size.
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

# clat WORDS...: the median of fio's completions, ns
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
