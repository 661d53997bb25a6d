"""Reads the tables of words that the page has in TypeScript: every entry is a string."""
import re

STRING = r'"((?:[^"\\]|\\.)*)"'


def table(source, name):
    """The entries of `export const NAME… = {` in a TypeScript file, which are all strings."""
    body = re.search(rf"export const {name}\b[^=]*= \{{\n(.*?)^\}}", source, re.M | re.S)
    if body is None:
        return None
    entry = re.compile(rf'^\s*(?:"([^"]+)"|(\w+)):\s*(?:{STRING}|`([^`]*)`|\'((?:[^\'\\]|\\.)*)\'),?$', re.M)
    return {quoted or plain: a or b or c for quoted, plain, a, b, c in entry.findall(body[1])}
