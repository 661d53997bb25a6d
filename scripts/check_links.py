#!/usr/bin/env python3
"""Every relative link and picture in the project's documents leads to a file of the project, and English text is wrapped
at 100 columns."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
known = set(subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n"))
wrong = 0
WIDTH = 100
for name in sorted(n for n in known if n.endswith(".md")):
    page = root / name
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / link).resolve().relative_to(root).as_posix()
        if target not in known and not any(n.startswith(target + "/") for n in known):
            print(f"{name}: {link} leads nowhere")
            wrong += 1
    if re.match(r"docs/rules/../", name):
        continue
    inside = False  # a block of code
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        inside ^= line.lstrip().startswith("```")
        whole = line.lstrip().startswith(("|", "<", "!["))  # what cannot be wrapped
        if len(line) > WIDTH and not inside and not whole:
            print(f"{name}:{number}: {len(line)} columns")
            wrong += 1
sys.exit(wrong > 0)
