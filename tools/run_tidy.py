#!/usr/bin/env python3
"""clang-tidy 14 over src/, tools/ and fuzz/ without the unit tests, two at a time; headers are
reported with the sources that include them. Usage: run_tidy.py [FILE.cc ...]
Called by lint.sh. Skips what build/.lint-cache says was clean with the same bytes and flags."""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

from tracked_files import ROOT, tracked_files

TIDY = "clang-tidy-14"
BUILD = ROOT / "build/clang"
CACHE = ROOT / "build/.lint-cache"
JOBS = 2


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def die(done):
    sys.exit(f"{shlex.join(map(str, done.args))}:\n{done.stdout}{done.stderr}")


def configure():
    """Writes build/clang/compile_commands.json and the headers that the build generates."""
    done = run(["cmake", "--preset", "clang"], cwd=ROOT)
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


def check(source, arguments, folder):
    """"" where clean, else what clang-tidy said; and whether it had to run."""
    key = key_of(arguments, folder)
    if key is not None and (CACHE / key).exists():
        return "", False
    done = run([TIDY, "-p", BUILD, "--quiet", ROOT / source], cwd=ROOT)
    if done.returncode != 0 or "warning:" in done.stdout:
        return done.stdout + done.stderr, True
    if key is not None:
        (CACHE / key).touch()
    return "", True


def main(only):
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
    ran = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        pending = {pool.submit(check, s, *database[s]): s for s in sources if s in database}
        for done in concurrent.futures.as_completed(pending):
            text, was_run = done.result()
            ran += was_run
            if text:
                failed.append(pending[done])
                print(text, flush=True)
    print(f"clang-tidy: {len(sources)} files, {ran} checked now, {len(failed)} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ["CCACHE_DISABLE"] = "1"
    sys.exit(main(sys.argv[1:]))
