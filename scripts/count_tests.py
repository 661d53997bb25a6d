#!/usr/bin/env python3
"""Prints "passed failed" for a Meson test log: what cmocka counted, or one for any other test program."""
import json
import re
import sys

passed = failed = 0
for line in open(sys.argv[1], encoding="utf-8"):
    entry = json.loads(line)
    output = entry.get("stdout", "") + entry.get("stderr", "")
    ok = len(re.findall(r"^\[ +OK +\]", output, re.M))
    bad = len(set(re.findall(r"^\[ +FAILED +\] (.+)$", output, re.M)) - {""})
    counted = re.search(r"^(\d+) passed, (\d+) failed$", output, re.M)
    if counted:
        ok, bad = int(counted[1]), int(counted[2])
    if entry["result"] != "OK" and bad == 0:
        bad = 1
    if ok + bad == 0:
        ok = 1
    passed += ok
    failed += bad
print(passed, failed)
