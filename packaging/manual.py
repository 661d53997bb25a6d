#!/usr/bin/env python3
"""Writes a manual page from what a command says about itself.

    packaging/manual.py nonet NONET VERSION >nonet.1
    packaging/manual.py nonet-solve NONET_SOLVE VERSION >nonet-solve.1
"""
import sys

from help_texts import ask, commands, games, take_apart

name, program, version = sys.argv[1:]


def plain(text):
    """Text that roff leaves as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def say(*lines):
    print("\n".join(lines))


def begin(summary):
    say(f'.TH {name.upper()} 1 "" "nonet {version}" "Games"', ".SH NAME", plain(f"{name} - {summary}"))


def explain(command):
    """The flags of a command and what else its help says."""
    for written, meaning in command.flags:
        say(".TP", f".B {plain(written)}", plain(meaning[:1].upper() + meaning[1:] + "."))
    for paragraph in command.paragraphs:
        say(".PP", plain(paragraph))


def nonet():
    every = commands(program)
    begin("play, solve and study nine wooden-box games")
    say(".SH SYNOPSIS", ".B nonet", plain("COMMAND …"), ".SH DESCRIPTION",
        "Nonet plays nine little-known games from wooden boxes by their exact rules, in the terminal and in the browser.",
        "It says why a move is not allowed, plays at ten levels, and proves who wins the games that are solved.",
        ".PP", "The games are:")
    for game in games(program):
        players = game["players"]
        number = f"{players[0]} to {players[-1]} players" if len(players) > 1 else f"{players[0]} players"
        say(".TP", f".B {game['id']}", plain(f"{game['title']} ({game['author']}), {number}. {game['summary']}"))
    say(".SH COMMANDS")
    for command in every:
        say(f".SS nonet {command.name}", plain(command.summary[:1].upper() + command.summary[1:] + "."), ".PP", ".nf",
            *[plain(line) for line in command.usage], ".fi")
        explain(command)
    say(".SH OPTIONS OF GAMES", plain("Given as -o key=value after the name of a game. The first value is the default."))
    for game in games(program):
        for option in game["options"]:
            say(".TP", f".B {game['id']} {option['key']}={plain(option['values'])}", plain(option["help"][:1].upper() + option["help"][1:] + "."))
    say(".SH EXIT STATUS", ".TP", "0", "Everything went well.", ".TP", "1",
        "An illegal move, a wrong or unreadable file, a full disk, a taken port, a missing table.", ".TP", "2",
        "Bad usage: an unknown command, game, option, value or deal.",
        ".SH ENVIRONMENT", ".TP", ".B NONET_TABLES", "A folder in which tables of exact values are looked for first, and written.",
        ".TP", ".B NONET_BOOKS", "A folder in which books of openings are looked for first.",
        ".TP", ".B XDG_CACHE_HOME", "Where tables are kept otherwise, in a folder nonet; by default ~/.cache.",
        ".TP", ".B NONET_PORT, NONET_ADDRESS, NONET_STORE, NONET_PROXY", plain("For nonet serve: the same as its flags, which win."),
        ".SH EXAMPLES", ".nf", plain("nonet play ksar --level 7"), plain("nonet serve"), plain("nonet probe kolem c3"),
        plain("nonet position chasm -o players=3 a1 b2"), ".fi")


def nonet_solve():
    command = take_apart(name, ask(program, "--help"))
    begin(command.summary)
    say(".SH SYNOPSIS", *[plain(line) for line in command.usage], ".SH OPTIONS")
    explain(command)
    say(".SH EXIT STATUS", plain("As that of nonet."), ".SH SEE ALSO", ".BR nonet (1),", ".BR mpirun (1)")


{"nonet": nonet, "nonet-solve": nonet_solve}[name]()
