#!/bin/sh
# matrix.sh FOLDER [EXPERIMENT]: prints the matrix that pairs.sh has measured: a
# row for each client, a column for each server. A - is a pair without a figure;
# the reason of each pair that failed is below the matrix. EXPERIMENT: net.rtt
# (in us), net.connect (in us) or net.bandwidth (in Mbit/s).
set -eu
folder=$1 experiment=${2:-net.rtt}
status=0
# FROM,TO: in Slurm no name of a node has a comma.
pair_of() {
	basename "$1" | sed -E 's/\.(json|json\.gz|log)$//'
}
for file in "$folder"/*,*.json*; do
	[ -e "$file" ] || continue
	"${BENCHTOP:-benchtop}" export csv --session="$file" |
		awk -F, -v pair="$(pair_of "$file")" -v wanted="$experiment" '
			$1 == wanted && $6 > 0 { print pair, $5, $6; exit }'
done | awk -v experiment="$experiment" '
	function add(node) {
		if (!(node in seen))
			names[++count] = node
		seen[node] = 1
	}
	{
		split($1, ends, ",")
		add(ends[1])
		add(ends[2])
		rate = $2 == "bit/s" || $2 == "bytes/s"
		scale = $2 == "bytes/s" ? 8e-6 : rate ? 1e-6 : 1e-3
		value[ends[1], ends[2]] = sprintf("%.4g", $3 * scale)
	}
	END {
		if (!count) {
			print "no pair has " experiment > "/dev/stderr"
			exit 1
		}
		for (i = 2; i <= count; i++)
			for (k = i; k > 1 && names[k - 1] > names[k]; k--) {
				swap = names[k]
				names[k] = names[k - 1]
				names[k - 1] = swap
			}
		title = experiment (rate ? " Mbit/s" : " us")
		printf "%-20s", title
		for (k = 1; k <= count; k++)
			printf " %10s", names[k]
		print ""
		for (i = 1; i <= count; i++) {
			printf "%-20s", names[i]
			for (k = 1; k <= count; k++) {
				has = (names[i], names[k]) in value
				printf " %10s", has ? \
					value[names[i], names[k]] : "-"
			}
			print ""
		}
	}' || status=1
for file in "$folder"/*,*.log; do
	[ -e "$file" ] || continue
	echo "$(pair_of "$file"): $(head -n 1 "$file")"
done
exit "$status"
