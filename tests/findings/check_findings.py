#!/usr/bin/env python3
"""Runs the whole program on the inputs of each folder beside this file and compares with its expect.toml:
  why        what the input shows, and what a near miss lacks
  fires      ids that must be among the findings
  near_miss  ids that must not, although the input looks like them
All other files of the folder are handed in together. Usage: check_findings.py GPUWHY [FOLDER...]"""

import json
import pathlib
import subprocess
import sys
import tomllib

KEYS = {"why", "fires", "near_miss"}
# What an input is recognised as, by the source that the table of coverage names for its folder.
SOURCES = {"recording": "live", "trace": "trace"}


def source_of(files):
    suffixes = {file.suffix for file in files}
    if ".gpuwhy" in suffixes:
        return "live"
    return "trace" if suffixes & {".json", ".gz"} else "pasted"


def problems(gpuwhy, folder):
    expect = tomllib.loads((folder / "expect.toml").read_text(encoding="utf-8"))
    for key in expect.keys() - KEYS:
        yield f"expect.toml: no such key: {key}"
    fires, near = set(expect.get("fires", [])), set(expect.get("near_miss", []))
    if not expect.get("why") or not fires | near:
        yield "expect.toml: says no why, or names no finding"
    files = sorted(file for file in folder.iterdir() if file.name != "expect.toml")
    done = subprocess.run([gpuwhy, "diagnose", "--format", "json", "--from", *files], capture_output=True,
                          text=True, timeout=60)
    if done.returncode not in (0, 1, 3):
        yield f"exit code {done.returncode}: {done.stderr}"
        return
    result = json.loads(done.stdout)
    found = {finding["id"] for finding in result["findings"]}
    for missing in sorted(fires - found):
        yield f"{missing} is not found; found are {sorted(found)}"
    for claimed in sorted(near & found):
        yield f"{claimed} is claimed"
    used = [item for item in result["inputs"] if item["used"]]
    if fires and not used:
        yield "no input is used"
    for item in used:
        if SOURCES.get(item["recognised_as"], "pasted") != source_of(files):
            yield f"{item['name']} is recognised as {item['recognised_as']}, not as {source_of(files)}"


def main(gpuwhy, *folders):
    here = pathlib.Path(__file__).parent
    chosen = [pathlib.Path(folder) for folder in folders] or sorted(p.parent for p in here.glob("*/expect.toml"))
    failed = 0
    for folder in chosen:
        for problem in problems(gpuwhy, folder):
            print(f"{folder.name}: {problem}")
            failed += 1
    print(f"{len(chosen)} folders, {failed} problems")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
