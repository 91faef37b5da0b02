#!/bin/sh
# words.sh SOURCE: checks the words of the user's texts and of comments; see
# words.py.
set -eu
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
exec python3 -B "$(dirname "$0")/words.py" "$1"
