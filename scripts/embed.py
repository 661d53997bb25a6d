#!/usr/bin/env python3
"""Writes pages into a C file, so that the command contains its rules.

Usage: embed.py OUTPUT PAGE...

docs/rules/GAME.md is a page in English, docs/rules/LANGUAGE/GAME.md one in another language. Only the English page says
how a picture is drawn, in a comment above it; here the other pages get it too.
"""
import pathlib
import re
import sys


def literal(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'     "{escaped}\\n"'


def picture(line):
    """The name of the picture that a line shows, or None."""
    found = re.match(r"!\[.*\]\((?:\.\./)?([^)/]+)\)$", line)
    return found and found[1]


def main():
    output, *pages = sys.argv[1:]
    entries = []
    drawings = {}
    for name in pages:
        page = pathlib.Path(name)
        language = "en" if page.parent.name == "rules" else page.parent.name
        lines = page.read_text(encoding="utf-8").splitlines()
        if language == "en":
            drawings.update((picture(line), above) for above, line in zip(lines, lines[1:]) if picture(line))
        else:
            lines = [line for text in lines for line in ([drawings[picture(text)], text] if picture(text) else [text])]
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
