#!/bin/sh
# rpm.sh TOP: rpmlint finds nothing in packaging/benchtop.spec. With --build,
# also builds the package from the last commit with rpmbuild, checks it, and runs
# the program in it. Debian's packages stand in for those that it requires.
set -eu
top=$(readlink -f "$1")
spec=$top/packaging/benchtop.spec
lint() {
	filters=$1
	shift
	rpmlint -r "$top/packaging/$filters.rpmlintrc" "$@"
}
if ! command -v rpmlint >/dev/null || ! command -v rpm >/dev/null; then
	echo "SKIP: no rpmlint here"
	exit 77
fi
lint spec --strict "$spec"
[ "${2:-}" = --build ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/SOURCES"
version=$(sed -n 's/^Version: *//p' "$spec")
git -C "$top" archive --prefix="benchtop-$version/" HEAD |
	gzip >"$work/SOURCES/benchtop-$version.tar.gz"
rpmbuild -bb --nodeps --define "_topdir $work" "$spec" >"$work/log" 2>&1 || {
	tail -n 30 "$work/log"
	exit 1
}
package=$(find "$work/RPMS" -name 'benchtop-[0-9]*.rpm')
rpm -qlp "$package"
lint binary "$package"
(cd "$work" && rpm2cpio "$package" | cpio -id --quiet)
"$work/usr/bin/benchtop" --version
