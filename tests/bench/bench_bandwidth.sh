#!/bin/sh
# Compares mem.bandwidth with likwid-bench, stress-ng, sysbench and mbw, if
# installed: interleaved rounds, medians, the same bytes counted.
#   bench_bandwidth.sh BENCHTOP HELPERS [ROW..]
# ROWS: read-1, write-1, copy-1, read-2, write-2, copy-2; without, all. The
# environment may set ROUNDS (5) and MEBIBYTES (256). All figures are converted
# to 10^9 bytes per second that a program reads or writes. A copied byte counts
# twice, as in likwid-bench but not in mbw. sysbench, mbw and stress-ng mean
# 2^20 bytes by MB. For likwid-bench and stress-ng the fastest kernel of each
# round counts. On a busy machine (see the load average) the ratios mean nothing:
# mem.bandwidth excludes interrupted trials, the others average over them.
set -eu
export LC_ALL=C
benchtop=$1
rounds=${ROUNDS:-5}
size=${MEBIBYTES:-256}
shift 2
rows=" ${*:-read-1 write-1 copy-1 read-2 write-2 copy-2} "
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

has() {
	command -v "$1" >/dev/null 2>&1
}
if ! has likwid-bench && ! has stress-ng && ! has sysbench && ! has mbw; then
	echo "SKIP: no other bandwidth benchmark here"
	exit 77
fi

# ours OP THREADS: the median; of all trials if all were excluded.
ours() {
	rm -f "$folder/figures.csv"
	"$benchtop" -c "run mem.bandwidth op=$1 threads=$2 size=${size}M launches=6 budget=6s
		export csv $folder/figures.csv" >/dev/null 2>&1 || return 0
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["metric"] == "bandwidth" {
			rate = $at["median"] ? $at["median"] : $at["median_all"]
			print rate * 1e-9 }' "$folder/figures.csv"
}

# likwid OP THREADS: each kernel for a second. The threads share the size.
likwid() {
	case $1 in
	read) kernels="load_sse load_avx load_avx512" ;;
	write) kernels="store_avx512 store_mem_sse store_mem_avx
		store_mem_avx512" ;;
	copy) kernels="copy_avx512 copy_mem_sse copy_mem_avx copy_mem_avx512" ;;
	esac
	for kernel in $kernels; do
		likwid-bench -t "$kernel" -w "N:${size}MB:$2" -s 1 2>/dev/null |
			awk '$1 == "MByte/s:" { print $2 * 1e-3 }'
	done
}

# Each instance has a buffer of its own, so the size is divided.
stress() {
	[ "$1" != copy ] || return 0
	stress-ng --memrate "$2" --memrate-bytes "$((size / $2))M" -t 2 \
		--metrics-brief 2>&1 |
		awk -v op="$1" -v n="$2" '
		$4 == "memrate" && ($6 ~ "^" op || (op == "write" && $6 == "memset")) {
			print $5 * n * 1048576 * 1e-9 }'
}

sys() {
	[ "$1" != copy ] || return 0
	sysbench memory --memory-block-size="$((size / $2))M" \
		--memory-scope=local --memory-oper="$1" --threads="$2" \
		--memory-total-size=1000T --time=1 run 2>/dev/null |
		awk -F'[(]' '/MiB transferred/ { print $2 * 1048576 * 1e-9 }'
}

mbw_copy() {
	[ "$1" = copy ] && [ "$2" = 1 ] || return 0
	mbw -q -n 10 -t0 "$((size / 2))" |
		awk '/^AVG/ { print $(NF - 1) * 2 * 1048576 * 1e-9 }'
}

# one TOOL FUNCTION OP THREADS: keeps the fastest figure under the tool's name.
one() {
	has "$1" || return 0
	"$2" "$3" "$4" | sort -g | tail -1 >"$folder/now"
	[ -s "$folder/now" ] || return 0
	cat "$folder/now" >>"$folder/$1-$3-$4"
	cat "$folder/now" >>"$folder/peers"
}

median() {
	sort -g "$1" | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

round() {
	rm -f "$folder/peers"
	mine=$(ours "$1" "$2")
	one likwid-bench likwid "$1" "$2"
	one stress-ng stress "$1" "$2"
	one sysbench sys "$1" "$2"
	one mbw mbw_copy "$1" "$2"
	[ -n "$mine" ] && [ -s "$folder/peers" ] || return 0
	echo "$mine" >>"$folder/benchtop-$1-$2"
	best=$(sort -g "$folder/peers" | tail -1)
	awk -v a="$mine" -v b="$best" 'BEGIN { print a / b }' \
		>>"$folder/ratio-$1-$2"
}

n=1
while [ "$n" -le "$rounds" ]; do
	for threads in 1 2; do
		[ "$threads" -le "$(nproc)" ] || continue
		for op in read write copy; do
			case $rows in
			*" $op-$threads "*) round "$op" "$threads" ;;
			esac
		done
	done
	n=$((n + 1))
done

echo "GB/s (10^9), medians of $rounds interleaved rounds, $size MiB," \
	"load average $(cut -d' ' -f1 /proc/loadavg)"
for threads in 1 2; do
	for op in read write copy; do
		[ -s "$folder/ratio-$op-$threads" ] || continue
		line="$op, threads $threads:"
		for tool in benchtop likwid-bench stress-ng sysbench mbw; do
			file=$folder/$tool-$op-$threads
			[ -s "$file" ] || continue
			line="$line $tool $(printf %.2f "$(median "$file")"),"
		done
		echo "$line over the best" \
			"$(printf %.3f "$(median "$folder/ratio-$op-$threads")")"
	done
done
