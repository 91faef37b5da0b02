#!/bin/sh
# published.sh SOURCE: compares the published sessions with the reports; see
# published.py.
set -eu
command -v python3 >/dev/null 2>&1 || {
	echo "SKIP: no python3 here"
	exit 77
}
exec python3 -B "$(dirname "$0")/published.py" "$1"
