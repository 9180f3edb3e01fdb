#!/usr/bin/env python3
"""Hosts that hide things, and a disk that is full: each in a mount namespace of its own, so that it needs root.
Usage: check_hidden.py GPUWHY"""

import json
import os
import subprocess
import sys

STRANGER = 1_000_000_000  # plus a process id: nobody's number


def inside(script, *arguments):
    """Runs a shell script in a mount namespace of its own; its arguments are $1 and so on."""
    return subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", *map(str, arguments)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def a_full_disk_ends_the_recording_with_an_error(gpuwhy):
    """Nothing fits: how much a recording takes depends on the host. That what fits stays readable is the codec's test."""
    script = """mount -t tmpfs -o size=16k small /mnt || exit 77
head -c 16k /dev/zero > /mnt/ballast
"$1" record --duration 1s -o /mnt/full.gpuwhy > /dev/null; echo "record $?"
"""
    done = inside(script, gpuwhy)
    if done.returncode == 77:
        return "", "no tmpfs may be mounted here"
    said = "record 2" in done.stdout and "No space left on device" in done.stderr
    return ("", "") if said else (f"{done.stdout} {done.stderr}", "")


def without_sys_it_says_what_is_missing(gpuwhy):
    done = inside("""mount -t tmpfs empty /sys || exit 77
"$1" diagnose --duration 1s --format json; echo "exit $?" >&2""", gpuwhy)
    if done.returncode == 77 or "exit 77" in done.stderr:
        return "", "no tmpfs may be mounted here"
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return f"no JSON: {done.stdout[:300]} {done.stderr}", ""
    gpus = [one for one in result["findings"] if one["id"].startswith(("gpu.", "pcie."))]
    return (f"claimed without /sys: {gpus}", "") if gpus else ("", "")


def hidden_processes_are_said(gpuwhy):
    """hidepid=2: an ordinary user sees no process but its own, and no job of another."""
    script = """mount -t proc -o hidepid=2 proc /proc || exit 77
sleep 60 > /dev/null 2>&1 & job=$!
setpriv --reuid "$2" --regid "$2" --clear-groups "$1" diagnose --duration 1500ms --format json; code=$?
kill $job; exit $code"""
    done = inside(script, gpuwhy, STRANGER + os.getpid())
    if done.returncode in (77, 126, 127):
        return "", f"no proc may be mounted, or that user can't run it: {done.stderr.strip()[:120]}"
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return f"exit {done.returncode}: {done.stdout[:300]} {done.stderr}", ""
    said = " ".join(one["what"] + " " + one["why"] for one in result["unknown"])
    if result["verdict"]["finding"] is not None:
        return f"a verdict of what can't be seen: {result['verdict']}", ""
    return ("", "") if "hidepid" in said else (f"that processes are hidden is not said: {said}", "")


def main(gpuwhy):
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        print("skipped: needs the right to mount")
        return 77
    failed = 0
    for check in (a_full_disk_ends_the_recording_with_an_error, without_sys_it_says_what_is_missing,
                  hidden_processes_are_said):
        problem, skipped = check(gpuwhy)
        if skipped:
            print(f"{check.__name__}: skipped: {skipped}")
        if problem:
            print(f"{check.__name__}: {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
