#!/usr/bin/env bash
# Builds the engine as WebAssembly for the page: web/build/nonet.wasm for playing, and study.wasm, which has all for
# studying as well. For browsers without SIMD there are nonet-plain.wasm and study-plain.wasm.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p web/build
compiler=(clang)
[ -z "$(type -p ccache)" ] || compiler=(ccache clang) # the copy that gets a tenth game compiles the same files again

# Code that describes and draws is compiled for size, since every reader downloads it; code that searches is compiled for
# speed. Games are as fast with -O2 as with -O3, and smaller (docs/performance.md).
small=(engine/base/{json,text}.c engine/rules/{editing,events,message,notation,options,scene,setup,standings}.c
    engine/study/{describe,difference,draw_svg,draw_text,review}.c)
fast=()
for file in engine/*/*.c; do
    [[ " ${small[*]} " == *" $file "* ]] || fast+=("$file")
done
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# The stack lies below the data, so that a stack overflow traps instead of overwriting data.
link() { # FILE OBJECTS...
    clang "${flags[@]}" -O3 -mexec-model=reactor -o "web/build/$1" "${@:2}" \
        -Wl,--no-entry -Wl,--strip-all -lm -Wl,-z,stack-size=1048576 -Wl,--stack-first
}
build() { # SUFFIX FLAG...
    local folder=$objects/engine$1 called=$objects/called$1 file level
    local flags=(--target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -std=gnu17 -flto "${@:2}"
        -Wall -Wextra -Wno-enum-float-conversion -Iengine -Iapps)
    mkdir "$folder" "$called"
    for file in "${small[@]}"; do
        "${compiler[@]}" "${flags[@]}" -Oz -c -o "$folder/$(basename "$file" .c).o" "$file"
    done
    for file in "${fast[@]}"; do
        [[ $file == engine/games/* ]] && level=-O2 || level=-O3
        "${compiler[@]}" "${flags[@]}" "$level" -c -o "$folder/$(basename "$file" .c)-fast.o" "$file"
    done
    for file in apps/wasm/*.c; do
        "${compiler[@]}" "${flags[@]}" -Oz -c -o "$called/$(basename "$file" .c).o" "$file"
    done
    link "nonet$1.wasm" "$folder"/*.o "$called/page.o"
    link "study$1.wasm" "$folder"/*.o "$called"/*.o
}
build "" -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext &
with_simd=$!
trap 'wait; rm -rf "$objects"' EXIT
build -plain
wait "$with_simd"
