#!/bin/sh
# Copies the static program alone into an empty folder with /proc, /sys and
# /dev, and runs `quick` there as an ordinary user: every experiment of cpu and
# mem measures, but mem.loaded needs two cores. By hand, as root, three minutes:
#     tests/package/static.sh build/static/benchtop
set -eu
program=$(readlink -f "${1?expected a static benchtop}")
measured=$(cd "$(dirname "$0")" && pwd)/measured.py
if [ "${BENCHTOP_IN_NAMESPACE:-}" != yes ]; then
	BENCHTOP_IN_NAMESPACE=yes exec unshare --mount --pid --fork "$0" "$@"
fi
size=$(stat -c %s "$program")
echo "$size bytes"
[ "$size" -le 8000000 ]

# The mounts end with the namespace.
root=$(mktemp -d)
trap 'umount -l "$root"; rmdir "$root"' EXIT
mount -t tmpfs -o uid=1000,mode=755,size=200M tmpfs "$root"
mkdir "$root/proc" "$root/sys" "$root/dev"
mount -t proc proc "$root/proc"
mount --rbind --make-rslave /sys "$root/sys"
mount --rbind --make-rslave /dev "$root/dev"
cp "$program" "$root/benchtop"
chroot=$(command -v chroot)
alone() {
	env -i HOME=/ "$chroot" --userspec=1000:1000 "$root" /benchtop "$@"
}

alone list >"$root/list.txt"
# 4: a user of this machine may not make namespaces or cgroups.
alone quick >"$root/quick.txt" || [ $? -eq 4 ]
tail -n 11 "$root/quick.txt"
python3 -B "$measured" "$root/list.txt" "$root/quick.json"
