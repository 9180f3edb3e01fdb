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


def is_named(root, source, files):
    """Is this source in a CMakeLists.txt of its folder or of one above it? Outside src/ any will do
    (a generator belongs to whoever uses what it makes), and so does the stem without the folder's
    prefix (a loop or function may add the common part of the name)."""
    names = {source.name}
    lists = [folder / "CMakeLists.txt" for folder in source.parents]
    if source.parts[0] != "src":
        stem = source.stem.removeprefix("fuzz_").removeprefix("bench_").removesuffix("_test")
        names |= {source.stem, stem, stem.removesuffix("_bench")}
        lists = [p for p in files if p.name == "CMakeLists.txt" or p.suffix == ".cmake"]
    present = (root / p for p in lists if (root / p).is_file())
    return any(names & set(re.findall(r"[\w.+-]+", cmake_text(p))) for p in present)


def check(root):
    files = tracked_files(root)
    problems = [f"{p}: named in no CMakeLists.txt, so it is never built"
                for p in files if p.suffix == ".cc" and not is_named(root, p, files)]
    for path in files:
        for number, line in enumerate((root / path).read_bytes().splitlines(), 1):
            if PRIVATE_PATH.search(line):
                problems.append(f"{path}:{number}: a path of somebody's own machine")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    print("\n".join(found) or "house rules: kept")
    sys.exit(1 if found else 0)
