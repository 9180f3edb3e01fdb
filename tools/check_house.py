#!/usr/bin/env python3
"""House rules that no compiler checks. Usage: check_house.py [ROOT]
  - every .cc is named in a CMakeLists.txt: a test that is not built is no test;
  - no absolute path of one developer's machine stands in a file."""

import pathlib
import re
import sys

from tracked_files import ROOT, tracked_files

# Home folders and scratch folders of the people who build; fixtures use /home/user, /data or /mnt.
PRIVATE_PATH = re.compile(rb"(?<![\w./}-])/" + rb"work/[\w.]")


def cmake_text(path):
    return re.sub(r"#.*", "", path.read_text())


def is_named(root, source):
    """Is this source in a CMakeLists.txt of its folder or of one above it, or (outside src/, where a
    loop may add the common part of the name) by its stem without the folder's prefix?"""
    names = {source.name}
    if source.parts[0] != "src":
        stem = source.stem.removeprefix("fuzz_").removeprefix("bench_").removesuffix("_test")
        names |= {source.stem, stem, stem.removesuffix("_bench")}
    lists = [root / folder / "CMakeLists.txt" for folder in source.parents]
    if source.parts[0] != "src":
        lists += [*(root / "src").glob("*/CMakeLists.txt"), *(root / "cmake").glob("*.cmake")]
    for listing in (p for p in lists if p.is_file()):
        words = set(re.findall(r"[\w.+-]+", cmake_text(listing)))
        if names & words:
            return True
    return False


def check(root):
    files = tracked_files(root)
    problems = [f"{p}: named in no CMakeLists.txt, so it is never built"
                for p in files if p.suffix == ".cc" and not is_named(root, p)]
    for path in files:
        for number, line in enumerate((root / path).read_bytes().splitlines(), 1):
            if PRIVATE_PATH.search(line):
                problems.append(f"{path}:{number}: a path of somebody's own machine")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) or "house rules: kept")
    sys.exit(1 if found else 0)
