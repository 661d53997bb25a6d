#!/usr/bin/env python3
"""Checks that every language has every text that English has, with the same {0}, {1} …: the page's words
(web/src/words/en.ts), the engine's phrases and the games' texts (the C sources), the command's words (apps/cli), the
pages of rules (docs/rules), and
the texts of the lessons (docs/lessons), which must also name the same places everywhere. A
game without any translation is shown in English, with a warning only; a game that is translated at all must be
translated completely."""
import errno
import json
import os
import pathlib
import re
import sys

from words_of import STRING, table

root = pathlib.Path(__file__).resolve().parent.parent
words = root / "web/src/words"
STRINGS = r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*'


def joined(strings):
    """C's "a" "b" is "ab"."""
    return "".join(re.findall(STRING, strings)).replace('\\"', '"')


def phrases(*folders):
    """What the engine, or the command, says to people, by key."""
    found = {}
    for source in [file for folder in folders for file in root.glob(f"{folder}/*.c")]:
        if source.name != "template.c":
            entries = re.findall(rf'\{{\s*"([a-z0-9]+\.[a-z0-9-]+)",\s*({STRINGS})\s*\}}', source.read_text(encoding="utf-8"))
            found.update((key, joined(text)) for key, text in entries)
    return found


def errors():
    """What the command says if something is wrong. The English text is its key, and its placeholders are those of printf."""
    files = [root / "apps/online/main.c", *sorted(root.glob("apps/cli/*.c"))]
    sources = [file.read_text(encoding="utf-8") for file in files]
    found = {joined(text) for source in sources for text in re.findall(rf"cli_fail\(\s*\w+,\s*({STRINGS})", source)}
    return {text: text for text in found if re.search(r"[a-z]{2}", text.replace("%s", ""))}


# Where it is said why a file is refused, a proof is not found, or a server does not start.
REFUSING = ("apps/cli/cli.c", "apps/cli/probe.c", "apps/cli/think_flags.c", "apps/online/main.c", "apps/online/http/address.c", "apps/online/store/sqlite.c", "host/files.c", "host/prober.c", "host/record.c", "host/report.c")
# What the system says of the files that people name; whatever else it says stays English.
SYSTEM = ("EACCES", "EBUSY", "EEXIST", "EFBIG", "EIO", "EISDIR", "ELOOP", "EMFILE", "ENAMETOOLONG", "ENOENT", "ENOMEM", "ENOSPC", "ENOTDIR", "EPERM", "EROFS")


def refusals():
    """What is said there; the English text is the key."""
    sources = [(root / name).read_text(encoding="utf-8") for name in REFUSING]
    found = {joined(text) for source in sources for text in re.findall(rf"host_refuse\(\s*&?\w+,\s*({STRINGS})", source)}
    found |= {joined(text) for source in sources for call in re.findall(rf"host_words\(((?:[^;\"]|{STRINGS})*)", source) for text in re.findall(STRINGS, call) if re.search("[a-z]", text)}
    found |= {os.strerror(getattr(errno, name)) for name in SYSTEM}
    return {text: text for text in found}


def works():
    """What a progress bar says is being done; the English text is the key, with {0} for a number."""
    sources = [file.read_text(encoding="utf-8") for folder in ("solve", "host", "apps/cli") for file in sorted(root.glob(f"{folder}/*.c"))]
    calls = r"(?:\btell\(\w+,|snprintf\(what, sizeof what,|cli_progress_show\(\w+,)"
    found = {re.sub(r"%\w+", "{0}", joined(text)) for source in sources for text in re.findall(rf"{calls}\s*({STRINGS})", source)}
    return {text: text for text in found if text.count("{0}") < 2 and re.search("[a-z]", text)}


def chances():
    """What the games say of options that are left to chance; the English text is the key."""
    sources = [file.read_text(encoding="utf-8") for file in sorted(root.glob("engine/games/*.c"))]
    options = [option for source in sources for option in re.findall(r"\{\.key = .*?\}", source, re.S) if ".chance = true" in option]
    found = [joined(text) for option in options for text in re.findall(rf"\.(?:help|values) =\s*({STRINGS})", option)]
    return {text: text for text in found}


def briefs():
    """What each command does, in a line."""
    sources = [file.read_text(encoding="utf-8") for file in sorted(root.glob("apps/cli/*.c"))]
    entries = [re.search(rf"\.name = \"(\w+)\",.*?\.brief =\s*({STRINGS})", source, re.S) for source in sources]
    return {f"command.{entry[1]}": joined(entry[2]) for entry in entries if entry is not None}


