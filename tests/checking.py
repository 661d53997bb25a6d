"""What the tests in Python share: counted checks, how the command refuses, and the closing line."""
import sys

passed = failed = 0


def check(name, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {name}: {detail}")


def check_refused(name, got, code, part):
    """A refusal is one line on stderr, and nothing on stdout."""
    lines = got.stderr.splitlines()
    good = got.returncode == code and got.stdout == "" and len(lines) == 1 and lines[0].startswith("nonet: ") and part in lines[0]
    check(name, good, f"exit {got.returncode}, stdout {got.stdout[:80]!r}, stderr {got.stderr[:300]!r}, expected {code} and {part!r}")


def close():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
