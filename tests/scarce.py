#!/usr/bin/env python3
"""The command without memory. Whichever allocation fails, the command says so in one line and exits with 1, or it works
without that memory and gives the usual answer. Usage: scarce.py NONET LIBRARY

LIBRARY (scarce.c) makes the n-th allocation fail, alone or with all later ones. Every n is tried for a command that
allocates little; for others the first ones, and some of the rest. Closes with "N passed, N failed".
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from checking import check, close

NONET, LIBRARY = sys.argv[1:3]
FIRST, SOME = 60, 40  # numbers tried one by one, and chosen from the rest
scratch = tempfile.TemporaryDirectory()
home = pathlib.Path(scratch.name)
clean = {k: v for k, v in os.environ.items() if not k.startswith(("NONET", "XDG"))} | {"HOME": scratch.name, "LC_ALL": "C"}

table, record, finished = (str(home / name) for name in ("template.nonet-table", "game.json", "finished.json"))
made = subprocess.run([NONET, "solve", "template", "--output", table], capture_output=True, env=clean)
check("a table to work with", made.returncode == 0, made.stderr)
pathlib.Path(record).write_text(json.dumps({"format": "nonet-game", "version": 1, "game": "ksar", "options": {"frame": "4x4"}, "moves": ["1x2@a1"]}))
pathlib.Path(finished).write_text(json.dumps({"format": "nonet-game", "version": 1, "game": "quadrangle", "options": {}, "moves": ["a1", "c1", "b1", "d3", "a2", "c4", "b2"]}))

# The commands, and their input on stdin. JSON here has only tokens of fewer than 16 bytes: jansson 2.14 crashes if it cannot
# make its room for a longer one larger, so nonet record --from, which reads dates, is not among them.
COMMANDS = [
    (["games", "--json"], None),
    (["rules", "trix"], None),
    (["position", "quadrangle", "a1"], None),
    (["position", "fullend"], None),
    (["position", "masker", "-o", "seed=1"], None),
    (["perft", "kudosu", "2"], None),
    (["perft", "fullend", "1"], None),
    (["draw", "quadrangle", "a1"], None),
    (["replay", record], None),
    (["record", finished, "--to", "abstractplay", "--ended", "2026-02-28T20:15:00Z", "--site", "x"], None),
    (["verify", table], None),
    (["solve", "template", "--threads", "2", "--output", str(home / "again")], None),
    (["probe", "template"], None),
    (["probe", "ksar", "-o", "frame=3x3"], None),
    (["think", "ksar", "--nodes", "200", "--threads", "2", "--level", "9"], None),
    (["think", "masker", "-o", "seed=1", "--nodes", "50", "--level", "9"], None),
    (["think", "--batch"], b'{"game":"quadrangle","moves":["a1"],"nodes":50,"level":9}\n'),
    (["analyse", record, "--nodes", "50", "--json"], None),
    (["puzzles", "template", "--count", "1"], None),
    (["openings", record], None),
    (["match", "quadrangle", "random", "alpha-beta,nodes=20", "--games", "2", "--seed", "1", "--untimed", "--jobs", "2"], None),
    (["bench", "quadrangle", "--games", "2", "--nodes", "50"], None),
    (["trial", "quadrangle", "--games", "2", "--level", "1", "--jobs", "2"], None),
    (["play", "quadrangle", "--seats", "human,human"], b"a1\nundo\na1\nb2\nquit\n"),
    (["ugi", "template"], b"ugi\nisready\nposition startpos moves a1\nquery legal\ngo nodes 20\nwait\nquit\n"),
]


def run(words, stdin, **more):
    source = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    # A separate folder for each run, so that none finds files of another.
    with tempfile.TemporaryDirectory(dir=home) as folder:
        environment = clean | {"NONET_TABLES": folder} | {k: str(v) for k, v in more.items()}
        return subprocess.run([NONET, *words], capture_output=True, timeout=120, env=environment, **source)


def steady(output):
    """Without what depends on a clock."""
    return re.sub(rb" *[0-9.,]+ ?(ms|s|seconds|MB|kB|\w*/s)\b|\"(seconds|nodes_per_second|milliseconds\w*)\":[0-9.e+-]+|\"date-generated\":\"[^\"]*\"", b"~", output)


def fails_well(words, stdin, usual, n, lasting):
    """What was wrong with it, or None."""
    try:
        got = run(words, stdin, LD_PRELOAD=LIBRARY, SCARCE_AT=n, SCARCE_LASTING=int(lasting))
    except subprocess.TimeoutExpired:
        return "does not end"
    if got.returncode == 0:
        return None if TALKS[words[0]] or steady(got.stdout) == steady(usual.stdout) else f"another answer: {got.stdout[:300]}"
    lines = got.stderr.decode(errors="replace").splitlines()
    if got.returncode != 1 or len(lines) != 1 or not lines[0].startswith("nonet: "):
        return f"exit {got.returncode}, stderr {got.stderr[:300]}"
    return None


# These are conversations that go on until somebody ends them; errors are reported inside them.
TALKS = {words[0]: words[0] in ("play", "ugi") or "--batch" in words for words, _ in COMMANDS}
dice = random.Random(1)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for words, stdin in COMMANDS:
        name = " ".join(words[:3])
        usual = run(words, stdin)
        check(f"{name}: with memory", usual.returncode == 0, usual.stderr)
        counted = home / "count"
        run(words, stdin, LD_PRELOAD=LIBRARY, SCARCE_AT=1 << 60, SCARCE_COUNT=counted)
        total = int(counted.read_text())
        numbers = list(range(1, min(total, FIRST) + 1)) + sorted(dice.sample(range(FIRST + 1, total + 1), min(SOME, max(0, total - FIRST))))
        tries = [(n, lasting) for n in numbers for lasting in (False, True)]
        wrong = list(pool.map(lambda t: fails_well(words, stdin, usual, *t), tries))
        for (n, lasting), what in zip(tries, wrong):
            check(f"{name}: allocation {n} of {total}{' and all that follow' if lasting else ''}", what is None, what)
close()
