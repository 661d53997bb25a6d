#!/usr/bin/env bash
# Builds the engine as WebAssembly for the page: web/build/nonet.wasm, and nonet-plain.wasm for browsers without SIMD.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p web/build

# The stack lies below the data, so that a stack overflow traps instead of overwriting data.
build() { # FILE FLAG...
    clang --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -std=gnu17 -O3 -flto "${@:2}" \
        -Wall -Wextra -Wno-enum-float-conversion -mexec-model=reactor -Iengine -Iapps -o "web/build/$1" \
        apps/wasm/page.c engine/*/*.c \
        -Wl,--no-entry -Wl,--strip-all -lm -Wl,-z,stack-size=1048576 -Wl,--stack-first
}
build nonet.wasm -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext
build nonet-plain.wasm
