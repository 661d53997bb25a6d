#!/usr/bin/env python3
"""How many lines of engine/ the tests reach: in each folder, and in the files that are reached least.

    scripts/coverage.py BUILD        a build with -Db_coverage=true, in which tests were run
"""
import collections
import json
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
LEAST = 10

reached = collections.defaultdict(dict)  # by file and line: whether any object that has the line ran it
for notes in build.rglob("*.gcda"):
    told = subprocess.run(["gcov", "--json-format", "--stdout", str(notes)], cwd=build, capture_output=True, text=True, check=True)
    for entry in filter(None, told.stdout.splitlines()):
        for file in json.loads(entry)["files"]:
            path = (build / file["file"]).resolve()
            if path.is_relative_to(root / "engine"):
                lines = reached[path.relative_to(root)]
                for line in file["lines"]:
                    lines[line["line_number"]] = lines.get(line["line_number"], False) or line["count"] > 0
if not reached:
    sys.exit(f"coverage.py: no counts in {build}: run its tests first")


def share(files):
    lines = [ran for file in files for ran in reached[file].values()]
    return f"{100 * sum(lines) / len(lines):5.1f} % of {len(lines)} lines"


for folder in sorted({file.parent for file in reached}):
    print(f"{folder!s:16} {share([file for file in reached if file.parent == folder])}")
print(f"{'engine':16} {share(reached)}")
print("Least reached:")
by_share = sorted(reached, key=lambda file: sum(reached[file].values()) / len(reached[file]))
for file in by_share[:LEAST]:
    missed = sorted(line for line, ran in reached[file].items() if not ran)
    shown = ", ".join(map(str, missed[:12])) + (", …" if len(missed) > 12 else "")
    print(f"  {file!s:32} {share([file])}; not {shown}" if missed else f"  {file!s:32} {share([file])}")
