#!/bin/sh
# Copies the static program alone into an empty folder with /proc, /sys and
# /dev, and runs `quick` there as an ordinary user: every experiment of cpu and
# mem measures. By hand, as root, three minutes:
#     tests/package/static.sh build/static/benchtop
set -eu
program=$(readlink -f "${1?expected a static benchtop}")
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
# posix-spawn executes /bin/true, which is not there.
python3 - "$root" <<'END'
import json, sys

listed = {line.split()[0] for line in open(sys.argv[1] + "/list.txt")}
wanted = {name for name in listed if name.startswith(("cpu.", "mem."))}
measured, lacks = set(), []
for run in json.load(open(sys.argv[1] + "/quick.json"))["runs"]:
    for point in run["points"]:
        if point["state"] == "ok":
            measured.add(run["experiment"])
        elif (run["experiment"] in wanted and
                point["args"].get("how") != "posix-spawn"):
            lacks.append((run["experiment"], point["args"], point["why"]))
print(len(wanted & measured), "of", len(wanted), "experiments of cpu and mem")
lacks += sorted(wanted - measured)
sys.exit("\n".join(map(str, lacks)) if lacks or not wanted else 0)
END
