#!/usr/bin/env bash
# Serves the page at the first free port from 8080 on, and opens a browser where there is one. Ctrl-C ends it.
set -euo pipefail
cd "$(dirname "$0")/.."

answers() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

open_page() {
    local opener=
    if [ "$(uname)" = Darwin ]; then
        opener=open
    elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        opener=xdg-open
    fi
    [ -n "$opener" ] && command -v "$opener" >/dev/null || return 0
    for _ in {1..50}; do
        if answers "$1"; then
            "$opener" "http://127.0.0.1:$1/" >/dev/null 2>&1
            return 0
        fi
        sleep 0.1
    done
}

port=8080
while [ $port -lt 8099 ] && answers $port; do
    port=$((port + 1))
done
open_page $port &
echo "Starting the server; Ctrl-C ends it."
exec build/nonet serve --port $port
