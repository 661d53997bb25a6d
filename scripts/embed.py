#!/usr/bin/env python3
"""Writes pages into a C file, so that the command carries its rules with it.

Usage: embed.py OUTPUT PAGE...

docs/rules/GAME.md is a page in English, docs/rules/LANGUAGE/GAME.md one in another language.
"""
import pathlib
import sys


def literal(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'     "{escaped}\\n"'


def main():
    output, *pages = sys.argv[1:]
    entries = []
    for name in pages:
        page = pathlib.Path(name)
        language = "en" if page.parent.name == "rules" else page.parent.name
        lines = page.read_text(encoding="utf-8").splitlines()
        text = "\n".join(literal(line) for line in lines)
        entries.append(f'    {{"{language}", "{page.stem}",\n{text}}},')
    body = "\n".join(entries)
    pathlib.Path(output).write_text(
        "/* Written by scripts/embed.py. */\n"
        '#include "cli/pages.h"\n\n'
        f"const struct rules_page rules_pages[] = {{\n{body}\n    {{0}},\n}};\n",
        encoding="utf-8",
    )


main()
