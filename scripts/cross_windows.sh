#!/usr/bin/env bash
# Prepares a build for Windows, to be run here by Wine: makes build-windows. Debian has no libraries for Windows, so
# those that are needed are built from its sources, in build-windows-root. Nothing of this machine changes.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/build-windows-root
compiler=x86_64-w64-mingw32-gcc-posix
if [ ! -f "$root/done" ]; then
    echo "Building libraries for Windows …"
    rm -rf "$root"
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    : >"$root/apt/status"
    . /etc/os-release
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian" \
        "$VERSION_CODENAME main" >"$root/apt/sources.list"
    sources=(-o "Dir::Etc::sourcelist=$root/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State=$root/apt"
        -o "Dir::Cache=$root/apt" -o "Dir::State::status=$root/apt/status" -o Acquire::Languages=none
        -o APT::Sandbox::User=root -qq)
    apt-get "${sources[@]}" update
    (cd "$root/apt" && apt-get "${sources[@]}" source jansson cmocka)
    for library in jansson cmocka; do
        cmake -S "$root/apt/$library"-*/ -B "$root/apt/$library-build" -G Ninja --no-warn-unused-cli \
            -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_INSTALL_PREFIX="$root" -DBUILD_SHARED_LIBS=OFF -DCMAKE_SHARED_LINKER_FLAGS=-static \
            -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF -DWITH_EXAMPLES=OFF
        ninja -C "$root/apt/$library-build" install
    done
    rm -r "$root/apt"
    touch "$root/done"
fi
# Programs look for cmocka's library in its folder.
printf '#!/bin/sh\nWINEPREFIX=%s/wine WINEPATH=Z:%s/bin WINEDEBUG=-all exec wine "$@"\n' "$root" "$root" >"$root/run"
chmod +x "$root/run"
cat >"$root/cross.ini" <<END
[binaries]
c = '$compiler'
ar = 'x86_64-w64-mingw32-gcc-ar-posix'
strip = 'x86_64-w64-mingw32-strip'
pkgconfig = 'pkg-config'
exe_wrapper = '$root/run'

[properties]
pkg_config_libdir = '$root/lib/pkgconfig'

[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
END
[ -f build-windows/build.ninja ] || meson setup build-windows --cross-file "$root/cross.ini" -Dtests=true \
    -Dscreen=disabled -Dediting=disabled -Dserver=disabled -Dmpi=disabled
