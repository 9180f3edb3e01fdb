#!/usr/bin/env python3
"""Damaged traces and summaries, through the whole program: never a signal, a message that names the file wherever the
exit code says that something could not be read, and memory that does not follow what a length or a count promises.
Usage: check_damage.py GPUWHY XPLANE_SEED TRACE..."""

import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

MOST_KIB = 512 * 1024  # of one run; the inputs are under 100 KiB


def variants(data, seed):
    """Cut at many places, single bytes flipped, pieces doubled or taken out, and promises of more than there is."""
    source = random.Random(seed)
    size = len(data)
    for at in sorted({0, 1, 2, size - 1, *(size * i // 12 for i in range(12))}):
        yield f"cut at {at}", data[:at]
    for _ in range(16):
        at = source.randrange(size)
        yield f"flipped at {at}", data[:at] + bytes([data[at] ^ (1 << source.randrange(8))]) + data[at + 1:]
    for _ in range(4):
        a, b = sorted((source.randrange(size), source.randrange(size)))
        yield f"without {a}..{b}", data[:a] + data[b:]
        yield f"{a}..{b} twice", data[:b] + data[a:]
    for at in (1, size // 3):
        yield f"a length of 2^35 at {at}", data[:at] + b"\xff\xff\xff\xff\x7f" + data[at:]
    yield "zeros behind", data + bytes(4096)
    yield "nines", data.replace(b"1", b"99999999999999999999")


def main(gpuwhy, xplane, *traces):
    folder = pathlib.Path(tempfile.mkdtemp())
    summary = subprocess.run([gpuwhy, "trace", "--summary", *traces], capture_output=True, check=True).stdout
    inputs = [("plane.xplane.pb", pathlib.Path(xplane).read_bytes(), []), ("sum.json", summary, ["--merge"]),
              ("trace.json", pathlib.Path(traces[0]).read_bytes(), [])]
    wrong, runs = [], 0
    for name, data, options in inputs:
        path = folder / name
        for what, damaged in variants(data, name):
            path.write_bytes(damaged)
            run = subprocess.run([gpuwhy, "trace", *options, path], capture_output=True, timeout=60)
            runs += 1
            said = run.stderr.decode("utf-8", "replace")
            if run.returncode not in (0, 2, 3):
                wrong.append(f"{name}, {what}: exit code {run.returncode}: {said}")
            elif run.returncode == 2 and (str(path) not in said or run.stdout):
                wrong.append(f"{name}, {what}: refused without its name, or with a report: {said}")
            elif run.returncode == 2 and what.startswith("cut") and damaged[2:] and f"{path}@" not in said \
                    and "not recognised" not in said:
                wrong.append(f"{name}, {what}: cut, and it is not said where: {said}")
        path.unlink()
    folder.rmdir()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if "ASAN_OPTIONS" not in os.environ and "TSAN_OPTIONS" not in os.environ and peak > MOST_KIB:
        wrong.append(f"a run took {peak} KiB")
    print("\n".join(wrong[:20]))
    print(f"{runs} damaged files, {len(wrong)} wrong; peak {peak} KiB")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
