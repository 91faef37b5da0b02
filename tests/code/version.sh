#!/bin/sh
# version.sh TOP: the program, the changelog and the packages have one version.
set -eu
cd "$1"
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
echo "version $version"
exit $status
