#!/usr/bin/env bash
# Builds the engine as WebAssembly for the page: web/build/nonet.wasm, and nonet-plain.wasm for browsers without SIMD.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p web/build

# Code that describes and draws is compiled for size, since every reader downloads it; code that plays and searches is
# compiled for speed.
small=(apps/wasm/page.c engine/base/{json,text}.c engine/rules/{events,message,notation,options,scene,setup,standings}.c
    engine/study/{analysis,describe,difference,draw_svg,draw_text}.c)
fast=()
for file in engine/*/*.c; do
    [[ " ${small[*]} " == *" $file "* ]] || fast+=("$file")
done
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# The stack lies below the data, so that a stack overflow traps instead of overwriting data.
build() { # FILE FLAG...
    local flags=(--target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -std=gnu17 -flto "${@:2}"
        -Wall -Wextra -Wno-enum-float-conversion -Iengine -Iapps)
    for file in "${small[@]}"; do
        clang "${flags[@]}" -Oz -c -o "$objects/$(basename "$file" .c).o" "$file"
    done
    clang "${flags[@]}" -O3 -mexec-model=reactor -o "web/build/$1" "${fast[@]}" "$objects"/*.o \
        -Wl,--no-entry -Wl,--strip-all -lm -Wl,-z,stack-size=1048576 -Wl,--stack-first
}
build nonet.wasm -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext
build nonet-plain.wasm
