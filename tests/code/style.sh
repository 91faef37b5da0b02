#!/bin/sh
# style.sh TOP: checks the rules in HACKING.md that can be counted.
set -eu
cd "$1"
status=0
files=$(find src ui probes tests -name '*.[ch]' | sort)
[ -n "$files" ] || exit 1

# A file aims at 200 lines and stops at 500.
# shellcheck disable=SC2086
longest=$(awk '{ lines[FILENAME]++ } END {
	for (file in lines)
		print lines[file], file
}' $files | sort -rn | head -1)
echo "longest file: $longest"
if [ "${longest%% *}" -gt 500 ]; then
	echo "wrong: a file of more than 500 lines" >&2
	status=1
fi

# A folder stops at about 30 files.
if find src ui probes -name '*.[chS]' -exec dirname {} \; | sort | uniq -c |
	awk '$1 > 32' | grep .; then
	echo "wrong: folders of more than 32 files" >&2
	status=1
fi

# A function aims at 20 lines and stops at 60, from its name to its brace.
# shellcheck disable=SC2086
functions=$(awk '
FNR == 1 { first = body = 0 }
/^[a-z_].*\(/ && !body { first = FNR }
/^{/ { body = 1; if (!first) first = FNR }
/^}/ {
	if (body)
		print FNR - first + 1, FILENAME ":" first
	first = body = 0
}
/^$/ { if (!body) first = 0 }
' $files | sort -rn)
echo "longest function: $(echo "$functions" | head -1)"
echo "$(echo "$functions" | wc -l) functions, median $(echo "$functions" |
	awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }') lines"
if [ "$(echo "$functions" | wc -l)" -lt 500 ]; then
	echo "wrong: functions were not found" >&2
	status=1
fi
if echo "$functions" | awk '$1 > 60' | grep .; then
	echo "wrong: functions of more than 60 lines" >&2
	status=1
fi

# 80 columns, except for a string literal, which is not broken.
# shellcheck disable=SC2086
if awk '
{
	while (at = index($0, "\t"))
		$0 = substr($0, 1, at - 1) \
			substr("        ", (at - 1) % 8 + 1) substr($0, at + 1)
}
length > 80 && !/"/ && !/^#define/ { print FILENAME ":" FNR ": " $0 }
' $files | grep .; then
	echo "wrong: lines of more than 80 columns" >&2
	status=1
fi

# Calls without a limit of length, and unfinished work.
# shellcheck disable=SC2086
if grep -nE '\<(strcpy|strcat|sprintf|vsprintf|atoi|atol|atof|gets)\(' $files; then
	echo "wrong: calls that know no limit" >&2
	status=1
fi
# shellcheck disable=SC2086
if grep -nE '\<(TODO|FIXME)\>' $files; then
	echo "wrong: something was left for later" >&2
	status=1
fi
exit $status
