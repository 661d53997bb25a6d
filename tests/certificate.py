#!/usr/bin/env python3
"""A certificate from nonet solve to nonet verify: what both print, and what is refused.
Usage: certificate.py NONET. Closes with "N passed, N failed"."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checking import check, check_refused, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
environment = dict(os.environ, NONET_TABLES=str(folder / "tables"), HOME=str(folder))
SMALL = ("--threads", "1", "--memory", "64M")


def run(*words):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=240, env=environment)


# A frame on its side is the same game: Blue wins both with equal points, as a plain minimax in tests/proof.c finds for 3x4.
for frame in ("3x4", "4x3"):
    path = folder / frame
    got = run("solve", "ksar", "-o", f"frame={frame}", "--output", str(path), "--json", *SMALL)
    check(f"solve {frame}", got.returncode == 0 and got.stderr == "", got.stderr)
    facts = json.loads(got.stdout)
    check(f"{frame}: value", (facts["game"], facts["value"], facts["margin"], facts["distance"]) ==
          (f"ksar:frame={frame}", "win", 0, None), got.stdout)
    check(f"{frame}: the file", facts["certificate"] == str(path) and facts["bytes"] == path.stat().st_size, got.stdout)
    check(f"{frame}: nothing else is left", not list(folder.glob(f"{frame}.*")), str(list(folder.iterdir())))
    lines = run("verify", str(path)).stdout.splitlines()
    check(f"verify {frame}", len(lines) == 3 and lines[0] == f"ksar:frame={frame}: player 1 wins"
          and lines[2].startswith(f"verified: {facts['choices']} choices"), str(lines))

got = run("solve", "ksar", "-o", "frame=4x5", *SMALL)
check("without a file", got.returncode == 0 and got.stdout.startswith("ksar:frame=4x5: player 1 wins\n"), got.stdout + got.stderr)
check("no file is written", not list(folder.rglob("*4x5*")), str(list(folder.rglob("*"))))

good = (folder / "3x4").read_bytes()
for name, bytes_, reason in (("cut", good[:-1], "damaged"), ("longer", good + b"\0", "damaged"),
                             ("renamed", good.replace(b"frame=3x4", b"frame=4x3"), "damaged"),
                             ("newer", good[:8] + b"\2" + good[9:], "format version 2"), ("short", good[:8], "not a certificate")):
    (folder / name).write_bytes(bytes_)
    check_refused(f"verify {name}", run("verify", str(folder / name)), 1, reason)
check_refused("little memory", run("verify", str(folder / "3x4"), "--memory", "64K"), 1, "more than the 0 MB of memory")
check_refused("little memory", run("solve", "ksar", "-o", "frame=4x4", "--memory", "1M", "--threads", "1"), 1, "1 MB of memory")
check_refused("a large frame", run("solve", "ksar"), 1, "no table of ksar")
check_refused("with the swap rule", run("solve", "ksar", "-o", "frame=4x4", "-o", "swap=yes"), 1, "swap=no")
check_refused("material", run("solve", "ksar", "-o", "frame=4x4", "--material", "3"), 2, "as a whole")
check_refused("no folder", run("solve", "ksar", "-o", "frame=3x3", "--output", "/proc/nowhere/x"), 1, "")
close()
