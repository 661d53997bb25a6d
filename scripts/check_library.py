#!/usr/bin/env python3
"""docs/library.md describes the library: every function of include/nonet/nonet.h with its parameters, every constant, and
nothing else. What python/ binds is there, with as many parameters. The fuzz target calls every function."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
header = re.sub(r"/\*.*?\*/", "", (root / "include/nonet/nonet.h").read_text(encoding="utf-8"), flags=re.S)
page = (root / "docs/library.md").read_text(encoding="utf-8")


def parameters(text):
    """The names of a function's parameters, as C declares them."""
    return [] if text.strip() == "void" else [re.search(r"(\w+)$", part.strip())[1] for part in text.split(",")]


declared = {name: parameters(text) for name, text in re.findall(r"NONET_API[^;(]*?\b(nonet_\w+)\(([^)]*)\);", header)}
described = {name: [part.strip() for part in text.split(",") if part.strip()] for name, text in re.findall(r"`(nonet_\w+)\(([^)`]*)\)`", page)}
wrong = []
for name in sorted(declared.keys() | described.keys()):
    if name not in declared:
        wrong.append(f"docs/library.md describes {name}, which is not in the header")
    elif name not in described:
        wrong.append(f"docs/library.md does not describe {name}")
    elif declared[name] != described[name]:
        wrong.append(f"docs/library.md: {name}({', '.join(described[name])}) is declared with ({', '.join(declared[name])})")
constants = {name for body in re.findall(r"enum[^{;]*\{(.*?)\}", header, re.S) for name in re.findall(r"\bNONET_\w+", body)}
for name in sorted(constants ^ {word for word in re.findall(r"`(NONET_[A-Z_]+)`", page) if not word.startswith("NONET_TABLES")}):
    wrong.append(f"docs/library.md and the header disagree about {name}")
bindings = root / "python/nonet/_library.py"
if bindings.exists():
    for name, arguments in re.findall(r'^    "(nonet_\w+)": \([^,]+, \[([^\]]*)\]\)', bindings.read_text(encoding="utf-8"), re.M):
        count = len([part for part in arguments.split(",") if part.strip()])
        if count != len(declared.get(name, [])) or name not in declared:
            wrong.append(f"python binds {name} with {count} parameters")
fuzzed = (root / "tests/fuzz_library.c").read_text(encoding="utf-8")
wrong += [f"tests/fuzz_library.c does not call {name}" for name in sorted(declared) if f"{name}(" not in fuzzed]
for line in wrong:
    print(line)
sys.exit(bool(wrong))
