"""Scores labelled captures, where they are at hand, and holds gpuwhy to the goals for them.
Usage: check_scores.py GPUWHY FOLDER, where FOLDER holds tools/score_cases and cases/. Prints the scorer's report;
its last line is the summary. Exit status 77, for skipped, where the folder is absent."""
import pathlib
import re
import subprocess
import sys

# The least share of cases that each figure of the summary must reach.
GOALS = {"cause named": 0.90, "rightly silent": 0.97, "either": 0.95, "also": 0.90, "figures": 0.80,
         "explained": 0.90, "sure": 0.97}

gpuwhy, shared = sys.argv[1], pathlib.Path(sys.argv[2])
scorer, cases = shared / "tools" / "score_cases", shared / "cases"
if not scorer.is_file() or not cases.is_dir():
    print(f"skipped: no labelled captures in {cases}, or no scorer in {scorer}")
    sys.exit(77)
run = subprocess.run([sys.executable, scorer, gpuwhy, cases], stdout=subprocess.PIPE, text=True, check=True)
print(run.stdout)
summary = run.stdout.strip().splitlines()[-1]

missed = []
for name, least in GOALS.items():
    found = re.search(rf"\b{name} (\d+)/(\d+)", summary)
    assert found, f"no figure for '{name}' in: {summary}"
    right, of = int(found[1]), int(found[2])
    if right < least * of:
        missed.append(f"{name}: {right} of {of}, at least {100 * least:.0f} % wanted")
for name in ("false claims", "crashed or unreadable"):
    found = re.search(rf"\b{name} (\d+)", summary)
    assert found, f"no figure for '{name}' in: {summary}"
    if int(found[1]) > 0:
        missed.append(f"{name}: {found[1]}, none allowed")
extra = re.search(r"extra claims ([\d.]+)", summary)
assert extra, f"no figure for 'extra claims' in: {summary}"
if float(extra[1]) >= 0.3:
    missed.append(f"extra claims: {extra[1]} a case, less than 0.3 wanted")
if missed:
    sys.exit("\n".join(missed))
