#!/usr/bin/env python3
"""Writes the words of all languages but English into a C file, so that the command speaks them.

Usage: embed_words.py OUTPUT FILE...

web/src/words/LANGUAGE.ts has what the engine and the games say, apps/cli/words/LANGUAGE.json what the command says.
"""
import json
import pathlib
import sys

from words_of import table


def literal(text):
    return json.dumps(text, ensure_ascii=False).replace("?", "\\?")


def main():
    output, *files = sys.argv[1:]
    words = {}
    for file in map(pathlib.Path, files):
        source = file.read_text(encoding="utf-8")
        own = words.setdefault(file.stem, {})
        if file.suffix == ".json":
            own.update(json.loads(source))
        else:
            for name in ("engine", "games"):
                # The escapes of the other language are those of C.
                own.update((key, text.replace('\\"', '"')) for key, text in table(source, name).items())
    lines = ["/* Made by scripts/embed_words.py. */", '#include "cli/words.h"', ""]
    for language, own in words.items():
        lines.append(f"static const struct cli_text {language}[] = {{")
        lines += [f"    {{{literal(key)}, {literal(own[key])}}}," for key in sorted(own)]
        lines.append("};")
    lines.append("const struct cli_texts cli_all_texts[] = {")
    lines += [f'    {{"{language}", {len(own)}, {language}}},' for language, own in words.items()]
    lines += ["    {0},", "};", ""]
    pathlib.Path(output).write_text("\n".join(lines), encoding="utf-8")


main()
