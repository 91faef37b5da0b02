#!/bin/sh
# walks.sh BUILD: the loops that walk a chain consist of dependent loads, as
# many as in their names, and of the loop's counter and branch.
set -eu
object=$(find "$1" -path '*kit*' -name chain_walk.c.o | head -1)
[ -n "$object" ] || {
	echo "wrong: no chain_walk.c.o in $1" >&2
	exit 1
}
objdump -d --no-show-raw-insn "$object" | awk '
# "mov (%rax),%rax": the address is the result of the load before it.
function is_load(line,    parts) {
	if (line ~ /^mov +\(%r[a-z0-9]+\),%[re][a-z0-9]+$/) {
		sub(/^mov +\(%/, "", line)
		split(line, parts, /\),%/)
		sub(/^[re]/, "", parts[1])
		sub(/^[re]/, "", parts[2])
		return parts[1] == parts[2]
	}
	if (line ~ /^ldr[ \t]+[xw][0-9]+, \[x[0-9]+\]$/) {
		sub(/^ldr[ \t]+/, "", line)
		split(line, parts, /, \[/)
		sub(/^[xw]/, "", parts[1])
		gsub(/[x\]]/, "", parts[2])
		return parts[1] == parts[2]
	}
	return 0
}
function check() {
	if (!name)
		return
	walks++
	if (loads != wanted) {
		print "wrong: " name " has " loads " loads in a row, not " wanted
		bad = 1
	}
	if (others > 4) {
		print "wrong: " name " has " others " other instructions"
		bad = 1
	}
}
/^[0-9a-f]+ <chain_walk_/ {
	check()
	name = $2
	gsub(/[<>:]/, "", name)
	wanted = name
	sub(/.*_/, "", wanted)
	loads = others = row = 0
	next
}
/^ *[0-9a-f]+:/ && name {
	line = $0
	sub(/^ *[0-9a-f]+:[ \t]*/, "", line)
	sub(/[ \t]+$/, "", line)
	if (is_load(line)) {
		if (++row > loads)
			loads = row
		next
	}
	row = 0
	# Arguments, loop counter, branch, return.
	if (line ~ /^(nop|data16|cs nop|xchg +%ax,%ax)/)
		next
	if (line !~ /^(mov|sub|dec|add|subs|jne|cbnz|b\.ne|ret|cbz)/) {
		print "wrong: " line " in " name
		bad = 1
	}
	others++
}
END {
	check()
	if (walks != 6) {
		print "wrong: " walks + 0 " walks were found, not 6"
		bad = 1
	}
	if (!bad)
		print "six walks, nothing but dependent loads"
	exit bad
}'
