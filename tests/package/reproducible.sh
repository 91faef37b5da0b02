#!/bin/sh
# Builds the last commit twice, in other folders, at other times, in another
# language, time zone and umask, and compares every file that would be
# installed, and the Debian package if its tools are here. By hand, 10 minutes:
#     tests/package/reproducible.sh
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone -q "$top" "$work/commit" # one, whatever is committed meanwhile

# build SOURCE BUILD: a clone in SOURCE, built in BUILD, installed in BUILD/root.
build() {
	git clone -q "$work/commit" "$1"
	cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release \
		-DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr >"$work/log"
	cmake --build "$2" >"$work/log"
	DESTDIR=$2/root cmake --install "$2" >"$work/log"
}

# package SOURCE: without tests; its result is beside SOURCE.
package() {
	(cd "$1" && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b) \
		>"$work/log" 2>&1 || { tail "$work/log"; return 1; }
}

build "$work/a/benchtop" "$work/a/benchtop/build/release"
(
	umask 077
	export TZ=Pacific/Kiritimati LC_ALL=C LANGUAGE=de
	build "$work/another folder/benchtop" "$work/outside"
)
mv "$work/a/benchtop/build/release/root" "$work/first"
mv "$work/outside/root" "$work/second"
diff -r "$work/first" "$work/second"
(cd "$work/first" && find . -type f -exec sha256sum {} + | sort -k 2) |
	grep -E 'bin/benchtop|benchtop-capture|benchtop\.1'
if ! command -v dh >/dev/null; then
	echo "identical; no debhelper here for the package"
	exit 0
fi
rm -rf "$work/a/benchtop/build"
package "$work/a/benchtop"
mv "$work/another folder" "$work/b"
package "$work/b/benchtop"
for deb in "$work"/a/*.deb; do
	cmp "$deb" "$work/b/$(basename "$deb")"
	sha256sum "$deb"
done
echo "identical"
