#!/usr/bin/env python3
"""docs/schemas/record.json: what the program writes fits, and what it would not read does not. Usage: schema.py NONET RECORD-TEST

RECORD-TEST writes the records of random games of every game and option into a file. The validator knows the keywords
that our schema uses, and no others. Closes with "N passed, N failed".
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checking import check, close

NONET, RECORD_TEST = sys.argv[1:3]
root = pathlib.Path(__file__).resolve().parent.parent
schema = json.loads((root / "docs/schemas/record.json").read_text())
scratch = tempfile.TemporaryDirectory(prefix="nonet-schema-")

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and not isinstance(value, bool)


def faults(value, rules, place="$"):
    """What is wrong with a value, by a schema: JSON Schema 2020-12, as far as our schemas need it."""
    known = {"$schema", "$id", "title", "description", "type", "const", "required", "additionalProperties", "properties",
             "items", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "minimum", "maximum"}  # fmt: skip
    assert set(rules) <= known, set(rules) - known
    names = rules.get("type", [])
    if names and not any(is_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        yield f"{place} is not of type {names}"
    if "const" in rules and (value != rules["const"] or isinstance(value, bool)):
        yield f"{place} is not {rules['const']!r}"
    if isinstance(value, dict):
        members = rules.get("properties", {})
        yield from (f"{place}.{name} is missing" for name in rules.get("required", []) if name not in value)
        for name, member in value.items():
            others = rules.get("additionalProperties", True)
            if name in members:
                yield from faults(member, members[name], f"{place}.{name}")
            elif others is False:
                yield f"{place}.{name} is unknown"
            elif others is not True:
                yield from faults(member, others, f"{place}.{name}")
    if isinstance(value, list):
        if not rules.get("minItems", 0) <= len(value) <= rules.get("maxItems", len(value)):
            yield f"{place} has {len(value)} items"
        if rules.get("uniqueItems") and len({json.dumps(item) for item in value}) < len(value):
            yield f"{place} has an item twice"
        for i, item in enumerate(value):
            yield from faults(item, rules.get("items", {}), f"{place}[{i}]")
    if isinstance(value, str):
        if not rules.get("minLength", 0) <= len(value) <= rules.get("maxLength", len(value)):
            yield f"{place} has {len(value)} characters"
        if not re.search(rules.get("pattern", ""), value):
            yield f"{place} does not match {rules['pattern']}"
    if isinstance(value, int) and not rules.get("minimum", value) <= value <= rules.get("maximum", value):
        yield f"{place} is {value}"


def is_read(record):
    file = pathlib.Path(scratch.name, "record.json")
    file.write_text(json.dumps(record))
    return subprocess.run([NONET, "replay", file], capture_output=True, timeout=60).returncode == 0


# ---- What the program writes. ----

written = pathlib.Path(scratch.name, "written")
got = subprocess.run([RECORD_TEST, written], capture_output=True, timeout=280)
records = [json.loads(line) for line in written.read_text().splitlines()]
check("records of all games", got.returncode == 0 and len({record["game"] for record in records}) > 9 and len(records) > 50, len(records))
for record in records:
    wrong = list(faults(record, schema))
    check(f"a record of {record['game']}", not wrong, wrong[:3])
members = {name for record in records for name in record}
check("every member is met", members == set(schema["properties"]), members ^ set(schema["properties"]))

game = pathlib.Path(scratch.name, "saved.json")
played = subprocess.run([NONET, "play", "quadrangle", "--seats", "human,level-1", "--save", game], input="a1\nquit\n", capture_output=True, text=True, timeout=60)
check("what nonet play saves", game.exists() and not list(faults(json.loads(game.read_text()), schema)), played)

page = (root / "docs/record.md").read_text()
shown = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])
check("the record of docs/record.md", not list(faults(shown, schema)) and is_read(shown))
check("docs/record.md tells of every member", all(f"| `{name}` |" in page for name in schema["properties"]))

# ---- What it refuses: each of these is wrong in one place, and the program refuses it too. ----


def broken(**changes):
    record = copy.deepcopy(shown)
    for name, value in changes.items():
        record[name] = value
        if value is None:
            del record[name]
    return record


seats = shown["seats"]
for record in (
    [], "record", None, 5,
    broken(format=None), broken(format="other"), broken(version=None), broken(version=2), broken(version="1"), broken(version=True),
    broken(game=None), broken(game=5), broken(game="No such"), broken(options=[]), broken(options={"rectangles": 5}),
    broken(**{"from": 5}), broken(moves=None), broken(moves="a1"), broken(moves=[1]), broken(moves=[""]), broken(moves=["a1" * 16]),
    broken(moves=["a1"] * 20001), broken(seats={}), broken(seats=[5, 5]), broken(seats=[seats[0]]), broken(seats=[seats[0]] * 5),
    broken(seats=[{}, seats[0]]), broken(seats=[{"kind": "A"}, seats[0]]), broken(seats=[{"kind": "a" * 32}, seats[0]]), broken(seats=[{"kind": ""}, seats[0]]),
    broken(seats=[{"kind": "human", "name": "x" * 64}, seats[0]]), broken(seats=[{"kind": "human", "name": "a\nb"}, seats[0]]),
    broken(seats=[{"kind": "human", "name": 5}, seats[0]]), broken(seats=[{"kind": "human", "age": 5}, seats[0]]),
    broken(times={}), broken(times=[-1] * 7), broken(times=[0.5] * 7), broken(times=["1"] * 7), broken(times=[2**32] * 7), broken(times=[True] * 7),
    broken(result=[]), broken(result={}), broken(result={"winners": []}), broken(result={"winners": [0]}), broken(result={"winners": [5]}),
    broken(result={"winners": [1, 1]}), broken(result={"winners": ["1"]}), broken(result={"winners": [1], "reason": 5}),
    broken(result={"winners": [1], "points": 5}), broken(result={"winners": [1], "score": 5}), broken(extra=1),
):  # fmt: skip
    name = json.dumps(record)[:150]
    check(f"the schema refuses {name}", list(faults(record, schema)))
    check(f"the program refuses {name}", not is_read(record))
for record in broken(seats=None), broken(times=None), broken(result=None), broken(options=None), broken(seats=[{"kind": "human", "name": "Zoë"}, seats[0]]):
    check(f"both accept {json.dumps(record)[:150]}", is_read(record) and not list(faults(record, schema)), list(faults(record, schema)))
close()
