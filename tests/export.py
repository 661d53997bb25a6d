#!/usr/bin/env python3
"""nonet export: every position of a table once, with its value. Usage: export.py NONET KOLEM-TABLE [short]

Trix is written again here, in the most obvious way, enumerated and solved; what is exported must be exactly that. The
positions of Mix 3 are counted by a formula. Other values are compared with `nonet probe`, which has tests of its own.
Closes with "N passed, N failed".
"""
import array
import collections
import csv
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

from checking import check, check_refused, close

NONET = os.path.abspath(sys.argv[1])
KOLEM = os.path.abspath(sys.argv[2])
is_short = len(sys.argv) > 3
root = pathlib.Path(__file__).resolve().parent.parent
scratch = tempfile.TemporaryDirectory(prefix="nonet-export-")
home = pathlib.Path(scratch.name)
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": str(home)}


def run(*words, feed=""):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=280, input=feed, env=clean, cwd=home)


def exported(*words):
    got = run("export", *words, "--format", "jsonl")
    check("export " + " ".join(words), got.returncode == 0 and got.stderr == "", got.stderr[:300])
    return [json.loads(line) for line in got.stdout.splitlines()]


def told(row):
    return row["value"], row["distance"], row["margin"]


# ---- Trix, by its rules. ----

CELLS = [(x, y) for y in range(4) for x in range(4)]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
LOWER, UPPER = frozenset([(0, 0), (1, 0), (0, 1)]), frozenset([(3, 3), (2, 3), (3, 2)])


def way(cell, by, times):
    there = cell[0] + times * by[0], cell[1] + times * by[1]
    return there if 0 <= there[0] < 4 and 0 <= there[1] < 4 else None


STEPS = {cell: [there for by in AROUND if (there := way(cell, by, 1))] for cell in CELLS}
JUMPS = {cell: [(way(cell, by, 1), there) for by in AROUND if (there := way(cell, by, 2))] for cell in CELLS}


def moves(own, others):
    for piece in own:
        still = own - {piece}
        taken = still | others
        ends = {there for there in STEPS[piece] if there not in taken}
        seen, edge = {piece}, [piece]
        while edge:
            for over, there in JUMPS[edge.pop()]:
                if over in taken and there not in taken and there not in seen:
                    seen.add(there)
                    edge.append(there)
        for there in (ends | seen) - {piece}:
            yield still | {there}


def solve_trix():
    """All positions that play reaches, as (pieces of player 1, of player 2, who is next), with outcome and distance."""
    start = LOWER, UPPER, 1
    number, states, after, first = {start: 0}, [start], array.array("I"), array.array("I", [0])
    for one, two, player in states:  # grows meanwhile
        if one != UPPER and two != LOWER:
            for own in moves(one, two) if player == 1 else moves(two, one):
                state = (own, two, 2) if player == 1 else (one, own, 1)
                if state not in number:
                    number[state] = len(states)
                    states.append(state)
                after.append(number[state])
        first.append(len(after))
    value = [None] * len(states)
    for i, (one, two, player) in enumerate(states):
        if first[i] == first[i + 1]:
            value[i] = ("win", 0) if (one == UPPER) == (player == 1) else ("loss", 0)
    # In round n it is known who wins or loses in n - 1 plies.
    open_ones, plies, found = [i for i, known in enumerate(value) if known is None], 0, True
    while found:
        plies += 1
        found = {}
        for i in open_ones:
            replies = [value[k] for k in after[first[i]:first[i + 1]]]
            if any(reply is not None and reply[0] == "loss" for reply in replies):
                found[i] = "win", plies
            elif all(reply is not None and reply[0] == "win" for reply in replies):
                found[i] = "loss", plies
        for i, known in found.items():
            value[i] = known
        open_ones = [i for i in open_ones if value[i] is None]
    return {state: known or ("draw", None) for state, known in zip(states, value)}


def read_trix(text):
    board, player = text.split()
    letters = {(x, 3 - y): letter for y, rank in enumerate(board.split("/")) for x, letter in enumerate(rank)}
    return *(frozenset(cell for cell, found in letters.items() if found == letter) for letter in "AB"), int(player)


def transposed(state):
    one, two, player = state
    return frozenset((y, x) for x, y in one), frozenset((y, x) for x, y in two), player


