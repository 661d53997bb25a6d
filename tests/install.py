#!/usr/bin/env python3
"""The library as it is installed: installs a build into an empty folder, builds the examples against what is there with
pkg-config, runs them, and looks at what the library exports. Usage: install.py BUILD MESON"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checking import check, close

build, meson = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
root = pathlib.Path(__file__).resolve().parent.parent
scratch = tempfile.TemporaryDirectory(prefix="nonet-install-")
home = pathlib.Path(scratch.name)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, cwd=home, **more)


got = run(meson, "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", home / "root")
check("meson install", got.returncode == 0, got.stdout + got.stderr)
description = next((home / "root").glob("**/nonet.pc"))
folder = description.parent.parent
check("the soname's links", (folder / "libnonet.so").is_symlink() and (folder / "libnonet.so.1").is_symlink())

# The description speaks of the final folders; below another root, pkg-config puts that before them.
environment = os.environ | {"PKG_CONFIG_PATH": str(description.parent), "PKG_CONFIG_SYSROOT_DIR": str(home / "root"),
                            "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1", "LD_LIBRARY_PATH": str(folder)}


def flags(*words):
    got = run("pkg-config", *words, "nonet", env=environment)
    check(f"pkg-config {' '.join(words)}", got.returncode == 0, got.stderr)
    return got.stdout.split()


version = flags("--modversion")[0]
header = (root / "include/nonet/nonet.h").read_text()
declared = set(re.findall(r"\b(nonet_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", folder / "libnonet.so").stdout.splitlines()}
check("it exports what the header declares, and nothing else", exported == declared, f"{exported ^ declared}")
needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", folder / "libnonet.so").stdout)
check("it needs nothing but the C library", all(re.match(r"lib(c|m)\.so|ld-linux", name) for name in needed), needed)
soname = re.findall(r"SONAME.*\[(.*)\]", run("readelf", "-d", folder / "libnonet.so").stdout)
check("its soname", soname == ["libnonet.so.1"], soname)

common = flags("--cflags", "--libs")
static = [word for word in flags("--cflags", "--libs", "--static") if word != "-lnonet"] + [str(folder / "libnonet.a"), "-lm", "-pthread"]
for name, words in (("shared", common), ("static", static)):
    got = run("cc", "-Wall", "-Werror", root / "examples/library.c", "-o", name, *words)
    check(f"cc, {name}", got.returncode == 0, got.stderr)
    for variant in ("trix", "masker:seed=4", "ksar:frame=6x6"):
        got = run(home / name, variant, env=environment | {"XDG_CACHE_HOME": scratch.name})
        check(f"{name} {variant}", got.returncode == 0 and " wins\n" in got.stdout and "e9 is refused: " in got.stdout, got.stdout + got.stderr)
    got = run(home / name, "whist", env=environment)
    check(f"{name} refuses", got.returncode == 1 and "whist" in got.stderr, got.stderr)
readme = re.search(r"^```c\n(.*?)^```", (root / "README.md").read_text(encoding="utf-8"), re.M | re.S)[1]
got = run("cc", "-Wall", "-Werror", "-x", "c", "-", "-o", "readme", *common, input=readme)
check("the program in README.md", got.returncode == 0, got.stderr)
got = run(home / "readme", env=environment)
check("it prints what its comment says", got.stdout.strip() == re.search(r"puts\(error.message\); /\* (.*) \*/", readme)[1], got)
begun = re.search(r"^```c\n(#include .*?\n)\n(.*?)^```", (root / "docs/library.md").read_text(encoding="utf-8"), re.M | re.S)
program = f"#include <stdio.h>\n{begun[1]}int main(void) {{\n{begun[2]}nonet_round_close(round);\nnonet_variant_close(variant);\n}}\n"
got = run("cc", "-Wall", "-Werror", "-x", "c", "-", "-o", "page", *common, input=program)
check("the beginning of a program in docs/library.md", got.returncode == 0, got.stderr)
got = run(home / "page", env=environment)
check("it is told why", got.returncode == 0 and "needs the frame or another piece" in got.stdout, got)
got = run("c++", "-x", "c++", "-Wall", "-Werror", "-fsyntax-only", "-", *flags("--cflags"), input="#include <nonet/nonet.h>\nint main() { return !nonet_version(); }\n")
check("the header in C++", got.returncode == 0 or shutil.which("c++") is None, got.stderr)

if shutil.which("rustc"):
    got = run("rustc", "-O", root / "examples/library.rs", "-o", "rust", f"-L{folder}", env=environment)
    check("rustc", got.returncode == 0, got.stderr)
    got = run(home / "rust", "kolem", env=environment)
    check("rust", got.returncode == 0 and f"libnonet {version}" in got.stdout and "level 9 begins with " in got.stdout, got.stdout + got.stderr)
close()
