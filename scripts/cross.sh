#!/usr/bin/env bash
# Prepares a build for another processor, to be run here by qemu: `scripts/cross.sh s390x` makes build-s390x. Debian's
# libraries for that processor are unpacked in build-s390x-root, so nothing of this machine changes.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    i386) triplet=i686-linux-gnu library=i386-linux-gnu family=x86 cpu=i686 qemu=qemu-i386 endian=little ;;
    arm64) triplet=aarch64-linux-gnu library=$triplet family=aarch64 cpu=aarch64 qemu=qemu-aarch64 endian=little ;;
    s390x) triplet=s390x-linux-gnu library=$triplet family=s390x cpu=s390x qemu=qemu-s390x endian=big ;;
    *) echo "usage: scripts/cross.sh i386|arm64|s390x" >&2 && exit 2 ;;
esac
root=$PWD/build-$1-root
if [ ! -f "$root/done" ]; then
    echo "Fetching libraries for $1 …"
    rm -rf "$root"
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    : >"$root/apt/status"
    foreign=(-o "APT::Architecture=$1" -o "APT::Architectures::=$1" -o "Dir::State=$root/apt" -o "Dir::Cache=$root/apt"
        -o "Dir::State::status=$root/apt/status" -o Acquire::Languages=none -o APT::Sandbox::User=root -qq)
    # A list that a mirror has only half is left out; what is installed is verified by the others.
    apt-get "${foreign[@]}" update || echo "Not all lists of packages are there; going on without." >&2
    apt-get "${foreign[@]}" install -y --no-install-recommends --download-only libc6-dev libjansson-dev libedit-dev \
        libmicrohttpd-dev libsodium-dev libsqlite3-dev libcmocka-dev >"$root/apt/log"
    for package in "$root"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
    rm -r "$root/apt"
    touch "$root/done"
fi
printf '#!/bin/sh\nexec %s -L %s "$@"\n' "$qemu" "$root" >"$root/run"
chmod +x "$root/run"
cat >"$root/cross.ini" <<END
[binaries]
c = '$triplet-gcc'
ar = '$triplet-gcc-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = '$root/run'

[properties]
sys_root = '$root'
pkg_config_libdir = '$root/usr/lib/$library/pkgconfig:$root/usr/share/pkgconfig'

[built-in options]
c_args = ['--sysroot=$root']
c_link_args = ['--sysroot=$root']

[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$cpu'
endian = '$endian'
END
[ -f "build-$1/build.ninja" ] || meson setup "build-$1" --cross-file "$root/cross.ini" -Dtests=true -Dscreen=disabled