rows = exported("trix")
truth = solve_trix()
met = {}
for row in rows:
    state = read_trix(row["text"])
    images = {state, transposed(state)}
    good = row["player"] == state[2] and row["orbit"] == len(images) and row["margin"] is None
    if not good or any(truth.get(image) != (row["value"], row["distance"]) or image in met for image in images):
        check("a position of Trix", False, (row, truth.get(state)))
        break
    met.update(dict.fromkeys(images))
check("all positions of Trix, each once", len(met) == len(truth), (len(met), len(truth)))
check("as many as docs/results.md says", f"{len(truth):,} positions, {len(rows):,} with" in (root / "docs/results.md").read_text())

# ---- The formats say the same. ----

table = home / ".cache/nonet/trix-camps_corner-goal_three.nonet-table"
check("by its file", exported(str(table)) == rows)
got = run("export", "trix")
lines = list(csv.reader(got.stdout.splitlines()))
check("csv: names", lines[0] == ["text", "player", "value", "distance", "margin", "orbit"], lines[0])
check("csv: the same", lines[1:] == [["" if cell is None else str(cell) for cell in row.values()] for row in rows])


def columns(folder):
    """The rows of a folder, by what its description says."""
    told = json.loads((folder / "columns.json").read_text())
    kinds = {"uint8": "B", "int8": "b", "int16": "h", "uint16": "H", "int64": "q"}
    data = {}
    for column in told["columns"]:
        content = (folder / column["file"]).read_bytes()
        data[column["name"]] = content.decode() if column["type"] == "utf8" else array.array(kinds[column["type"]], content).tolist()
    offsets = data["text_offset"]
    names = ["loss", "draw", "win"]
    for i in range(told["rows"]):
        distance = data["distance"][i] if "distance" in data else -1
        yield {"text": data["text"][offsets[i]:offsets[i + 1]], "player": data["player"][i], "value": names[data["value"][i] + 1],
               "distance": None if distance < 0 else distance, "margin": data["margin"][i] if "margin" in data else None, "orbit": data["orbit"][i]}  # fmt: skip


got = run("export", "trix", "--columns", "sheet")
check("columns", got.returncode == 0 and got.stdout == got.stderr == "", got)
check("columns: the same", list(columns(home / "sheet")) == rows)
check_refused("a folder that exists", run("export", "trix", "--columns", "sheet"), 1, "cannot make the folder sheet")

# ---- More than two players: the value of each. ----

run("solve", "chasm", "-o", "players=3", "--material", "2", "--output", "three")
three = exported("three", "--sample", "200")
got = run("export", "three", "--sample", "200")
lines = list(csv.reader(got.stdout.splitlines()))
check("three players: names", lines[0][6:] == ["value_1", "distance_1", "value_2", "distance_2", "value_3", "distance_3"], lines[0])
check("three players: the same in csv", [line[6:] for line in lines[1:]] == [[str(part) for player in row["players"] for part in (player["value"], player["distance"])] for row in three])
run("export", "three", "--sample", "200", "--columns", "sheet-of-three")
for player in 1, 2, 3:
    read = [array.array(kind, (home / "sheet-of-three" / f"{name}_{player}").read_bytes()).tolist() for name, kind in (("value", "b"), ("distance", "h"))]
    wanted = [row["players"][player - 1] for row in three]
    check("three players: the same in columns", read == [[["loss", "draw", "win"].index(one["value"]) - 1 for one in wanted], [one["distance"] for one in wanted]], player)
check("three players: no fourth", not (home / "sheet-of-three/value_4").exists())

# ---- Samples. ----

