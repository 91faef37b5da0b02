#!/bin/sh
# circles.sh BUILD: finds files that need each other, from the symbols that
# their objects define and use. A layer may have at most five files in circles, since
# such files must be read together.
set -eu
build=$1
list=$(mktemp)
trap 'rm -f "$list"' EXIT
# Only objects of this build: an older build may have left others.
cd "$build"
grep -o -- ' -o CMakeFiles/[^ ]*\.c\.o' compile_commands.json |
	sed 's/^ -o //' | grep -v '^CMakeFiles/benchtop' | xargs nm -A -P |
	sed -E 's|^CMakeFiles/([^/]*)\.dir/[^ ]*/([^ /]*)\.c\.o: |\1 \2 |' >"$list"

# Files that reach each other are a circle (Warshall's transitive closure).
awk '
$4 == "U" { uses[$1 " " $2 " " $3] = 1 }
$4 ~ /^[A-TV-Z]$/ { home[$3] = $2; layer_of[$3] = $1 }
{ files[$1] = files[$1] (seen[$1, $2]++ ? "" : " " $2) }
END {
	for (use in uses) {
		split(use, of, " ")
		if (layer_of[of[3]] == of[1] && home[of[3]] != of[2])
			reach[of[1], of[2], home[of[3]]] = 1
	}
	for (layer in files)
		look(layer, split(files[layer], name, " "))
	print total " files in " length(files) " layers"
	if (total < 300)
		wrong = "wrong: objects were not found"
	if (wrong)
		print wrong
	exit wrong != ""
}
function look(layer, n,    i, j, k, count, members) {
	total += n
	for (k = 1; k <= n; k++)
		for (i = 1; i <= n; i++)
			if ((layer, name[i], name[k]) in reach)
				for (j = 1; j <= n; j++)
					if ((layer, name[k], name[j]) in reach)
						reach[layer, name[i], name[j]]
	for (i = 1; i <= n; i++) {
		count = 0; members = ""
		for (j = 1; j <= n; j++)
			if ((layer, name[i], name[j]) in reach && \
				(layer, name[j], name[i]) in reach) {
				count++
				members = members " " name[j]
				if (j < i)
					count = -n
			}
		if (count > 5)
			wrong = wrong "wrong: " count " files of " layer \
				" in a circle:" members "\n"
		else if (count > 1)
			print layer ": a circle of " count ":" members
	}
}' "$list"
