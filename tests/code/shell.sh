#!/bin/sh
# shell.sh TOP: every shell script passes shellcheck.
set -eu
cd "$1"
if ! command -v shellcheck >/dev/null; then
	echo "SKIP: no shellcheck here"
	exit 77
fi
scripts=$(find .ci assets check cmake lab tests -type f ! -name '*.md' \
	-exec awk 'FNR == 1 && (/^#!.*sh$/ || FILENAME ~ /\.sh$/) { print FILENAME }
		FNR > 1 { nextfile }' {} +)
count=$(echo "$scripts" | wc -l)
[ "$count" -ge 40 ] || { echo "wrong: only $count scripts" >&2; exit 1; }
# shellcheck disable=SC2086
shellcheck -x -P SCRIPTDIR $scripts
shellcheck -s bash assets/completions/bash/benchtop
echo "$count shell scripts are clean"