def helps():
    """What each command says after --help. Those that think explain their limits in the same words."""
    shared = re.search(rf"#define CLI_THINK_HELP[\s\\]*((?:{STRINGS}[\s\\]*)+)", (root / "apps/cli/think_flags.h").read_text(encoding="utf-8"))[1].replace("\\\n", "\n")
    sources = [file.read_text(encoding="utf-8").replace("CLI_THINK_HELP", shared) for file in sorted(root.glob("apps/cli/*.c"))]
    entries = [re.search(rf"\.name = \"(\w+)\",.*?\.help =\s*({STRINGS})", source, re.S) for source in sources]
    return {f"help.{entry[1]}": joined(entry[2]).replace("\\n", "\n") for entry in entries if entry is not None}


def check_helps(language, english, spoken):
    """A help has the flags of the English one, in its order and at its column, and names no others; it leaves out no command,
    page or game; its lines fit into a terminal."""
    things = rf"\bnonet (?:{'|'.join(key.split('.')[1] for key in english)})\b|docs/\w+\.md|\b(?:{'|'.join(game.capitalize() for game in games)})\b"
    for key in english.keys() & spoken.keys():
        for what, pattern in (("explains", r"^  (\S.*?  +|\S.*$)"), ("names", r"(?<![\w-])--?[a-z][a-z-]*|\b[A-Z_]{2,}\b")):
            here, there = (re.findall(pattern, text, re.M) for text in (spoken[key], english[key]))
            if (here if what == "explains" else set(here)) != (there if what == "explains" else set(there)):
                findings.append(f"{language} command: {key} {what} other flags than the English text")
        here, there = (set(re.findall(things, text)) for text in (spoken[key], english[key]))
        if there - here:
            findings.append(f"{language} command: {key} says nothing of {', '.join(sorted(there - here))}")
        if max(map(len, spoken[key].split("\n"))) > 90:
            findings.append(f"{language} command: {key} has a line of more than 90 characters")


def texts(games):
    """What the games say about themselves: summary, box, and the options that people choose, with a short
    label and their values. The swap rule is an option of all."""
    shared = re.search(r"#define NONET_SWAP_OPTION.*?\n    \}\n", (root / "engine/rules/options.h").read_text(encoding="utf-8"), re.S)[0].replace("\\\n", "\n")
    found = {"common.swap": joined(re.search(rf"\.help =\s*({STRINGS})", shared)[1]), "common.swap.label": "swap"}
    found.update((f"common.swap.{value}", value) for value in re.search(r'\.values = "([\w|]+)"', shared)[1].split("|"))
    for game in games:
        source = (root / f"engine/games/{game}.c").read_text(encoding="utf-8")
        for field in ("summary", "box"):
            found[f"{game}.{field}"] = joined(re.search(rf"\.{field} =\s*({STRINGS})", source)[1])
        for option in re.findall(r'\{\.key = .*?\}', source, re.S):
            key, kind, values = (re.search(rf"\.{field} = \"?([\w|]+)", option) for field in ("key", "kind", "values"))
            if kind[1] not in ("NONET_CHOICE", "NONET_SIZE", "NONET_NUMBER"):
                continue  # chance, not choice
            found[f"{game}.{key[1]}"] = joined(re.search(rf"\.help =\s*({STRINGS})", option)[1])
            found[f"{game}.{key[1]}.label"] = key[1]  # what people call it, in a word or two
            if kind[1] == "NONET_CHOICE":
                found.update((f"{game}.{key[1]}.{value}", value) for value in values[1].split("|"))
    return found


def placeholders(text):
    return sorted(set(re.findall(r"\{\d\}", text))), re.findall(r"%[.*]*(?:ll|z)?[a-z]", text)


findings = []


def compare(where, english, other):
    if other is None:
        findings.append(f"{where} is missing")
        return
    for key in sorted(english.keys() - other.keys()):
        findings.append(f"{where}: {key} is missing: {english[key]}")
    for key in sorted(other.keys() - english.keys()):
        findings.append(f"{where}: {key} does not exist in English")
    for key in sorted(english.keys() & other.keys()):
        if not other[key].strip():
            findings.append(f"{where}: {key} is empty")
        if placeholders(english[key]) != placeholders(other[key]):
            findings.append(f"{where}: {key} has other placeholders than: {english[key]}")


def pictures(page):
    return [pathlib.PurePath(target).name for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page)]


