#!/bin/sh
# version.sh TOP: the program, the changelog and the packages have one version, and
# a program from a git tree states whether it is a release (cmake/version.cmake).
set -eu
cd "$1"
top=$PWD
version=$(sed -n 's/^project(benchtop VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
status=0

# same FILE EXPRESSION: the first match of sed's expression is the version.
same() {
	found=$(sed -n "$2" "$1" | head -n 1)
	[ "$found" = "$version" ] && return
	echo "wrong: $1 has version '$found', CMakeLists.txt $version" >&2
	status=1
}

same CHANGELOG.md 's/^## \([0-9][^ ]*\) - .*/\1/p'
same debian/changelog 's/^benchtop (\([^)]*\)).*/\1/p'
same packaging/benchtop.spec 's/^Version: *//p'
same packaging/benchtop.spec 's/^\* .* - \([0-9.]*\)-1$/\1/p'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/configure.cmake" <<end
cmake_minimum_required(VERSION 3.22)
set(PROJECT_VERSION 1.2.3)
include($top/cmake/version.cmake)
end

# configured FOLDER VERSION: the program made from the folder is that version.
configured() {
	found=$(cd "$1" && cmake -P "$work/configure.cmake" 2>&1)
	[ "$found" = "-- benchtop $2" ] && return
	echo "wrong: '$found' in $1, expected $2" >&2
	status=1
}

in_tree() {
	git -C "$work/tree" -c user.name=a -c user.email=a "$@" >/dev/null
}

mkdir -p "$work/archive" "$work/unknown/.git" "$work/tree/inside"
configured "$work/archive" 1.2.3
configured "$work/unknown" 1.2.3+git
if command -v git >/dev/null; then
	in_tree init -q
	configured "$work/tree" 1.2.3+git
	in_tree commit -q --allow-empty -m first
	in_tree tag v1.2.2
	commit=$(git -C "$work/tree" rev-parse HEAD | cut -c 1-8)
	configured "$work/tree" "1.2.3+git.$commit"
	configured "$work/tree/inside" 1.2.3
	in_tree tag v1.2.3
	configured "$work/tree" 1.2.3
fi
echo "version $version"
exit $status
