#!/bin/sh
# download.sh TOP: a file that cannot be downloaded, or that is another one, ends
# the configuration with one sentence. A file that is there needs no network.
set -eu
top=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
echo content >"$work/origin"
hash=$(sha256sum "$work/origin" | cut -d ' ' -f 1)

# downloaded URL HASH WORDS: cmake fails and prints the words; "": it succeeds.
downloaded() {
	cat >"$work/configure.cmake" <<-end
		cmake_minimum_required(VERSION 3.22)
		include($top/cmake/download.cmake)
		download($1 $2 $work/file)
	end
	found=$(cmake -P "$work/configure.cmake" 2>&1) && failed=no || failed=yes
	# cmake breaks lines.
	found=$(printf '%s' "$found" | tr -s '\n ' ' ')
	case $failed,$3,$found in
	no,,) return ;;
	yes,?*,*"$3"*) return ;;
	esac
	echo "wrong: '$found', expected '$3'" >&2
	status=1
}

missing="cannot download file://$work/none"
cure="without a network, copy this file from another machine to $work/file"
downloaded "file://$work/none" "$hash" "$missing ("
downloaded "file://$work/none" "$hash" "$cure"
downloaded "file://$work/origin" "$hash" ''
cmp "$work/origin" "$work/file"
downloaded "file://$work/none" "$hash" ''
echo other >>"$work/file"
downloaded "file://$work/origin" "$hash" \
	"$work/file is not the expected file: its SHA256 is "
exit $status
