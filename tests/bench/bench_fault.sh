#!/bin/sh
# Compares the denominators of mem.fault with the kernel's counters of an
# independent program.
#   bench_fault.sh BENCHTOP
# Anonymous pages: one minor fault per page (ru_minflt), so the ratio should be
# 1. A file in the page cache: one fault maps many pages, as counted by the
# kernel. The number depends on how the file came into the cache, so the two may
# differ, but both must be well above 1.
. "$(dirname "$0")/setup.sh"
benchtop=$1

# A file on tmpfs is in no page cache, so the state folder must be on a disk.
export XDG_STATE_HOME="${STATE:-$folder}"
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}

# ours KIND: pages touched per fault, and ns per fault.
ours() {
	measure mem.fault kind="$1" size=16M touch="$2" budget=3s
	awk -F, '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["metric"] == "pages-per-fault" {
			pages = $at["median"] }
		NR > 1 && $at["metric"] == "fault" { ns = $at["median"] }
		END { print pages, ns }' "$folder/figures.csv"
}

# theirs KIND: the same, by getrusage() around a loop of touches.
theirs() {
	python3 -c '
import mmap, os, resource, sys, tempfile, time
size, page = 16 << 20, mmap.PAGESIZE
file = tempfile.TemporaryFile(dir=sys.argv[2])
if sys.argv[1] == "minor-file":
    file.write(os.urandom(size)); file.flush(); os.fsync(file.fileno())
    memory = mmap.mmap(file.fileno(), size)
else:
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
places = range(0, size, page)
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
first = faults()
begin = time.perf_counter_ns()
if sys.argv[1] == "minor-file":
    for at in places: memory[at]
else:
    for at in places: memory[at] = 1
took = time.perf_counter_ns() - begin
count = faults() - first
print(size / page / count, took / count)
' "$1" "$XDG_STATE_HOME"
}

# both KIND TOUCH
both() {
	round=0
	while [ "$round" -lt "$rounds" ]; do
		echo "$(ours "$1" "$2") $(theirs "$1")"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v name="$1" "$middle"'
		NF == 4 { n++; a[n] = $1; ns[n] = $2; b[n] = $3; r[n] = $1 / $3 }
		END {
			if (!n) { print name ": no figures"; exit 1 }
			printf "%-10s mem.fault %.3f pages per fault of %.0f ns, "\
				"getrusage %.3f, ratio %.3f (%d rounds)\n",
				name, middle(a, n), middle(ns, n), middle(b, n),
				middle(r, n), n
		}' "$folder/figures"
}

both minor-anon write
both minor-file read
