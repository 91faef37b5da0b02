#!/bin/sh
# spelling.sh TOP: no word is misspelt. spelling.allow has names of the code, and
# mistakes that tests make on purpose.
set -eu
cd "$1"
if ! command -v codespell >/dev/null; then
	echo "SKIP: no codespell here"
	exit 77
fi
codespell -I tests/code/spelling.allow -S '*.svg,__pycache__,findings,golden' \
	.ci assets check cmake debian docs lab probes src tests ui ./*.md
