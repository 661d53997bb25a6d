#!/usr/bin/env python3
"""Puzzles keep their promise: what is right keeps the proven value, what is wrong does not, the answers are best play,
and the difficulty is what the players show. Usage:
    puzzles.py NONET [short]     (short: of one game only, as under sanitizers)"""
import json
import os
import subprocess
import sys
import tempfile

from checking import check, close

NONET = sys.argv[1]


def run(*words):
    return subprocess.run([NONET, *words], capture_output=True, text=True, env=environment, timeout=300)


def ask(*words):
    return json.loads(run(*words).stdout)


def check_step(words, puzzle, step, moves):
    """All legal moves are there, each judged as the prober judges it, and so is everything after them."""
    where = f"{puzzle['from']} {' '.join(moves)}"
    here = ["--from", puzzle["from"], *moves]
    values = {move["move"]: move for move in ask("probe", *words, *here)["moves"]}
    best = puzzle["value"]
    check(f"{where}: right moves", sorted(step["right"]) == sorted(m for m in values if values[m]["value"] == best), step)
    check(f"{where}: wrong moves", sorted(step["wrong"]) == sorted(m for m in values if values[m]["value"] != best), step)
    for move, (value, distance, *line) in list(step["wrong"].items())[:4]:
        check(f"{where} {move}: its value", (value, distance or None) == (values[move]["value"], values[move]["distance"]))
        for i, answer in enumerate(line):
            best_answer = ask("probe", *words, *here, move, *line[:i])
            check(f"{where} {move}: best play", answer in [m["move"] for m in best_answer["moves"] if m["value"] == best_answer["value"] and m["distance"] == best_answer["distance"]], line)
    for move, follows in step["right"].items():
        if follows:
            answer, number = follows
            replies = {m["move"]: m["value"] for m in ask("probe", *words, *here, move)["moves"]}
            check(f"{where} {move}: the answer gives nothing away", replies[answer] == {"win": "loss", "draw": "draw"}[best])
            check_step(words, puzzle, puzzle["steps"][number], [*moves, move, answer])
    return values


def solves(words, puzzle, level, seed):
    moves, step = [], puzzle["steps"][0]
    while True:
        move = ask("think", *words, "--from", puzzle["from"], *moves, "--level", str(level), "--seed", str(seed), "--threads", "1")["move"]
        if move not in step["right"]:
            return False
        if not step["right"][move]:
            return True
        answer, number = step["right"][move]
        moves, step = [*moves, move, answer], puzzle["steps"][number]


with tempfile.TemporaryDirectory() as folder:
    environment = dict(os.environ, NONET_TABLES=folder)
    for words in (["trix"],) if sys.argv[2:] == ["short"] else (["trix"], ["quadrangle"]):
        made = run("puzzles", *words, "--count", "4", "--seed", "7", "--svg", folder)
        check(f"{words}: made", made.returncode == 0, made.stderr)
        puzzles = json.loads(made.stdout)
        check(f"{words}: four, all different", len({p["from"] for p in puzzles}) == 4)
        check(f"{words}: the same again", run("puzzles", *words, "--count", "4", "--seed", "7").stdout == made.stdout)
        check(f"{words}: others by another seed", run("puzzles", *words, "--count", "4", "--seed", "8").stdout != made.stdout)
        for puzzle in puzzles:
            values = check_step(words, puzzle, puzzle["steps"][0], [])
            right = [m for m in values.values() if m["value"] == puzzle["value"]]
            check(f"{puzzle['from']}: few are right", 1 <= len(right) <= 3 and len(values) >= 4)
            check(f"{puzzle['from']}: only", ("only" in puzzle["themes"]) == (len(right) == 1), puzzle)
            check(f"{puzzle['from']}: save", ("save" in puzzle["themes"]) == (puzzle["value"] == "draw"), puzzle)
            check(f"{puzzle['from']}: win", "win" not in puzzle["themes"] or 3 <= puzzle["distance"] <= 9, puzzle)
        check(f"{words}: pictures", all(os.path.getsize(f"{folder}/puzzle-{n}.svg") > 500 for n in range(1, 5)))
    for theme in ("only", "save", "win", "quiet"):
        for puzzle in ask("puzzles", "trix", "--count", "3", "--theme", theme):
            check(f"--theme {theme}", theme in puzzle["themes"], puzzle)
    # Levels: by half of the seeds, and by fewer one level below.
    for puzzle in ask("puzzles", "trix", "--count", "2", "--grade"):
        for level, enough in ((puzzle["level"], True), (puzzle["level"] - 1, False)):
            if level < 10:
                solved = sum(solves(["trix"], puzzle, level, seed) for seed in range(1, 21))
                check(f"{puzzle['from']}: level {level} solves it {solved} times", (solved >= 10) == enough)
    for words, part in ((["masker"], "not solved"), (["template", "--count", "9"], "found only"), (["trix", "--count", "0"], "--count"), (["trix", "--theme", "hard"], "--theme"), (["trix", "--svg", "/nonexistent"], "cannot write")):
        got = run("puzzles", *words)
        check(f"{words} refused", got.returncode in (1, 2) and part in got.stderr and got.stdout == "", got.stderr)
close()
