#!/usr/bin/env python3
"""Runs one case of the whole program. Usage: run_case.py GPUWHY CASE_FOLDER [--update]
case.txt holds `key: value` lines:
  args    what gpuwhy is called with, quoted as in a shell; {case} is the case's folder
  stdin   a file of the case's folder to read from (default: nothing)
  exit    the exit code expected (default 0)
  stderr  a text that stderr must hold; without it stderr must be empty. May be given again
expected.txt is what stdout must be; `...` stands for anything within a line. Without the file stdout must
be empty. --update writes expected.txt anew: read the diff."""

import os
import pathlib
import re
import shlex
import subprocess
import sys


def read_case(folder):
    case = {"args": "", "exit": "0", "stdin": None, "stderr": []}
    for line in (folder / "case.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition(":")
        if key not in case:
            raise SystemExit(f"{folder}/case.txt: no such key: {key}")
        if key == "stderr":
            case[key].append(value.strip())
        else:
            case[key] = value.strip()
    return case


def matches(expected, text):
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, text) is not None


def wrong_lines(expected, got):
    one, two = expected.split("\n"), got.split("\n")
    for number in range(max(len(one), len(two))):
        want = one[number] if number < len(one) else "(nothing)"
        have = two[number] if number < len(two) else "(nothing)"
        if not matches(want, have):
            yield f"stdout line {number + 1}:\n  expected {want}\n  got      {have}"


def main(gpuwhy, folder, *flags):
    folder = pathlib.Path(folder)
    case = read_case(folder)
    args = [arg.replace("{case}", str(folder)) for arg in shlex.split(case["args"])]
    env = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    if "ASAN_OPTIONS" in os.environ:
        env["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
    with open(folder / case["stdin"] if case["stdin"] else os.devnull, "rb") as stdin:
        done = subprocess.run([gpuwhy, *args], stdin=stdin, capture_output=True, env=env, timeout=60)
    out = done.stdout.decode("utf-8", "backslashreplace").replace(str(folder), "{case}")
    err = done.stderr.decode("utf-8", "backslashreplace").replace(str(folder), "{case}")
    expected = folder / "expected.txt"
    if "--update" in flags and out:
        expected.write_text(out, encoding="utf-8")
    wrong = list(wrong_lines(expected.read_text(encoding="utf-8") if expected.exists() else "", out))
    if done.returncode != int(case["exit"]):
        wrong.append(f"exit code {done.returncode}, expected {case['exit']}")
    wrong += [f"stderr does not hold: {text}" for text in case["stderr"] if text not in err]
    if err and not case["stderr"]:
        wrong.append("stderr is not empty")
    if wrong:
        print(f"gpuwhy {shlex.join(args)}", *wrong, f"stderr: {err}", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
