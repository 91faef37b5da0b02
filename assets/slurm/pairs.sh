#!/bin/sh
# sbatch --nodes=N --exclusive pairs.sh FOLDER: measures the network between
# every two of N nodes, in both directions: net.rtt, net.bandwidth and
# net.connect, into the sessions FOLDER/FROM,TO.json.gz. `matrix.sh FOLDER` prints
# them. FOLDER is on a file system that all nodes share.
#
# The rounds are those of the circle method: in each, every node is in one pair,
# so that pairs do not share a node. A pair without all figures is measured
# again, three times at most. Then FOLDER/FROM,TO.log begins with the reason,
# and the exit status is 1. Called again, it measures the pairs that have no
# session yet. The remote end is `benchtop serve` with a token of this job.
# BENCHTOP_PORT is the first of N ports, BENCHTOP_BUDGET the time for each of
# the three experiments, BENCHTOP_DURATION that of each of the six or more
# streams of net.bandwidth.
set -eu
umask 077
benchtop=${BENCHTOP:-benchtop}
command -v "$benchtop" >/dev/null || {
	echo "no program $benchtop here: expected it in PATH or as BENCHTOP" >&2
	exit 4
}
mkdir -p "$1"
folder=$(readlink -f "$1")
budget=${BENCHTOP_BUDGET:-4s}
duration=${BENCHTOP_DURATION:-auto}
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

# step NODE LOG COMMAND ..: becomes a command on a node of this job.
step() {
	node=$1 log=$2
	shift 2
	exec srun --overlap --nodes=1 --ntasks=1 --nodelist="$node" --quiet \
		--output="$log" "$@" 2>>"$log"
}

address_of() {
	scontrol --oneliner show node "$1" |
		sed 's/.* NodeAddr=\([^ ]*\) .*/\1/'
}

# listens PROCESS LOG: waits until the server accepts connections.
listens() {
	for _ in $(seq 300); do
		! grep -q listening "$2" 2>/dev/null || return 0
		kill -0 "$1" 2>/dev/null || return 1
		sleep .1
	done
	return 1
}

# Prints the experiments of which a session has no figure.
lacking() {
	"$benchtop" export csv --session="$1" | awk -F, '
		$6 > 0 { has[$1] = 1 }
		END {
			count = split("net.rtt net.bandwidth net.connect", all, " ")
			for (i = 1; i <= count; i++)
				if (!(all[i] in has))
					printf " %s", all[i]
		}'
}

# client FROM HOST: the node has no session of its own of this.
client() {
	# shellcheck disable=SC2016
	(step "$1" "$files.client" sh -c 'state=$(mktemp -d)
		XDG_STATE_HOME=$state "$0" --trials=none -c "$1"
		status=$?
		rm -rf "$state"
		exit $status' "$benchtop" "
		run net.rtt host=$2 budget=$budget
		run net.bandwidth host=$2 size=256K budget=$budget \
			duration=$duration
		run net.connect host=$2 budget=$budget
		save --force $files.part")
}

# attempt FROM TO PORT: measures a pair once. If it fails, `reason` is set.
attempt() {
	rm -f "$files".*
	step "$2" "$files.server" "$benchtop" serve --listen="0.0.0.0:$3" \
		--rate=1000Gbit --token-file="$token" &
	server=$!
	if ! listens "$server" "$files.server"; then
		reason="no server on $2"
	elif ! client "$1" "$(address_of "$2"):$3"; then
		reason="no session of $1"
	else
		reason=$(lacking "$files.part") || reason=" anything"
		reason=${reason:+no figure of$reason}
	fi
	kill "$server" 2>/dev/null || true
	wait "$server" || true
	[ ! "$reason" ]
}

# Keeps the reason and what both ends have printed.
give_up() {
	message=$(cat "$files.client" "$files.server" 2>/dev/null |
		sed -n 's/^benchtop: //p' | head -n 1)
	{
		echo "$reason${message:+: $message}"
		cat "$files.server" "$files.client" 2>/dev/null || true
	} >"$files.log"
	mv "$files.log" "$pair.log"
	rm -f "$files".*
	echo "$1 -> $2: $(head -n 1 "$pair.log")" >&2
}

# measure FROM TO PORT
measure() {
	pair=$folder/$1,$2 files=$folder/.$1,$2
	[ ! -e "$pair.json.gz" ] || return 0
	for _ in 1 2 3; do
		if attempt "$@"; then
			gzip "$files.part"
			mv "$files.part.gz" "$pair.json.gz"
			rm -f "$files".* "$pair.log"
			return 0
		fi
	done
	give_up "$@"
	return 1
}

failed=0
pairs=
end_round() {
	for process in $pairs; do
		wait "$process" || failed=$((failed + 1))
	done
	pairs=
}

# shellcheck disable=SC2046
set -- $(scontrol show hostnames "$SLURM_JOB_NODELIST")
current=0
while read -r round from to; do
	if [ "$round" != "$current" ]; then
		end_round
		current=$round
	fi
	eval "a=\${$((from + 1))} b=\${$((to + 1))}"
	# shellcheck disable=SC2154
	measure "$a" "$b" $((first_port + to)) </dev/null &
	pairs="$pairs $!"
done <<END
$(rounds $#)
END
end_round
[ "$failed" = 0 ] || {
	echo "pairs without a session: $failed" >&2
	exit 1
}
