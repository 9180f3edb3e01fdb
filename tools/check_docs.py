#!/usr/bin/env python3
"""Fails where a page names, in backticks or as a link, a file or folder that does not exist, and where
a rule's finding is in no row of docs/confidence.md. Usage: check_docs.py [ROOT]. A path may start at the top, at src/ or at the page's own folder. `*` must match
something; `<name>` stands for a file yet to be written: its folder must exist. Absolute paths, URLs
and what is built (build/) are not looked at."""

import pathlib
import re
import sys

from tracked_files import ROOT, tracked_files

TOKEN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")  # not to another site: no ":" in it
PATH = re.compile(r"(?:\./)?[\w.*<>-]+(?:/[\w.*<>+-]+)*/?")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SUFFIXES = (".md", ".sh", ".py", ".txt", ".toml", ".cc", ".h", ".inc", ".cmake", ".json", ".po")


def pages(root):
    top = {"README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md"}
    return [p for p in tracked_files(root) if p.suffix == ".md" and
            (str(p) in top or p.parts[0] in ("docs", "bench", "src", "tests", "fuzz"))]


def looks_like_a_path(token, tops):
    if not PATH.fullmatch(token) or token.startswith(("build/", "<", "*")):
        return False
    first = token.removeprefix("./").split("/")[0]
    return token.endswith(SUFFIXES + ("/",)) or ("/" in token and first in tops)


def exists(token, page, root):
    pattern = token.removeprefix("./").rstrip("/")
    if "<" in pattern:
        pattern = pattern.partition("<")[0].rpartition("/")[0]
    return any(next(base.glob(pattern), None) is not None
               for base in (root, root / "src", (root / page).parent))


RULES = "src/diagnose/rules.cc"
CONFIDENCE = "docs/confidence.md"


def rules_without_a_row(root):
    """A row names an id, or a family as `step.*`."""
    if not (root / RULES).exists():
        return []
    ids = re.findall(r'^    \{"([a-z0-9.-]+)",', (root / RULES).read_text(), re.MULTILINE)
    rows = [line for line in (root / CONFIDENCE).read_text().splitlines() if line.startswith("|")]
    named = {token for row in rows for token in TOKEN.findall(row)}
    return [f"{CONFIDENCE}: no row says what the confidence of {one} rests on"
            for one in ids if one not in named and one.partition(".")[0] + ".*" not in named]


def check(root):
    tops = {p.name for base in (root, root / "src") if base.is_dir() for p in base.iterdir()}
    problems = []
    for page in pages(root):
        text = FENCE.sub(lambda m: "\n" * m.group().count("\n"), (root / page).read_text())
        for number, line in enumerate(text.splitlines(), 1):
            for token in TOKEN.findall(line):
                if looks_like_a_path(token, tops) and not exists(token, page, root):
                    problems.append(f"{page}:{number}: there is no {token}")
            for link in LINK.findall(line):
                if not ((root / page).parent / link).exists():
                    problems.append(f"{page}:{number}: the link leads nowhere: {link}")
    return problems + rules_without_a_row(root)


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) or "docs: every path named exists, every rule has its row")
    sys.exit(1 if found else 0)
