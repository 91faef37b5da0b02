#!/bin/sh
# mem.latency against the plainest chase, at equal order, stride and pages.
#   bench_latency.sh BENCHTOP HELPERS
# Five rounds of both in turn; printed are the medians and their ratios, which
# should be within 3 % in L1 and L2, and 5 % in memory.
set -eu
export LC_ALL=C
benchtop=$1
chase=$2/plain_chase
rounds=${ROUNDS:-5}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

cpu=$(awk '/^Cpus_allowed_list/ { n = split($2, a, /[,-]/); print a[n] }' \
	/proc/self/status)

# ours SIZE ORDER: in ns. A table has two points at least.
ours() {
	"$benchtop" run mem.latency size="$1,$3" order="$2" cpu="$cpu" \
		budget="$4" | awk -v size="size=$1" '$1 == size {
			scale = $3 == "us" ? 1000 : 1
			print $2 * scale
		}'
}

# both NAME SIZE BYTES ORDER DRAWS OTHER BUDGET
both() {
	round=0
	while [ "$round" -lt "$rounds" ]; do
		a=$(ours "$2" "$4" "$6" "$7")
		b=$("$chase" "$cpu" "$3" 64 "$4" "$5")
		echo "$a $b"
		round=$((round + 1))
	done >"$folder/figures"
	awk -v name="$1" -v order="$4" '
		function middle(v, n,    i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
			return v[int((n + 1) / 2)]
		}
		NF == 2 { n++; a[n] = $1; b[n] = $2; r[n] = $1 / $2 }
		END {
			if (!n) { print name ": no figures"; exit 1 }
			printf "%-8s %-7s mem.latency %8.3f ns, plain chase " \
				"%8.3f ns, ratio %.3f (%d rounds)\n", name,
				order, middle(a, n), middle(b, n),
				middle(r, n), n
		}' "$folder/figures"
}

large=1G
bytes=1073741824
available=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
if [ "$available" -lt 4000000 ]; then
	large=256M
	bytes=268435456
fi
both 16K 16K 16384 random 6 8K 5s
both 256K 256K 262144 random 12 8K 5s
both 256K 256K 262144 local 12 8K 5s
both "$large" "$large" "$bytes" random 2 8K 15s
both "$large" "$large" "$bytes" local 2 8K 15s
