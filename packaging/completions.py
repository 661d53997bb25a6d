#!/usr/bin/env python3
"""Writes what a shell needs to complete the words after `nonet`: commands, their flags, games, and options of games.

    packaging/completions.py NONET bash|zsh|fish >FILE

All of it comes from the command itself, so nothing can be forgotten.
"""
import sys

from help_texts import commands, games, words_of

nonet, shell = sys.argv[1:]
every = commands(nonet)
shelf = games(nonet)
ids = " ".join(game["id"] for game in shelf)
names = " ".join(command.name for command in every)
HELP = "what a command does, and what it takes"  # nonet help COMMAND
with_game = [command.name for command in every if any(" GAME" in line or "[GAME" in line for line in command.usage)]


MANY = 20  # of more numbers only the usual one is offered


def options(game):
    """The options of a game as key=value, with every value that can be listed."""
    for option in game["options"]:
        values = option["values"].split("|") if option["kind"] == "choice" else [option["default"] or ""]
        if option["kind"] == "number" and option["most"] - option["least"] < MANY:
            values = range(option["least"], option["most"] + 1)
        yield from (f"{option['key']}={value}" for value in values)


def values_of(flag, value):
    if flag == "--lang":
        return "en fr de nl it"
    if flag == "--level":
        return "1 2 3 4 5 6 7 8 9 10"
    return "" if value else None


def cases(indent, form, rows):
    return "\n".join(indent + form.format(*row) for row in rows)


def bash():
    flags = [(c.name, " ".join(sorted(words_of(c)) + ["--help"])) for c in every]
    return f"""# Completes the words of nonet in bash.
_nonet() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} game=${{COMP_WORDS[2]}} i
    # bash takes key=value apart at the equals sign.
    if [[ $word == "=" ]]; then
        word=
    fi
    if [[ $before == "=" || ${{COMP_WORDS[COMP_CWORD]}} == "=" ]]; then
        i=$((COMP_CWORD - 1))
        [[ $before == "=" ]] && i=$((COMP_CWORD - 2))
        local key=${{COMP_WORDS[i]}}
        COMPREPLY=($(compgen -W "$(_nonet_options "$game" | tr ' ' '\\n' | sed -n "s/^$key=//p")" -- "$word"))
        return
    fi
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "{names} help --help --version" -- "$word"))
        return
    fi
    if [ "$command" = help ]; then
        [ "$COMP_CWORD" = 2 ] && COMPREPLY=($(compgen -W "{names}" -- "$word"))
        return
    fi
    case $before in
    --lang) COMPREPLY=($(compgen -W "{values_of('--lang', 'L')}" -- "$word")) && return ;;
    --level) COMPREPLY=($(compgen -W "{values_of('--level', 'L')}" -- "$word")) && return ;;
    -o)
        COMPREPLY=($(compgen -W "$(_nonet_options "$game" | sed 's/=[^ ]*/=/g')" -- "$word"))
        [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
        return
        ;;
    --load | --save | --output | --records | --svg | --store) COMPREPLY=($(compgen -f -- "$word")) && return ;;
    esac
    if [[ $word == -* ]]; then
        case $command in
{cases("        ", '{}) COMPREPLY=($(compgen -W "{}" -- "$word")) ;;', flags)}
        esac
    elif [ "$COMP_CWORD" = 2 ] && [[ " {' '.join(with_game)} " == *" $command "* ]]; then
        COMPREPLY=($(compgen -W "{ids}" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
_nonet_options() {{
    case $1 in
{cases("    ", "{}) echo {} ;;", [(game["id"], " ".join(options(game))) for game in shelf])}
    esac
}}
complete -F _nonet nonet
"""


def quoted(text):
    return text.replace("'", "’").replace(":", "\\:")


def zsh():
    flags = [(c.name, " ".join(f"'{flag}'" for flag in sorted(words_of(c)) + ["--help"])) for c in every]
    return f"""#compdef nonet
# Completes the words of nonet in zsh.
local -a commands games
commands=(
{cases("    ", "'{}:{}'", [(c.name, quoted(c.summary)) for c in every])}
)
games=(
{cases("    ", "'{}:{}'", [(g["id"], quoted(g["summary"])) for g in shelf])}
)
if (( CURRENT == 2 )); then
    commands+=('help:{quoted(HELP)}')
    _describe command commands
    return
fi
if [[ $words[2] == help ]]; then
    (( CURRENT == 3 )) && _describe command commands
    return
fi
case $words[CURRENT-1] in
--lang) compadd {values_of('--lang', 'L')}; return ;;
--level) compadd {values_of('--level', 'L')}; return ;;
-o)
    case $words[3] in
{cases("    ", "{}) compadd {} ;;", [(game["id"], " ".join(options(game)) or "-") for game in shelf])}
    esac
    return
    ;;
esac
if [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
{cases("    ", "{}) compadd -- {} ;;", flags)}
    esac
elif (( CURRENT == 3 )) && [[ " {' '.join(with_game)} " == *" $words[2] "* ]]; then
    _describe game games
else
    _files
fi
"""


def fish():
    lines = ["# Completes the words of nonet in fish.", "complete -c nonet -n __fish_use_subcommand -f",
             f"complete -c nonet -n __fish_use_subcommand -f -a help -d '{HELP}'"]
    for c in every:
        summary = c.summary.replace("'", "’")
        for where in ("__fish_use_subcommand", "'__fish_seen_subcommand_from help; and test (count (commandline -opc)) -eq 2'"):
            lines.append(f"complete -c nonet -n {where} -f -a {c.name} -d '{summary}'")
        here = f"-n '__fish_seen_subcommand_from {c.name}'"
        for flag, value in sorted(words_of(c).items()):
            if flag == "-o":
                continue  # it depends on the game: below
            given = values_of(flag, value)
            lines.append(f"complete -c nonet {here} -l {flag[2:]}" + ("" if given is None else f" -x -a '{given}'" if given else " -r"))
    seen = " ".join(with_game)
    for game in shelf:
        summary = game["summary"].replace("'", "’")
        lines.append(f"complete -c nonet -n '__fish_seen_subcommand_from {seen}; and test (count (commandline -opc)) -eq 2' -f -a {game['id']} -d '{summary}'")
        for word in options(game):
            lines.append(f"complete -c nonet -n '__fish_seen_subcommand_from {game['id']}' -s o -x -a '{word}'")
    return "\n".join(lines) + "\n"


print({"bash": bash, "zsh": zsh, "fish": fish}[shell](), end="")
