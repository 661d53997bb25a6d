#!/usr/bin/env python3
"""`nonet book` makes the same book however often it is stopped, and players use books as they should. Usage: book.py NONET

Closes with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checking import check, check_refused, close

NONET = os.path.abspath(sys.argv[1])
folder = tempfile.TemporaryDirectory()
HERE = pathlib.Path(folder.name)
BOOKS, NONE = HERE / "books", HERE / "none"
SMALL = ("ksar", "-o", "frame=7x7")
NAME = "ksar-frame_7x7.nonet-book"
for path in (BOOKS, NONE):
    path.mkdir()


def run(*words, books=NONE, **more):
    clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")}
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=120, cwd=HERE, env=clean | {"HOME": str(HERE), "NONET_BOOKS": str(books)},
                          **({"stdin": subprocess.DEVNULL} if "input" not in more else {}), **more)


def make(name, *words, game=SMALL, positions=12):
    got = run("book", *game, "--nodes", "300", "--positions", str(positions), "--output", name, *words)
    check(f"{name} is made", got.returncode == 0 and got.stdout == got.stderr == "", got.stderr[:300])
    return (HERE / name).read_text()


# ---- Making ----

whole = make("whole")
lines = whole.splitlines()
check("a first line, a line for each position, a checksum", len(lines) == 14 and lines[0].startswith("nonet-book 1 ksar:frame=7x7 --nodes 300 --seed 0 "), lines[0])
check("the same again, whatever the threads", make("again", "--threads", "1") == make("four", "--threads", "4") == whole)
check("a book that is complete stays as it is", make("again") == whole)
check("another seed, another book", make("seeded", "--seed", "1").splitlines()[1:] != lines[1:])
short = make("short", positions=5)
check("a shorter book has the first lines", short.splitlines()[:6] == lines[:6])
check("a book becomes longer as if it had been so from the beginning", make("short") == whole)
for end in (0, 1, 40, len(lines[0]) + 1, len(whole) // 2, len(whole) - 30, len(whole) - 10, len(whole) - 1):
    (HERE / "cut").write_text(whole[:end])
    if end == 1 or end == 40:
        check("a line that was cut short is not kept", make("cut") == whole)
    check(f"a book that was cut after {end} bytes becomes the same", make("cut") == whole)
check("three players", re.search(r" \| \w\w -?\d+/-?\d+/-?\d+ ", make("three", game=("chasm", "-o", "players=3"), positions=2)) is not None)

for words, part in (
    (("--seed", "2"), "not a book that was made so"),
    (("--nodes", "299"), "not a book that was made so"),
):
    (HERE / "kept").write_text(whole)
    got = run("book", *SMALL, "--nodes", "300", "--positions", "20", *words, "--output", "kept")
    check_refused(" ".join(words), got, 1, part)
    check("and is left as it is", (HERE / "kept").read_text() == whole)
(HERE / "kept").write_text(whole.replace(" | ", " | 9x9@a1 3 ", 1))
check_refused("a bad line", run("book", *SMALL, "--nodes", "300", "--output", "kept"), 1, "kept: line 2 of the book")
check_refused("a bad line in Dutch", run("book", *SMALL, "--nodes", "300", "--output", "kept", "--lang", "nl"), 1, "kept: regel 2 van het boek")
for other in ("something else\n", "something else", "\0something else", "end of a story\n", whole[:20] + "\0" + whole[21:90]):
    (HERE / "records").write_text(other)
    check_refused(f"another file: {other!r}", run("book", *SMALL, "--output", "records"), 1, "not a book")
    check("is not touched", (HERE / "records").read_text() == other)
check_refused("no file", run("book", *SMALL), 2, "--output")
check_refused("no game", run("book", "--output", "x"), 2, "name a game")
for game in (("masker",), ("fullend",), ("ksar", "-o", "swap=yes")):
    check_refused(f"{game[0]} has no book", run("book", *game, "--output", "x"), 2, "a book is for")
check("nothing is made of what is refused", not (HERE / "x").exists())

# ---- Playing ----

(BOOKS / NAME).write_text(whole)


def think(*words, books=BOOKS, game=SMALL):
    got = run("think", *game, *words, books=books)
    check(" ".join(words), got.returncode == 0 and got.stderr == "", got.stderr[:300])
    answer = json.loads(got.stdout)
    del answer["seconds"], answer["nodes_per_second"]
    return answer


first = {think("--book", "--time", "5", "--seed", str(seed))["move"] for seed in range(12)}
check("the first move varies", len(first) > 1, first)
known = think("--book", "--time", "5")
check("nothing is searched", known["nodes"] == known["depth"] == 0 and known["proof"] == "estimated" and known["value"] is None, known)
check("the seed fixes the move", think("--book", "--time", "5", "--seed", "3") == think("--book", "--time", "5", "--seed", "3"))
check("a search is asked for", think("--time", "0.1")["nodes"] > 0)
check("a position that is not in the book", think("--book", "--time", "0.1", "1x2@a1", "1x3@g1", "n2x1@a7")["nodes"] > 0)
check("another game", think("--book", "--time", "0.1", game=("ksar", "-o", "frame=7x8"))["nodes"] > 0)
for words in (("--level", "9"), ("--level", "1")):
    check(f"no book with {' '.join(words)}", think("--book", *words) == think(*words, books=NONE))
for words in (("--nodes", "500"), ("--nodes", "500", "--time", "5")):
    check(f"the book is asked for, not with {' '.join(words)}", think(*words) == think(*words, books=NONE))
check("no book with the swap rule", think("--book", "--time", "0.1", game=(*SMALL, "-o", "swap=yes"))["nodes"] > 0)

(BOOKS / NAME).write_text(whole[:-40] + chr(ord(whole[-40]) ^ 1) + whole[-39:])
got = run("think", *SMALL, "--book", "--time", "0.1", books=BOOKS)
check("a damaged book is passed over, and named", json.loads(got.stdout)["nodes"] > 0 and NAME in got.stderr and "damaged" in got.stderr, got.stderr)
(BOOKS / NAME).unlink()
os.mkfifo(BOOKS / NAME)
got = run("think", *SMALL, "--book", "--time", "0.1", books=BOOKS)
check("a pipe is not waited for", json.loads(got.stdout)["nodes"] > 0 and NAME in got.stderr, got.stderr)
(BOOKS / NAME).unlink()
(BOOKS / NAME).write_bytes(b" " * ((1 << 22) + 1))
got = run("think", *SMALL, "--book", "--time", "0.1", books=BOOKS)
check("nor is a large file read", json.loads(got.stdout)["nodes"] > 0 and "too large" in got.stderr, got.stderr)
(BOOKS / NAME).write_text(whole)


def ugi(*go):
    got = run("ugi", *SMALL[:1], books=BOOKS, input="\n".join(["setoption name frame value 7x7", "isready", "position startpos", *go, "quit"]) + "\n")
    return got.stdout


check("a bot with a clock plays by the book", " nodes 0 " in ugi("go movetime 5000"), ugi("go movetime 5000"))
check("and without one it searches", " nodes 0 " not in ugi("go nodes 500") + ugi("go depth 2"))


def games_of(*words, books=BOOKS):
    """The moves of each game of a match."""
    with tempfile.TemporaryDirectory() as records:
        got = run("match", *SMALL, *words, "--games", "6", "--opening", "0", "--seed", "3", "--records", records, books=books)
        check(" ".join(words), got.returncode == 0 and got.stderr == "", got.stderr[:300])
        return [json.loads(path.read_text())["moves"] for path in sorted(pathlib.Path(records).iterdir())]


nodes = "level:10,nodes=400"
plain = games_of(nodes, f"{nodes},name=b", books=NONE)
check("players with a number of nodes have no book", games_of(nodes, f"{nodes},name=b") == plain)
check("unless it is said so", games_of(f"{nodes},book=yes", f"{nodes},name=b,book=yes") != plain)
check("level 9 has none", games_of("level:9,book=yes", "level:9,name=b,book=yes") == games_of("level:9", "level:9,name=b", books=NONE))
timed = games_of("level:10,time=0.01", "level:10,time=0.01,name=b")
MARGIN = 40
good = {move["move"] for move in known["moves"] if move["score"] >= max(other["score"] for other in known["moves"]) - MARGIN}
check("a timed match begins with good moves of the book", {moves[0] for moves in timed} <= good, (timed, good))
check("so does every seed", first <= good, (first, good))
check_refused("book=maybe", run("match", *SMALL, "level:10,book=maybe", "random"), 2, "book is yes or no")
close()
