#!/bin/sh
# host.sh FOLDER SCRIPT HOST: measures HOST over ssh with a script of benchtop,
# and puts the session into FOLDER/HOST.json. A host that has one is left out.
#     for host in $(cat hosts); do host.sh nodes quick.lab "$host"; done
#     parallel --bar --jobs 0 host.sh nodes quick.lab :::: hosts
# ssh needs a key, and HOST needs benchtop in its PATH. No standard input is
# read, so loops may read the hosts from it.
set -eu
folder=$1 script=$2 host=$3
here=$(dirname "$(readlink -f "$0")")
[ ! -e "$folder/$host.json" ] || exit 0
mkdir -p "$folder"
there=$(ssh -n -o BatchMode=yes "$host" mktemp -d)
scp -q -o BatchMode=yes "$here/../slurm/node.sh" "$host:$there/node.sh"
scp -q -o BatchMode=yes "$script" "$host:$there/script.lab"
status=0
ssh -n -o BatchMode=yes "$host" \
	"NODE_NAME=node sh $there/node.sh $there $there/script.lab" \
	>"$folder/$host.log" 2>&1 || status=$?
case $status in
0 | 1 | 7)
	scp -q -o BatchMode=yes "$host:$there/node.json" "$folder/.$host.part"
	mv "$folder/.$host.part" "$folder/$host.json"
	;;
esac
ssh -n -o BatchMode=yes "$host" rm -rf "$there"
exit "$status"
