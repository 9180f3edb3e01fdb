#!/usr/bin/env python3
"""Times `gpuwhy trace` against another program on the same files, one after the other in turns, so that a busy
machine slows down both. Usage: trace_pairs.py GPUWHY OTHER ROUNDS FILE...
OTHER is a command that takes the file as its last argument; - for none. Prints for each file the medians of
wall time, processor time and peak memory, and the median ratio of the wall times of a pair."""

import os
import shlex
import statistics
import subprocess
import sys
import time


def run(command):
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def line(name, runs):
    wall, cpu, memory = (statistics.median(run[i] for run in runs) for i in range(3))
    return f"  {name:<8} {wall:8.3f} s wall  {cpu:8.3f} s cpu  {memory:8.1f} MiB"


def main(gpuwhy, other, rounds, files):
    for file in files:
        ours, theirs = [], []
        for _ in range(int(rounds)):
            ours.append(run([gpuwhy, "trace", "--quiet", "--output", os.devnull, file]))
            if other != "-":
                theirs.append(run(shlex.split(other) + [file]))
        print(f"{file} ({os.path.getsize(file) / 1e6:.1f} MB)")
        print(line("gpuwhy", ours))
        if theirs:
            print(line("other", theirs))
            ratio = statistics.median(a[0] / b[0] for a, b in zip(ours, theirs))
            cpu = statistics.median(a[1] / b[1] for a, b in zip(ours, theirs))
            print(f"  ratio    {ratio:8.2f} wall    {cpu:8.2f} cpu")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
