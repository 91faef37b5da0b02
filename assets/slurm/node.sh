#!/bin/sh
# node.sh FOLDER SCRIPT: measures this node with a script of benchtop, and puts
# the session into FOLDER/NODE.json.gz. That file appears when the script has
# ended, so a node that has one is complete. Under any engine: NODE is the name
# that Slurm or Kubernetes gives the node, else the host name.
set -eu
folder=$1 script=$2
node=${SLURMD_NODENAME:-${NODE_NAME:-$(hostname -s)}}
[ -w "$folder" ] || {
	echo "cannot write to folder $folder" >&2
	exit 74
}
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
trap 'exit 143' INT TERM
[ ! -e "$folder/$node.json.gz" ] || exit 0
# Else the name of a script that is part of benchtop.
[ ! -e "$script" ] || script=$(readlink -f "$script")
folder=$(readlink -f "$folder")
export XDG_STATE_HOME="$state" BENCHTOP_HOST="${BENCHTOP_HOST:-$node}"
cd "$state"

# 1 and 7 are answers of `expect`: the script has been measured to its end.
status=0
"${BENCHTOP:-benchtop}" --trials=none --script "$script" || status=$?
case $status in
0 | 1 | 7) ;;
*) exit "$status" ;;
esac
session=
for file in "$state"/benchtop/sessions/*.json; do
	session=$file
done
gzip -c "$session" >"$folder/.$node.part"
mv "$folder/.$node.part" "$folder/$node.json.gz"
exit "$status"
