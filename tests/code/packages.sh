#!/bin/sh
# packages.sh TOP: cmake/packages.sh prints the command that installs what is
# missing to an ordinary user, without recommended packages. Here the only
# package installed is "there".
set -eu
top=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# stand_in NAME LINE: a program of one line.
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod 755 "$work/$1"
}
# shellcheck disable=SC2016 # a variable of the stand-in
stand_in dpkg-query '[ "$4" != there ] || echo "install ok installed"'
stand_in id 'echo 1000'
stand_in apt-get 'echo "apt-get ran"'

# expect STATUS TEXT PACKAGE ..: what `need` returns and prints for the packages.
expect() {
	wanted=$1 text=$2
	shift 2
	got=0
	printed=$(PATH=$work:$PATH sh -euc '. "$0" && need "$@"' \
		"$top/cmake/packages.sh" "$@" 2>&1) || got=$?
	[ "$got" = "$wanted" ] && [ "$printed" = "$text" ] && return
	echo "wrong: $got instead of $wanted: $printed"
	status=1
}

expect 0 "" there
expect 1 "benchtop needs packages that are missing here. Type:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends a b" \
	a there b
exit $status
