#!/usr/bin/env bash
# Builds the programs with every combination of Meson's features, one after the other, and looks whether each has what it
# should have, and plays a game.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "FAIL  $*" >&2
    exit 1
}
# there PART enabled|disabled COMMAND...: the command says whether the part is there.
there() {
    local found=disabled
    ! "${@:3}" || found=enabled
    [ "$found" = "$2" ] || fail "$name: $1 is $found"
}

meson setup "$scratch/build" >/dev/null
for screen in enabled disabled; do
    for editing in enabled disabled; do
        for server in enabled disabled; do
            for mpi in enabled disabled; do
                name="screen=$screen editing=$editing server=$server mpi=$mpi"
                rm -rf "$scratch/root"
                meson configure "$scratch/build" -Dscreen=$screen -Dediting=$editing -Dserver=$server -Dmpi=$mpi
                { ninja -C "$scratch/build" && meson install -C "$scratch/build" --destdir "$scratch/root"; } \
                    >"$scratch/log" 2>&1 || fail "$name: $(tail -n 20 "$scratch/log")"
                ! grep -q 'warning: ' "$scratch/log" || fail "$name: $(grep 'warning: ' "$scratch/log")"
                bin=$scratch/root/usr/local/bin
                there screen "$screen" grep -q libncursesw <(ldd "$bin/nonet")
                there editing "$editing" grep -q libedit <(ldd "$bin/nonet")
                there server "$server" test -x "$scratch/root/usr/local/libexec/nonet/nonet-serve"
                there mpi "$mpi" test -x "$bin/nonet-solve"
                "$bin/nonet" play trix --plain --seats 1,1 --seed 1 </dev/null | grep -q ' wins' || fail "$name: nonet play"
                echo "ok    $name"
            done
        done
    done
done
