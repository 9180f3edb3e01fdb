#!/usr/bin/env python3
"""What the whole program needs for large and usual inputs: time, speed, peak memory, and how far that is from what
nothing can beat, reading the file and looking for the ends of its lines. Usage: paste_speed.py GPUWHY [FOLDER]
Inputs are made up, the same in every run, and written to FOLDER (default: a temporary one that is removed).
The goals are for a quiet machine: 100 MB of a training log in 1 s, nvidia-smi -q of eight devices in 2 ms of
reading (bench_paste measures that without the program's start), 1 GB of noise refused in 2 s."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

MB = 1_000_000


def write_blocks(path, size, block):
    """block(n) gives the n-th part of the text; parts are repeated where a file needs more than 64."""
    parts = [block(number) for number in range(64)]
    with open(path, "wb") as file:
        written = number = 0
        while written < size:
            written += file.write(parts[number % len(parts)])
            number += 1


def training_block(number):
    numbers = random.Random(number)
    lines = []
    for at in range(4000):
        step = number * 4000 + at
        lines.append(f"2026-02-03 {step // 3600 % 24:02}:{step // 60 % 60:02}:{step % 60:02},{step % 1000:03} - trainer - INFO - "
                     f"Epoch [{step // 5000}][{step % 5000}/5000]  lr: 1.000e-04, eta: 2 days, 3:04:05, "
                     f"time: {0.42 + 0.05 * numbers.random():.3f}, data_time: {0.01 + 0.01 * numbers.random():.3f}, memory: 10233, "
                     f"loss_cls: {numbers.random():.4f}, loss_box: {numbers.random():.4f}, loss: {numbers.random():.4f}\n")
    return "".join(lines).encode()


def noise_block(number):
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    table = bytes(letters[byte % 64] for byte in range(256))
    bytes_ = random.Random(number).randbytes(2 << 20).translate(table)
    return b"\n".join(bytes_[at:at + 120] for at in range(0, len(bytes_), 120)) + b"\n"


def csv_block(number):
    head = (b"timestamp, index, utilization.gpu [%], utilization.memory [%], power.draw [W], temperature.gpu\n"
            if number == 0 else b"")
    numbers = random.Random(number)
    return head + b"".join(b"2026/02/03 10:%02d:%02d.123, %d, %d %%, 40 %%, %d.10 W, 61\n"
                           % (row // 480 % 60, row // 8 % 60, row % 8, numbers.randrange(100), 100 + numbers.randrange(200))
                           for row in range(8000))


INPUTS = (("training log, 100 MB", 100 * MB, training_block), ("noise, 100 MB", 100 * MB, noise_block),
          ("nvidia-smi csv, 100 MB", 100 * MB, csv_block), ("noise, 1 GB", 1000 * MB, noise_block))


def limit(path):
    """Seconds to read the file, whose pages are in memory, and to find the ends of its lines."""
    start = time.perf_counter()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            part.count(b"\n")
    return time.perf_counter() - start


def run(gpuwhy, path):
    start = time.perf_counter()
    child = subprocess.Popen([gpuwhy, "diagnose", "--from", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(gpuwhy, folder=None):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(folder or temporary)
        print(f"{'input':24} {'wall s':>8} {'cpu s':>8} {'MB/s':>8} {'peak MiB':>9} {'limit s':>8} {'x limit':>8}")
        for name, size, block in INPUTS:
            path = folder / (name.replace(",", "").replace(" ", "_") + ".txt")
            if not path.exists():
                write_blocks(path, size, block)
            least = limit(path)
            wall, cpu, peak = run(gpuwhy, path)
            print(f"{name:24} {wall:8.2f} {cpu:8.2f} {size / MB / cpu:8.0f} {peak:9.0f} {least:8.3f} {cpu / least:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
