#!/usr/bin/env python3
"""Files that are read and written: inputs are never overwritten, damage and doubt are said, names can't speak to
the terminal. Usage: check_files.py GPUWHY"""

import gzip
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tarfile
import tempfile

ESCAPE = "\x1b[31m"


def run(gpuwhy, *args, **streams):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([gpuwhy, *map(str, args)], timeout=60, **streams)


def trace(kernels=3, **more):
    return json.dumps({"traceEvents": [
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10 * i, "dur": 5,
         "args": {"device": 0, "stream": 7}} for i in range(kernels)], **more})


def refusals(gpuwhy, folder):
    """(arguments, the file that must stay as it is)"""
    (folder / "e.json").write_text(trace())
    (folder / "p.toml").write_text("[ranking]\nmin_cost = 0.05\n")
    os.link(folder / "e.json", folder / "link.json")
    e, p, link = folder / "e.json", folder / "p.toml", folder / "link.json"
    return [
        (["trace", e, "--output", e], e),
        (["trace", e, "--output", link], e),
        (["diagnose", "--from", e, "--output", e], e),
        (["diagnose", "--from", e, "--policy", p, "--output", p], p),
        (["diagnose", "--policy", p, "--output", p], p),
        (["record", "--policy", p, "-o", p], p),
        (["record", "--policy", p, "-o", folder / "r", "--output", p], p),
        (["record", "-o", folder / "r", "--output", folder / "r"], None),
    ]


def inputs_are_never_overwritten(gpuwhy, folder):
    for args, kept in refusals(gpuwhy, folder):
        before = kept.read_bytes() if kept else None
        done = run(gpuwhy, *args)
        if done.returncode != 2 or b"would overwrite" not in done.stderr:
            return f"{args}: {done}"
        if kept and kept.read_bytes() != before:
            return f"{args}: it was overwritten"
    return ""


def names_do_not_reach_the_terminal(gpuwhy, folder):
    name = folder / f"{ESCAPE}.json"
    name.write_text(trace())
    archive = folder / f"{ESCAPE}.tar"
    with tarfile.open(archive, "w") as tar:
        tar.addfile(tarfile.TarInfo(f"{ESCAPE}.txt"))
    table = folder / "t.sqlite"
    with sqlite3.connect(table) as database:
        database.execute(f'CREATE TABLE "{ESCAPE}" (a)')
    for args in (["trace", "-v", name], ["trace", archive], ["trace", table], ["trace", folder / ESCAPE],
                 ["diagnose", "--from", name, archive, table, folder / ESCAPE],
                 ["trace", name, "--output", folder / ESCAPE / "x"], ["record", "-o", folder / ESCAPE / "x"]):
        done = run(gpuwhy, *args)
        if b"\x1b" in done.stderr + done.stdout:
            return f"{args}: {done}"
        if b"\\x1b" not in done.stderr + done.stdout and table not in args:
            return f"{args}: the name is missing: {done}"
    return ""


