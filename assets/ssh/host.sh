#!/bin/sh
# host.sh FOLDER SCRIPT HOST: measures HOST over ssh with a script of benchtop,
# and puts the session into FOLDER/HOST.json.gz, its log into HOST.log. A host that
# has a session is left out. Prints one line. fleet.sh does it for many hosts.
#
# SCRIPT is a file, or the name of a script that is part of benchtop: quick.lab.
# ssh needs a key, and HOST needs benchtop in its PATH. BENCHTOP is another name
# for it on HOST, BENCHTOP_SSH another command for ssh, as "ssh -J gate".
set -eu
folder=$1 script=$2 host=$3
here=$(dirname "$(readlink -f "$0")")
[ ! -e "$folder/$host.json.gz" ] || exit 0
mkdir -p "$folder"
folder=$(readlink -f "$folder")
pack=$(mktemp -d)
trap 'rm -rf "$pack"' EXIT
trap 'exit 143' HUP INT TERM
cp "$here/../slurm/node.sh" "$pack/node.sh"
if [ -f "$script" ]; then
	cp "$script" "$pack/script.lab"
	script=script.lab
fi
case $script${BENCHTOP-}$host in
*[!A-Za-z0-9._/@:-]*)
	echo "$host: expected SCRIPT, BENCHTOP and HOST of letters and digits" >&2
	exit 2
	;;
esac

# One connection: both files go in, the session comes out.
status=0
# shellcheck disable=SC2086
tar -cf - -C "$pack" . | ${BENCHTOP_SSH:-ssh} -o BatchMode=yes "$host" "
	there=\$(mktemp -d) && trap 'rm -rf \"\$there\"' EXIT &&
		cd \"\$there\" && tar -xf - || exit
	status=0
	export BENCHTOP=${BENCHTOP:-benchtop} BENCHTOP_HOST=$host NODE_NAME=node
	unset SLURMD_NODENAME
	sh node.sh . $script >&2 </dev/null || status=\$?
	case \$status in
	0 | 1 | 7) cat node.json.gz ;;
	esac
	exit \$status" >"$folder/.$host.part" 2>"$folder/$host.log" || status=$?
# 1 and 7 are answers of `expect`: node.sh has measured the script to its end.
measured=$(echo "$status" | grep -x '[017]' || true)
if [ "$measured" ] && [ -s "$folder/.$host.part" ]; then
	mv "$folder/.$host.part" "$folder/$host.json.gz"
	echo "$host"
else
	rm -f "$folder/.$host.part"
	# HOST wrote it: nothing that a terminal would obey.
	why=$(tail -n 1 "$folder/$host.log" | tr -d '\r' |
		LC_ALL=C tr -c '[:print:]\n' '?')
	echo "$host failed with status $status: $why"
fi
exit "$status"
