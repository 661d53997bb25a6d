#!/usr/bin/env bash
# Writes the source tarball of what is committed, build-dist/nonet-VERSION.tar.xz, with the built page and its tables in
# it: it builds without Node and without a network. The same commit and page give the same bytes. debian/ stays out, as
# Debian adds it.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! git diff --quiet HEAD; then
    echo "Some files are changed and not committed; a tarball is made of what is committed." >&2
    exit 1
fi
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
scripts/page.sh
name=nonet-$version
rm -rf build-dist
mkdir build-dist
trap 'rm -rf "build-dist/$name"' EXIT
git archive --prefix="$name/" HEAD -- . ':!debian' | tar -x -C build-dist
cp -r web/dist "build-dist/$name/web/dist"
# The sources of the libraries in the page; those who distribute the one must distribute the other.
for library in three:src svelte:src clsx:dist esm-env; do
    from=web/node_modules/${library%%:*} to=build-dist/$name/web/libraries/${library%%:*}
    mkdir -p "$to"
    cp "$from"/package.json "$from"/[Ll][Ii][Cc][Ee][Nn][Ss][Ee]* "$to/"
    if [[ $library == *:* ]]; then
        cp -r "$from/${library##*:}" "$to/"
    else
        cp "$from"/*.js "$to/"
    fi
done
cp web/build/tables/*.nonet-table "build-dist/$name/tables/"
echo "$version" >"build-dist/$name/.tarball-version"
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w,a+X \
    --mtime="@$(git log -1 --format=%ct)" -C build-dist -c "$name" | xz -T1 >"build-dist/$name.tar.xz.part"
mv "build-dist/$name.tar.xz.part" "build-dist/$name.tar.xz"
echo "build-dist/$name.tar.xz"
