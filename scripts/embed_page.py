#!/usr/bin/env python3
"""Writes the files of the built page into a C file, so that the server can deliver them (apps/online/http/site.h).

Usage: embed_page.py OUTPUT DEPFILE FOLDER BROTLI

A file is stored as it is, and compressed by gzip and Brotli where that saves a tenth. Its tag is a hash of its content,
which tells a browser whether it has the file already.
"""
import gzip
import hashlib
import pathlib
import re
import subprocess
import sys

PLAIN = "text/plain; charset=utf-8"
TYPES = {
    ".c": PLAIN,
    ".conf": PLAIN,
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".lud": PLAIN,
    ".mp3": "audio/mpeg",
    ".nonet-book": PLAIN,
    ".nonet-table": "application/octet-stream",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".py": PLAIN,
    ".rs": PLAIN,
    ".service": PLAIN,
    ".svg": "image/svg+xml",
    ".txt": PLAIN,
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
}
PACKED = {".nonet-table"}  # trying to compress them takes long and gains nothing
WIDTH = 96  # bytes a line
ESCAPED = [f"\\{byte:03o}" for byte in range(256)]


def literal(data):
    lines = ("".join(ESCAPED[byte] for byte in data[i : i + WIDTH]) for i in range(0, len(data), WIDTH))
    return "\n".join(f'"{line}"' for line in lines) or '""'


def bodies(data, packed, brotli):
    yield data, ""
    if packed:
        yield from ((None, ""), (None, ""))
        return
    squeezed = subprocess.run([brotli, "--quality=11", "--lgwin=24", "--stdout"], input=data, capture_output=True, check=True)
    for smaller, mark in ((gzip.compress(data, 9, mtime=0), "-gz"), (squeezed.stdout, "-br")):
        yield (smaller, mark) if len(smaller) < 0.9 * len(data) else (None, mark)


def entry(root, file, brotli):
    path = "/" + file.relative_to(root).as_posix()
    if file.suffix not in TYPES:
        sys.exit(f"embed_page.py: {file}: no type is known for {file.suffix}; add it to TYPES")
    if not re.fullmatch(r"[/A-Za-z0-9._-]+", path):
        sys.exit(f"embed_page.py: {file}: the name may have only letters, digits, dots and dashes")
    data = file.read_bytes()
    tag = hashlib.sha256(data).hexdigest()[:16]
    # Vite puts a hash of the content into the names of what it bundles, and only there.
    lasting = "true" if path.startswith("/assets/") else "false"
    parts = (
        f'{{.bytes = {literal(body)}, .length = {len(body)}, .etag = "\\"{tag}{mark}\\""}}' if body is not None else "{0}"
        for body, mark in bodies(data, file.suffix in PACKED, brotli)
    )
    return f'{{"{path}", "{TYPES[file.suffix]}", {lasting}, {{\n' + ",\n".join(parts) + "}},\n"


def main():
    output, depfile, folder, brotli = sys.argv[1:]
    root = pathlib.Path(folder)
    files = sorted(file for file in root.rglob("*") if file.is_file())
    with open(output, "w", encoding="ascii") as out:
        out.write('/* Written by scripts/embed_page.py. */\n#include "online/http/site.h"\n\nconst struct site_file site_files[] = {\n')
        for file in files:
            out.write(entry(root, file, brotli))
        out.write("{0},\n};\n")
    pathlib.Path(depfile).write_text(f"{output}: {' '.join(map(str, files))}\n", encoding="utf-8")


main()
