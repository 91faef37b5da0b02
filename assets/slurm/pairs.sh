#!/bin/sh
# sbatch --nodes=N --exclusive pairs.sh FOLDER: measures the network between
# every two of N nodes, in both directions: net.rtt, net.bandwidth and
# net.connect, into the sessions FOLDER/FROM_TO.json. `matrix.sh FOLDER` prints
# them. FOLDER is on a file system that all nodes share.
#
# The rounds are those of the circle method: in each, every node is in one pair,
# so that pairs do not share a node. Called again, it measures the pairs that
# have no session yet. The remote end is `benchtop serve` with a token of this
# job. BENCHTOP_PORT is the first of N ports.
set -eu
umask 077
mkdir -p "$1"
folder=$(readlink -f "$1")
benchtop=${BENCHTOP:-benchtop}
first_port=${BENCHTOP_PORT:-24117}
token=$folder/.token-$SLURM_JOB_ID
export BENCHTOP_TOKEN_FILE="$token"
trap 'rm -f "$token"' EXIT
trap 'exit 143' INT TERM
od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$token"

# Prints the rounds: lines of ROUND FROM TO, as numbers from 0. With an odd
# number of nodes, one rests in each round.
rounds() {
	awk -v count="$1" 'BEGIN {
		even = count + count % 2
		for (way = 0; way < 2; way++)
			for (round = 0; round < even - 1; round++)
				for (i = 0; i < even / 2; i++) {
					a = (round + i) % (even - 1)
					b = i ? (round - i + even - 1) % \
						(even - 1) : even - 1
					if (a >= count || b >= count)
						continue
					print way * (even - 1) + round, \
						way ? b : a, way ? a : b
				}
	}'
}

# step NODE COMMAND ..: becomes a command on a node of this job.
step() {
	node=$1
	shift
	exec srun --overlap --nodes=1 --ntasks=1 --nodelist="$node" --quiet \
		--output="$folder/.$pair.$node.log" "$@"
}

address_of() {
	scontrol --oneliner show node "$1" |
		sed 's/.* NodeAddr=\([^ ]*\) .*/\1/'
}

# measure FROM TO PORT
measure() {
	pair=$1_$2
	[ ! -e "$folder/$pair.json" ] || return 0
	rm -f "$folder/.$pair".*
	step "$2" "$benchtop" serve --listen="0.0.0.0:$3" --rate=1000Gbit \
		--token-file="$token" 2>/dev/null &
	server=$!
	for _ in $(seq 300); do
		! grep -q listening "$folder/.$pair.$2.log" 2>/dev/null || break
		sleep .1
	done
	host=$(address_of "$2"):$3
	if (step "$1" "$benchtop" --trials=none -c "
		run net.rtt host=$host budget=3s
		run net.bandwidth host=$host size=256K budget=5s
		run net.connect host=$host budget=3s
		save --force $folder/.$pair.part"); then
		mv "$folder/.$pair.part" "$folder/$pair.json"
	else
		cat "$folder/.$pair".*.log >&2
	fi
	kill "$server" 2>/dev/null || true
	wait "$server" || true
	rm -f "$folder/.$pair".*
}

# shellcheck disable=SC2046
set -- $(scontrol show hostnames "$SLURM_JOB_NODELIST")
current=0
while read -r round from to; do
	if [ "$round" != "$current" ]; then
		wait
		current=$round
	fi
	eval "a=\${$((from + 1))} b=\${$((to + 1))}"
	# shellcheck disable=SC2154
	measure "$a" "$b" $((first_port + to)) </dev/null &
done <<END
$(rounds $#)
END
wait
