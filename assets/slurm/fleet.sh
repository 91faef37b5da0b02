#!/bin/sh
# fleet.sh FOLDER SCRIPT [OPTION OF sbatch ...]: measures every node of a Slurm
# cluster with a script of benchtop: a job array with one task per node, which
# has the node to itself. FOLDER is on a file system that all nodes share; it
# gathers a session per node, for `benchtop fleet FOLDER`.
#
#     fleet.sh nodes/ quick.lab --partition=compute --time=10
#
# SCRIPT is a file, or the name of a script that is part of benchtop. Called
# again, it measures the nodes that have no session yet. Nodes that are down or
# drained are left out. --array=1-N%1 measures N nodes one at a time. More nodes
# than the cluster's MaxArraySize permits become several arrays. BENCHTOP names
# the program on the nodes.
set -eu
here=$(dirname "$(readlink -f "$0")")
folder=$(readlink -m "$1")
script=$2
if [ -f "$script" ]; then
	script=$(readlink -f "$script")
elif [ ! -f "$here/../scripts/$script" ]; then
	echo "script $script: neither a file nor a script of benchtop" >&2
	exit 3
fi
shift 2

partition='' last=''
for option in "$@"; do
	case $last in
	-p | --partition) partition=--partition=$option ;;
	esac
	case $option in
	--partition=*) partition=$option ;;
	-p?*) partition=--partition=${option#-p} ;;
	esac
	last=$option
done
mkdir -p "$folder"
nodes=$(sinfo --noheader --Node --format=%N --states=idle,alloc,mix,comp \
	${partition:+"$partition"})
[ "$nodes" ] || {
	echo "sinfo names no node that is up${partition:+ ($partition)}" >&2
	exit 3
}
missing=
for node in $(echo "$nodes" | sort -u); do
	[ -e "$folder/$node.json.gz" ] || missing="$missing $node"
done
if [ ! "$missing" ]; then
	echo "every node has a session in $folder"
	exit 0
fi

# submit OPTION ..: an array of the nodes in $batch. An array cannot choose a
# node for each task, so the tasks are held until each has its own.
submit() {
	job=$(sbatch --parsable --hold --array="1-$count" --nodes=1 \
		--exclusive --no-requeue --job-name=benchtop \
		--output="$folder/%N.log" "$@" "$here/node.sh" "$folder" \
		"$script")
	trap 'scancel "$job"' EXIT
	task=0
	for node in $batch; do
		task=$((task + 1))
		scontrol update jobid="${job}_$task" reqnodelist="$node"
	done
	scontrol release "$job"
	trap - EXIT
	echo "job $job: nodes to measure: $count"
	batch='' count=0
}

# The greatest index is one less.
size=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
batch='' count=0
for node in $missing; do
	batch="$batch $node"
	count=$((count + 1))
	[ "$count" != $((${size:-1001} - 1)) ] || submit "$@"
done
[ "$count" = 0 ] || submit "$@"
