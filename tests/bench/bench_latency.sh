#!/bin/sh
# Compares mem.latency with a minimal pointer chase of the same order, stride
# and page size.
#   bench_latency.sh BENCHTOP HELPERS [ROW..]
# ROWS: L1, L2, L2-local, memory, memory-local; without, all. Five interleaved
# rounds. Prints the medians, their ratios, and a load from L1 in cycles. The
# ratios should be within 3 % in L1 and L2, and within 5 % in memory.
. "$(dirname "$0")/setup.sh"
benchtop=$1
chase=$2/plain_chase
shift 2
rows=" ${*:-L1 L2 L2-local memory memory-local} "

# ours SIZE ORDER BUDGET: ns and cycles of a load.
ours() {
	measure mem.latency size="$1" order="$2" cpu="$cpu" budget="$3"
	columns median cycles
}

# both NAME SIZE BYTES ORDER DRAWS BUDGET
both() {
	case $rows in
	*" $1 "*) ;;
	*) return 0 ;;
	esac
	round=0
	while [ "$round" -lt "$rounds" ]; do
		a=$(ours "$2" "$4" "$6")
		b=$("$chase" "$cpu" "$3" 64 "$4" "$5")
		echo "$a $b"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v name="$1" -v order="$4" "$middle"'
		NF == 3 { n++; a[n] = $1; c[n] = $2; b[n] = $3; r[n] = $1 / $3 }
		END {
			if (!n) { print name ": no figures"; exit 1 }
			printf "%-12s %-6s mem.latency %8.3f ns (%.2f cycles), " \
				"plain chase %8.3f ns, ratio %.3f (%d rounds)\n",
				name, order, middle(a, n), middle(c, n),
				middle(b, n), middle(r, n), n
		}' "$folder/figures"
}

large=1G
bytes=1073741824
available=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
if [ "$available" -lt 4000000 ]; then
	large=256M
	bytes=268435456
fi
both L1 16K 16384 random 6 3s
both L2 256K 262144 random 12 3s
both L2-local 256K 262144 local 12 3s
both memory "$large" "$bytes" random 3 6s
both memory-local "$large" "$bytes" local 5 10s