sample = exported("trix", "--sample", "3000")
places = {row["text"]: i for i, row in enumerate(rows)}
drawn = [places[row["text"]] for row in sample]
check("a sample: as many, different, in order", len(drawn) == 3000 and drawn == sorted(set(drawn)))
check("a sample: the same rows", all(rows[place] == row for place, row in zip(drawn, sample)))
check("the same seed, the same sample", exported("trix", "--sample", "3000", "--seed", "1") == sample)
other = [places[row["text"]] for row in exported("trix", "--sample", "3000", "--seed", "2")]
check("another seed, another sample", len(set(other) & set(drawn)) < 200, len(set(other) & set(drawn)))
for name, chosen in ("1", drawn), ("2", other):  # the numbers in each of ten equal parts: 300, give or take 16
    parts = collections.Counter(place * 10 // len(rows) for place in chosen)
    check(f"seed {name}: everywhere alike", all(abs(parts[i] - 300) < 90 for i in range(10)), parts)
check("a sample of more than all", exported("trix", "--sample", "1000000") == rows)
check("a sample of one", len(exported("trix", "--sample", "1")) == 1)


def compare_with_probe(words, some):
    got = run("probe", *words, "--batch", feed="".join(f'"{row["text"]}"\n' for row in some))
    answers = [json.loads(line) for line in got.stdout.splitlines()]
    check(f"{words}: all probed", len(answers) == len(some), got.stderr[:300])
    wrong = [(row, told(answer)) for row, answer in zip(some, answers) if told(answer) != told(row)]
    check(f"{words}: as nonet probe says", not wrong, wrong[:2])


compare_with_probe(["trix"], sample)
some = exported(KOLEM, "--sample", "300")
check("Kolem: ranked positions", len({row["text"] for row in some}) == 300 and all(row["orbit"] in (1, 2, 4, 8) for row in some))
compare_with_probe(["kolem"], some)

# ---- Counts. ----

if not is_short:
    placed = sum(math.comb(16, n - n // 2) * math.comb(16 - (n - n // 2), n // 2) for n in range(17))
    rows = exported("mix3")
    check("Mix 3: every way to place the pieces in turn", sum(row["orbit"] for row in rows) == placed, placed)
    compare_with_probe(["mix3"], rows[:: len(rows) // 500])
    counted = int(re.search(r"([\d,]+) in Kudosu, of\s+which", (root / "docs/design.md").read_text())[1].replace(",", ""))
    check("Kudosu: as many as docs/design.md says", sum(row["orbit"] for row in exported("kudosu")) == counted, counted)

# ---- How it refuses. ----


def refused(code, part, *words):
    check_refused(" ".join(words), run("export", *words), code, part)


refused(2, "name one game, or one file", "--sample", "5")
refused(2, "name one game, or one file", "trix", "kudosu")
refused(2, "name one game, or one file", "a", "b")
refused(2, "--format cannot be", "trix", "--format", "xml")
refused(2, "columns have no --format", "trix", "--format", "csv", "--columns", "more")
refused(2, "--sample cannot be", "trix", "--sample", "0")
refused(2, "--sample cannot be", "trix", "--sample", "10000001")
refused(2, "--seed cannot be", "trix", "--seed", "x")
refused(1, "no such file, and no such game", "chess")
refused(1, "cannot be used", __file__)
refused(1, "has no table with these options", "masker", "-o", "seed=1")
refused(1, "cannot be used", str(home))

# A forged table, whose checksums are right: the first state of its list is zero.
forged = bytearray(table.read_bytes())
index = struct.unpack_from("<Q", forged, 24)[0]
chapters = struct.unpack_from("<I", forged, 64 + 12)[0]
first = index + 8 * chapters + 8
forged[first:first + 6] = bytes(6)
struct.pack_into("<I", forged, 20, zlib.crc32(forged[index:]))
name = struct.unpack_from("<H", forged, 18)[0]
struct.pack_into("<I", forged, 100, zlib.crc32(forged[104:104 + name], zlib.crc32(forged[:100])))
(home / "forged").write_bytes(forged)
got = run("export", "forged", "--format", "jsonl")
check_refused("a forged table", got, 1, "entry 0 is not a position of the game")
damaged = bytearray(table.read_bytes())
damaged[index // 2] ^= 1
(home / "damaged").write_bytes(damaged)
got = run("export", "damaged", "--columns", "half")
check("a damaged table", got.returncode == 1 and got.stderr.count("\n") == 1 and "damaged" in got.stderr, got.stderr)
check("what is not whole has no description", (home / "half/text.bytes").exists() and not (home / "half/columns.json").exists())
reader, writer = os.pipe()
os.close(reader)
got = subprocess.run([NONET, "export", "trix"], stdout=writer, stderr=subprocess.PIPE, timeout=60, env=clean)
os.close(writer)
check("closed output", got.returncode == -signal.SIGPIPE and got.stderr == b"", got)
close()
