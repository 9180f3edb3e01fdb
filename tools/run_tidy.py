#!/usr/bin/env python3
"""clang-tidy 14 over src/, tools/ and fuzz/ without the unit tests, two at a time; headers are
reported with the sources that include them. Usage: run_tidy.py [--without-analyzer] [FILE.cc ...]
Called by lint.sh. Skips what build/.lint-cache says was clean with the same bytes and flags.

Most of its time goes into the headers, again for each source. So the sources that have the same
flags are checked together, as one unit that includes them; names that two of them give to something
of their own are told apart by a macro. What it names there, or can't compile, is checked alone, and
the rest again together: what is printed never comes from a unit. The analyzer looks only into the
main file, so that it runs on each source: --without-analyzer takes a tenth of the time and does not
find what only following paths finds.
"""

import concurrent.futures
import functools
import hashlib
import json
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys

from tracked_files import ROOT, tracked_files
from units import unit_of

TIDY = "clang-tidy-14"
BUILD = ROOT / "build/tidy"
CACHE = ROOT / "build/.lint-cache"
JOBS = 2
BATCH = 60


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def die(done):
    sys.exit(f"{shlex.join(map(str, done.args))}:\n{done.stdout}{done.stderr}")


def configure():
    """Writes build/tidy/compile_commands.json and the headers that the build generates."""
    done = run(["cmake", "--preset", "tidy"], cwd=ROOT)
    if done.returncode != 0:
        die(done)
    targets = run(["ninja", "-C", BUILD, "-t", "targets", "all"]).stdout.splitlines()
    generated = [name for name, _, rule in (line.partition(": ") for line in targets)
                 if rule == "CUSTOM_COMMAND" and name.endswith((".inc", ".h"))]
    # Ninja lists each by its relative and by its absolute name.
    generated = [name for name in generated if not name.startswith("/")]
    if generated:
        done = run(["ninja", "-C", BUILD, *generated])
        if done.returncode != 0:
            die(done)


def commands():
    """path relative to ROOT -> (arguments, folder to run in)"""
    database = json.loads((BUILD / "compile_commands.json").read_text())
    return {os.path.relpath(e["file"], ROOT): (shlex.split(e["command"]), e["directory"])
            for e in database}


@functools.lru_cache(maxsize=None)
def digest_of(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).digest()


@functools.lru_cache(maxsize=None)
def tool_digest():
    version = run([TIDY, "--version"]).stdout
    return hashlib.sha256(version.encode() + (ROOT / ".clang-tidy").read_bytes()).digest()


def key_of(arguments, folder):
    """Of everything that can change a verdict; None where the compiler can't read the file."""
    compiler = next(i for i, word in enumerate(arguments) if "clang" in os.path.basename(word))
    flags = arguments[compiler:]
    where = flags.index("-o")
    listed = run(flags[:where] + flags[where + 2:] + ["-M"], cwd=folder)
    if listed.returncode != 0:
        return None
    files = listed.stdout.partition(": ")[2].replace("\\\n", " ").split()
    key = hashlib.sha256(tool_digest() + "\0".join(flags).encode())
    for name in sorted(set(files)):
        key.update(digest_of(os.path.join(folder, name)))
    return key.hexdigest()


def is_clean(done):
    return done.returncode == 0 and "warning:" not in done.stdout


def check_unit(sources, arguments, folder):
    """Which of the sources clang-tidy names when it sees all of them together. The compiler's own
    warnings are the builds' business: here they would tell of names that hide each other's."""
    text = unit_of([ROOT / source for source in sources])
    unit = CACHE / f"unit_{hashlib.sha256(text.encode()).hexdigest()[:16]}.cc"
    unit.write_text(text)
    flags = arguments[1:arguments.index("-o")]
    done = run([TIDY, "--quiet", "--checks=-clang-analyzer-*", r"--header-filter=(src|tools|tests|fuzz|inject)/.*\.(h|cc)$", unit,
                "--", *flags, "-w"], cwd=folder)
    unit.unlink()
    if is_clean(done):
        return []
    named = set(re.findall(r"^(/[^:\n]+):\d+:\d+: (?:error|warning)", done.stdout, re.MULTILINE))
    # In a header or in the unit itself, or nowhere: any of them can be meant.
    return [s for s in sources if str(ROOT / s) in named] or sources


def told_apart(sources, database):
    """Those that have to be checked alone: without them the others are clean together."""
    alone = []
    while len(sources) > 1:
        named = check_unit(sources, *database[sources[0]])
        if len(named) == len(sources):
            half = len(sources) // 2
            return alone + told_apart(sources[:half], database) + told_apart(sources[half:], database)
        alone += named
        if not named:
            return alone
        sources = [s for s in sources if s not in named]
    return alone + sources


def check_source(source, *options):
    """"" where clean, else what clang-tidy said."""
    done = run([TIDY, "-p", BUILD, "--quiet", *options, ROOT / source], cwd=ROOT)
    return "" if is_clean(done) else f"{source}:\n{done.stdout}{done.stderr}"


def check(batch, database, analyze):
    """What clang-tidy says of each source of the batch [(source, key)]: source -> text."""
    alone = told_apart([source for source, _ in batch], database)
    said = {}
    for source, key in batch:
        if source in alone:
            said[source] = check_source(source, *([] if analyze else ["--checks=-clang-analyzer-*"]))
        elif analyze:
            said[source] = check_source(source, "--checks=-*,clang-analyzer-*")
        else:
            said[source] = ""
        if not said[source] and key is not None:
            (CACHE / key).touch()
    return said


def batches(pending, database):
    """Of at most BATCH sources with one set of flags, as equal as can be; the long ones first."""
    def kin(entry):
        arguments, folder = database[entry[0]]
        return arguments[1:arguments.index("-o")], folder

    result = []
    for _, group in itertools.groupby(sorted(pending, key=kin), key=kin):
        group = list(group)
        count = -(-len(group) // BATCH)
        result += [group[i::count] for i in range(count)]
    return sorted(result, key=len, reverse=True)


def main(analyze, only):
    sources = [str(p) for p in tracked_files() if p.suffix == ".cc" and
               p.parts[0] in ("src", "tools", "fuzz") and not p.stem.endswith("_test")]
    if only:
        sources = [s for s in sources if s in {os.path.relpath(f, ROOT) for f in only}]
    configure()
    CACHE.mkdir(parents=True, exist_ok=True)
    database = commands()
    failed = [s for s in sources if s not in database]
    for source in failed:
        print(f"{source}: not in {BUILD}/compile_commands.json: no target builds it")
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        built = [s for s in sources if s in database]
        # What is clean but for the analyzer is not clean: then the cache is left alone.
        keys = dict(zip(built, pool.map(lambda s: key_of(*database[s]) if analyze else None, built)))
        pending = [(s, k) for s, k in keys.items() if k is None or not (CACHE / k).exists()]
        runs = [pool.submit(check, batch, database, analyze) for batch in batches(pending, database)]
        for done in concurrent.futures.as_completed(runs):
            for source, text in done.result().items():
                if text:
                    failed.append(source)
                    print(text, flush=True)
    print(f"clang-tidy: {len(sources)} files, {len(pending)} checked now, {len(failed)} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ["CCACHE_DISABLE"] = "1"
    without_analyzer = "--without-analyzer"
    sys.exit(main(without_analyzer not in sys.argv, [a for a in sys.argv[1:] if a != without_analyzer]))
