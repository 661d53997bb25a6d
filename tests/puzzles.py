#!/usr/bin/env python3
"""Puzzles keep their promise: exactly one move wins, and the line shown wins. Usage: puzzles.py NONET"""
import json
import os
import subprocess
import sys
import tempfile

from checking import check, close

NONET = sys.argv[1]


def run(*words):
    return subprocess.run([NONET, *words], capture_output=True, text=True, env=environment, timeout=300)


with tempfile.TemporaryDirectory() as folder:
    environment = dict(os.environ, NONET_TABLES=folder)
    for words in (["trix"], ["kudosu"]):
        made = run("puzzles", *words, "--count", "5", "--seed", "7", "--svg", folder)
        check(f"{words}: made", made.returncode == 0, made.stderr)
        puzzles = json.loads(made.stdout)
        check(f"{words}: five, all different", len({p["text"] for p in puzzles}) == 5)
        check(f"{words}: the same again", run("puzzles", *words, "--count", "5", "--seed", "7").stdout == made.stdout)
        check(f"{words}: others by another seed", run("puzzles", *words, "--count", "5", "--seed", "8").stdout != made.stdout)
        for puzzle in puzzles:
            answer = json.loads(run("probe", *words, "--from", puzzle["text"]).stdout)
            wins = [m for m in answer["moves"] if m["value"] == "win"]
            check(f"{puzzle['text']}: one move wins", [m["move"] for m in wins] == puzzle["solution"][:1], wins)
            check(f"{puzzle['text']}: distance", answer["distance"] == puzzle["distance"] == len(puzzle["solution"]) > 1, puzzle)
            counted = {kind: sum(m["value"] == kind for m in answer["moves"]) for kind in ("loss", "draw")}
            check(f"{puzzle['text']}: counts", (counted["loss"], counted["draw"], len(answer["moves"])) == (puzzle["losing"], puzzle["drawing"], puzzle["moves"]), puzzle)
            end = json.loads(run("position", *words, "--from", puzzle["text"], *puzzle["solution"]).stdout)
            check(f"{puzzle['text']}: the line wins", end["winners"] == [puzzle["to_move"]], end)
            check(f"{puzzle['text']}: grade", 1 <= puzzle["grade"] <= 5)
        check(f"{words}: pictures", all(os.path.getsize(f"{folder}/puzzle-{n}.svg") > 500 for n in range(1, 6)))
    for words, part in ((["masker"], "not solved"), (["template", "--count", "9"], "found only"), (["trix", "--count", "0"], "--count"), (["trix", "--svg", "/nonexistent"], "cannot write")):
        got = run("puzzles", *words)
        check(f"{words} refused", got.returncode in (1, 2) and part in got.stderr and got.stdout == "", got.stderr)
close()
