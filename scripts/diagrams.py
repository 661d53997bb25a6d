#!/usr/bin/env python3
"""Draws the pictures of the rules pages and of the README anew.

Usage: scripts/diagrams.py [--check] [--nonet COMMAND]

In docs/rules/ a line `<!-- draw: WORDS -->` above `![…](NAME.svg)` says that `nonet draw --svg WORDS`
makes NAME.svg. The pictures in docs/pictures/ are listed below. With --check nothing is written: the
names of pictures that are missing, out of date or no longer used are printed, and the exit code is 1
if there are any.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# One for each game, in the middle of play or at the end.
PICTURES = {
    "ksar": "ksar 2x1@a1 n2x1@i10 n3x2@h1 n3x1@e1 n3x1@h3 1x3@a2 2x3@c1 1x3@j7 n1x2@g2 n3x2@h4 2x3@h7 "
    "3x1@f10 3x2@c9 2x1@f9 1x3@g4 1x2@e2 3x2@a5 1x2@a7 2x3@e4 3x1@b7 2x1@f7",
    "masker": "masker -o seed=7 -o variant=3d --as 1 c2 stop c1 stop b1 b2 stop",
    "masker-flat": "masker -o seed=3 -o players=3 --as 2 f1 stop f2 stop e2 e3 e4 f4 f3",
    "kolem": "kolem b3 c1 b1 b4 c4 a3 a2 a1 a4 c5 d5 c3 c2 a5",
    "kudosu": "kudosu Wd2 Wc4 Pa1 Wa3 Pc3 Pb4 Zc1 Zd4 Zb2 Ma2 Md1 Mb3 Wb1",
    "quadrangle": "quadrangle a1 b2 b1 c1 d2 c2 a3 b3 c4",
    "mix3": 'mix3 --from "BBAB/ABAA/BAAB/ABAB 1"',
    "chasm": "chasm -o players=4 a3 c1 d3 b2 b1 a2 a4 d4 c4 b4 c2 a1 d2 c3 b3 d1 c4d4 c1d1 d3c3 a1a2",
    "trix": "trix b1c1 d3d2 a2b1 c4c3 b1a2 d4b2 a1a3",
    "fullend": "fullend flat@144,212,45 flat@217,99,23 flat@122,111,30 edge@202,230,135 "
    "flat@51,187,15 edge@192,159,15 edge@63,269,153 flat@270,261,15 edge@267,43,0 edge@45,95,30 "
    "edge@270,145,90 edge@85,32,15",
}

DIAGRAM = re.compile(r"^<!-- draw: (.*) -->\n!\[[^\]]*\]\(([^)]+\.svg)\)$", re.MULTILINE)
COMMENT = re.compile(r"^<!-- draw:", re.MULTILINE)


def wanted():
    """Every picture that should be there, with the words that draw it."""
    pictures = {}
    for page in sorted((ROOT / "docs" / "rules").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = DIAGRAM.findall(text)
        if len(found) != len(COMMENT.findall(text)):
            sys.exit(f"{page.relative_to(ROOT)}: a draw comment without a picture below it")
        for words, name in found:
            path = page.parent / name
            if pictures.get(path, words) != words:
                sys.exit(f"{page.relative_to(ROOT)}: {name} is drawn in two ways")
            pictures[path] = words
    for name, words in PICTURES.items():
        pictures[ROOT / "docs" / "pictures" / f"{name}.svg"] = words
    return pictures


def draw(nonet, path, words):
    command = [nonet, "draw", "--svg", *shlex.split(words)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{path.relative_to(ROOT)}: {done.stderr.decode().strip()}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--nonet", default=str(ROOT / "build" / "nonet"))
    arguments = parser.parse_args()
    pictures = wanted()
    stale = []
    for path, words in pictures.items():
        picture = draw(arguments.nonet, path, words)
        if path.exists() and path.read_bytes() == picture:
            continue
        stale.append(path)
        if not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture)
    for path in sorted((ROOT / "docs").rglob("*.svg")):
        if path.parent.name in ("rules", "pictures") and path not in pictures:
            stale.append(path)
            if not arguments.check:
                path.unlink()
    for path in stale:
        print(path.relative_to(ROOT))
    if arguments.check and stale:
        sys.exit("diagrams: these are out of date; scripts/diagrams.py draws them anew")


main()
