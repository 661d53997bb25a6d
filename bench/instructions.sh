#!/usr/bin/env bash
# Instructions per move in random games, including the generation of all legal moves, counted by callgrind. Repeatable
# for the same binary, whatever else the machine is doing.
#   bench/instructions.sh [GAME [-o key=value]…]
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
measure() {
    local games=$1
    shift
    local said
    said=$(valgrind --tool=callgrind --toggle-collect=measure_listed --callgrind-out-file="$out" \
        build/nonet bench --games "$games" --nodes 0 "$@" 2>&1)
    local instructions moves
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' <<<"$said")
    moves=$(sed -n 's/.* \([0-9]*\) moves .*/\1/p' <<<"$said")
    # A game with too many moves to list is measured in another function.
    [ "$instructions" -gt 0 ] || return 0
    printf '%-28s %8.1f instructions/move\n' "$*" "$(awk "BEGIN { print $instructions / $moves }")"
}
if [ $# -gt 0 ]; then
    measure 500 "$@"
    exit
fi
# Every game, then every other value of its options; the number of players is one of those.
build/nonet games --json | python3 -c '
import json, sys
for game in json.load(sys.stdin):
    print(game["id"])
    for option in game["options"]:
        if option["kind"] == "choice":
            for value in option["values"].split("|")[1:]:
                print(game["id"], "-o", option["key"] + "=" + value)
' | while read -r words; do
    measure 500 $words </dev/null
done
