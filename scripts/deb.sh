#!/usr/bin/env bash
# Builds the Debian packages from the source tarball, with a network and Node out of reach, and leaves them in
# build-deb/.
#   scripts/deb.sh check     builds them once more in another folder, at another time of day, with other words in the
#                            environment, and compares the bytes; runs lintian; installs them and tries them out
# Only `check` needs root (or sudo), to install what was built.
set -euo pipefail
cd "$(dirname "$0")/.."
tarball=$(echo "$PWD"/build-dist/nonet-*.tar.xz)
version=$(basename "$tarball" .tar.xz)
version=${version#nonet-}
head -n 1 debian/changelog | grep -q "^nonet ($version-" || {
    echo "debian/changelog is not about version $version" >&2
    exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Whoever calls one of these tries to build the page, which is in the tarball.
mkdir "$scratch/absent"
for program in node npm npx; do
    printf '#!/bin/sh\necho "%s is not for packages" >&2\nexit 1\n' $program >"$scratch/absent/$program"
done
chmod +x "$scratch"/absent/*
offline=()
if unshare --net true 2>/dev/null; then
    offline=(unshare --net)
elif unshare --user --map-root-user --net true 2>/dev/null; then
    offline=(unshare --user --map-current-user --net)
else
    echo "note: the network cannot be cut off here" >&2
fi

# build FOLDER OPTIONS...: unpacks the tarball in a folder and builds the packages beside what was unpacked.
build() {
    local folder=$1
    shift
    mkdir -p "$folder"
    cp "$tarball" "$folder/nonet_$version.orig.tar.xz"
    tar -xf "$tarball" -C "$folder"
    cp -r debian "$folder/nonet-$version/"
    (cd "$folder/nonet-$version" && PATH=$scratch/absent:/usr/sbin:/usr/bin:/sbin:/bin "${offline[@]}" env "$@" dpkg-buildpackage -us -uc) \
        >"$folder/build.log" 2>&1 || {
        tail -n 30 "$folder/build.log" >&2
        exit 1
    }
}

echo "Building the packages …"
build "$scratch/first"
rm -rf build-deb
mkdir build-deb
find "$scratch/first" -maxdepth 1 -type f -exec cp {} build-deb/ \;
ls build-deb/*.deb
[ "${1:-}" = check ] || exit 0

echo "Building them again, elsewhere …"
build "$scratch/a/rather/longer/name" LC_ALL=C TZ=Pacific/Kiritimati HOME="$scratch" DEB_BUILD_OPTIONS="nocheck parallel=1"
for file in build-deb/*.deb build-deb/*.dsc build-deb/*.debian.tar.xz; do
    cmp "$file" "$scratch/a/rather/longer/name/$(basename "$file")"
    echo "same bytes: $(sha256sum "$file" | cut -c1-16) $(basename "$file")"
done

echo "Checking them …"
lintian --version
# AppStream's checks ask for the address of a home page, and Nonet has none. Older releases of Lintian do not know them, and
# refuse an override of what they do not know. What else AppStream finds is looked at below.
homeless=$(lintian-explain-tags --list-tags 2>/dev/null | grep -x appstream-metadata-validation-failed || true)
lintian --info --fail-on error,warning --allow-root ${homeless:+--suppress-tags "$homeless"} build-deb/*.changes

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get install -y -qq --no-install-recommends -o APT::Sandbox::User=root ./build-deb/*.deb >/dev/null
dpkg-query -W nonet nonet-data nonet-mpi libnonet1 libnonet-dev python3-nonet
# Its exit code says the same of the home page and of anything else, so what it says is looked at.
said=$(appstreamcli validate --no-net /usr/share/metainfo/games.nonet.nonet.metainfo.xml || true)
if grep '^ *[EW]:' <<<"$said" | grep -v url-homepage-missing; then
    exit 1
fi
desktop-file-validate /usr/share/applications/nonet.desktop
# The tests that Debian runs on the installed packages; what they depend on is installed by the caller.
failed=0
for test in $(sed -n 's/^Tests: //p' debian/tests/control | tr -d ,); do
    mkdir "$scratch/$test"
    if (cd / && AUTOPKGTEST_TMP=$scratch/$test "$OLDPWD/debian/tests/$test") >"$scratch/$test.log" 2>&1; then
        echo "ok    $test"
    else
        echo "FAIL  $test"
        cat "$scratch/$test.log"
        failed=1
    fi
done
exit $failed