def tar_of(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, text in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


def damage_is_said_by_both_commands(gpuwhy, folder):
    whole = trace(2000)
    members = [("rank0.json", whole), ("rank1.json", whole), ("rank2.json", "garbage")]
    nan = trace().replace('"ts": 0', '"ts": NaN').replace('"ts": 10', '"ts": NaN').replace('"ts": 20', '"ts": NaN')
    files = {
        "cut.json": (whole[:-5000].encode(), "cut"),
        "cut.json.gz": (gzip.compress(whole.encode())[:-20], "gzip"),
        "some.tar": (tar_of(members), "rank2.json: not recognised"),
        "cut.tar": (tar_of(members)[:len(whole) + 20_000], "archive is damaged"),
        "nan.json": (nan.encode(), "without a time"),
    }
    for name, (content, said) in files.items():
        path = folder / name
        path.write_bytes(content)
        text = run(gpuwhy, "trace", path)
        by_trace = [problem for file in json.loads(run(gpuwhy, "trace", path, "--format", "json").stdout)["files"]
                    for problem in file["problems"]]
        by_diagnose = json.loads(run(gpuwhy, "diagnose", "--from", path, "--format", "json").stdout)
        by_diagnose = by_diagnose["inputs"][0]["problems"]
        if not any(said in problem for problem in by_trace) and said != "cut":
            return f"{name}: trace does not say it: {by_trace}"
        if not by_trace or len(by_trace) != len(by_diagnose):
            return f"{name}: trace says {by_trace}, diagnose {by_diagnose}"
        if not all(any(one in other for other in by_diagnose) for one in by_trace):
            return f"{name}: trace says {by_trace}, diagnose {by_diagnose}"
        if b"Note: " not in text.stdout:
            return f"{name}: the text does not say it: {text}"
    return ""


def a_database_in_use_is_said(gpuwhy, folder):
    path = folder / "t.sqlite"
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId)")
    database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7)")
    if (done := run(gpuwhy, "trace", path)).returncode != 0 or b"Note: " in done.stdout:
        return f"quiet: {done}"
    database.execute("BEGIN EXCLUSIVE")
    if b"another program is writing to it" not in b" ".join(run(gpuwhy, "trace", path).stdout.split()):
        return "a lock is not said"
    database.execute("ROLLBACK")
    database.execute("PRAGMA journal_mode = wal")
    database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (3, 4, 0, 7)")
    before = sorted(os.listdir(folder))
    if b"what was written last is not read" not in b" ".join(run(gpuwhy, "trace", path).stdout.split()):
        return "a write-ahead log is not said"
    if sorted(os.listdir(folder)) != before:
        return "something was written beside the database"
    database.close()
    with open(path, "rb") as stdin:
        piped = subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE)
        done = run(gpuwhy, "diagnose", "--from", "-", stdin=piped.stdout)
        piped.stdout.close()
        piped.wait()
    return "" if done.returncode == 2 and b"from a pipe" in done.stderr else f"{done}"


def pipes_are_read_from_their_beginning(gpuwhy, folder):
    path = folder / "big.json"
    path.write_text(trace(5000))
    for source in ("-", "/dev/stdin"):
        with open(path, "rb") as stdin:
            piped = subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE)
            done = run(gpuwhy, "diagnose", "--from", source, stdin=piped.stdout)
            piped.stdout.close()
            piped.wait()
        if b"50 ms traced" not in done.stdout or done.stderr:
            return f"{source}: {done}"
    return ""


def endless_input_ends(gpuwhy, _folder):
    endless = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    done = run(gpuwhy, "diagnose", "--from", "-", stdin=endless.stdout)
    endless.stdout.close()
    endless.wait()
    return "" if done.returncode == 2 and b"larger than" in done.stderr else f"{done}"


def a_file_is_one_rank(gpuwhy, folder):
    path = folder / "e.json"
    path.write_text(trace())
    done = run(gpuwhy, "trace", path, f"{folder}/./e.json", "--format", "json")
    if len(json.loads(done.stdout)["files"]) != 1 or b"same file" not in done.stderr:
        return f"{done}"
    return ""


def quiet_is_two_lines(gpuwhy, folder):
    path = folder / "e.json"
    path.write_text(trace())
    done = run(gpuwhy, "trace", path, "--quiet")
    return "" if done.stdout.count(b"\n") == 2 else f"{done}"


def where_it_can_not_be_written_is_said(gpuwhy, folder):
    path = folder / "e.json"
    path.write_text(trace())
    os.mkfifo(folder / "fifo")
    for args, said in ((["trace", path, "--output", folder / "fifo"], b"nobody reads"),
                       (["trace", path, "--output", ""], b"name of a file"),
                       (["diagnose", "--policy", ""], b"name of a file")):
        done = run(gpuwhy, *args)
        if done.returncode != 2 or said not in done.stderr:
            return f"{args}: {done}"
    for option in ("--help", "--version"):
        with open("/dev/full", "wb") as full:
            done = run(gpuwhy, option, stdout=full)
        if done.returncode != 2 or b"No space left" not in done.stderr:
            return f"{option}: {done}"
    return ""


def main(gpuwhy):
    failed = 0
    for check in (inputs_are_never_overwritten, names_do_not_reach_the_terminal, damage_is_said_by_both_commands,
                  a_database_in_use_is_said, pipes_are_read_from_their_beginning, endless_input_ends,
                  a_file_is_one_rank, quiet_is_two_lines, where_it_can_not_be_written_is_said):
        with tempfile.TemporaryDirectory() as folder:
            problem = check(gpuwhy, pathlib.Path(folder))
        if problem:
            print(f"{check.__name__}: {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