def check_rules(language, games):
    for game in games:
        page = root / f"docs/rules/{language}/{game}.md"
        if not page.exists():
            findings.append(f"docs/rules/{language}/{game}.md is missing")
            continue
        english = (root / f"docs/rules/{game}.md").read_text(encoding="utf-8")
        other = page.read_text(encoding="utf-8")
        if pictures(other) != pictures(english):
            findings.append(f"docs/rules/{language}/{game}.md has other pictures than the English page")
        if len(re.findall(r"^#+ ", other, re.M)) != len(re.findall(r"^#+ ", english, re.M)):
            findings.append(f"docs/rules/{language}/{game}.md has other headings than the English page")


def is_translated(game, tables):
    """Whether some language has anything about a game, in the page or as a page of rules."""
    return (any(key.startswith(f"{game}.") for table in tables for key in table)
            or any((root / f"docs/rules/{language}/{game}.md").exists() for language in languages))


languages = sorted(file.stem for file in words.glob("??.ts") if file.stem != "en")
sources = {language: (words / f"{language}.ts").read_text(encoding="utf-8") for language in ["en", *languages]}
tables = {language: {name: table(sources[language], name) for name in ("page", "engine", "games")} for language in languages}
games = sorted(page.stem for page in (root / "docs/rules").glob("*.md"))
told = [entries for names in tables.values() for entries in names.values() if entries is not None]
untranslated = [game for game in games if not is_translated(game, told)]
games = [game for game in games if game not in untranslated]


def of_games(entries):
    """Without the entries of games that exist in English only."""
    return {key: text for key, text in entries.items() if key.split(".")[0] not in untranslated}


english = {"page": table(sources["en"], "en"), "engine": of_games(phrases("engine/rules", "engine/games")), "games": texts(games)}
if not all(english.values()):
    sys.exit("check_words: English could not be read")
values = {key: value for key, value in english["games"].items() if key.count(".") == 2}
compare("en values", values, of_games(table(sources["en"], "values")))
for language in languages:
    for name, entries in english.items():
        compare(f"{language} {name}", entries, tables[language][name])
    check_rules(language, games)
    spoken = json.loads((root / f"apps/cli/words/{language}.json").read_text(encoding="utf-8"))
    compare(f"{language} command", {**phrases("apps/cli", "engine/search"), **briefs(), **helps(), **chances(), **refusals(), **works(), **errors()}, spoken)
    check_helps(language, helps(), spoken)
    # A line of keys must fit into a narrow screen.
    findings += [f"{language} command: {key} is too long" for key, text in spoken.items() if key.startswith("terminal.keys-") and len(text) > 79]
# Parts of the page that are fetched when they are wanted have words of their own.
for part in sorted(file.parent for file in words.glob("*/en.ts")):
    entries = table((part / "en.ts").read_text(encoding="utf-8"), "en")
    for language in languages:
        other = part / f"{language}.ts"
        compare(f"{language} {part.name}", entries, table(other.read_text(encoding="utf-8"), "words") if other.exists() else None)


def check_lessons(file):
    """The texts of a game's lessons: all that its steps name, no others, short, and about the same places everywhere."""
    steps = json.loads(file.read_text(encoding="utf-8"))["steps"]
    used = {text for step in steps for text in [step["say"], *step.get("hints", []), *(remark["say"] for name in ("wrong", "notes") for remark in step.get(name, []))]}
    told = {language: json.loads((file.parent / "words" / language / file.name).read_text(encoding="utf-8")) for language in ["en", *languages]}
    compare(f"{file.stem}: the steps and the English texts", dict.fromkeys(used, ""), {key: "-" for key in told["en"]})
    places = re.compile(r"\b[a-j]\d\b")
    for language, texts in told.items():
        compare(f"{language} lessons of {file.stem}", told["en"], texts)
        for key in texts.keys() & told["en"].keys():
            if sorted(set(places.findall(texts[key]))) != sorted(set(places.findall(told["en"][key]))):
                findings.append(f"{language} lessons of {file.stem}: {key} names other places than the English text")
            if len(texts[key].split()) > (45 if language == "en" else 55):
                findings.append(f"{language} lessons of {file.stem}: {key} is too long to read at once")


for game in games:
    file = root / f"docs/lessons/{game}.json"
    if file.exists():
        check_lessons(file)
    else:
        findings.append(f"docs/lessons/{game}.json is missing")
for game in untranslated:
    print(f"warning: {game} is not translated, and shown in English")
for line in findings:
    print(line)
if not findings:
    print(f"{len(languages)} languages: {', '.join(f'{len(entries)} {name}' for name, entries in english.items())}")
sys.exit(bool(findings))
