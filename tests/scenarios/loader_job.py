#!/usr/bin/python3
"""loader_job with Python's own parts: worker processes, a multiprocessing queue, a consumer.

    loader_job.py --data DIR [--workers 4] [--queue queue|simple] [--pin-thread] [--decode-us CPU]
                  [--consume-us SLEEP] [--batch 32] [--items 0] [--seconds 60] [--shuffle] [--seed 1]
    loader_job.py --server [--workers 4]     a pool that waits for requests on a socket

--pin-thread puts a thread between the queue and the main loop, as frameworks do that copy into
pinned memory: the main thread then sleeps on a lock of its own process.
"""
import argparse
import ctypes
import multiprocessing
import os
import queue
import random
import selectors
import signal
import socket
import sys
import threading
import time
import zlib

PR_SET_PDEATHSIG = 1
ITEM_BYTES = 4000
READ_BYTES = 65536


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def compute(data, cpu_us):
    """Checksums until that much CPU time of this thread is used."""
    end = time.thread_time() + cpu_us * 1e-6
    total = zlib.adler32(data)
    while time.thread_time() < end:
        total = zlib.adler32(data[:262144], total)
    return total


def read_file(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        left = os.fstat(fd).st_size
        parts = []
        while left > 0 and (part := os.read(fd, min(left, READ_BYTES))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(fd)


def load(options, files, worker, items):
    end_with_parent()
    chance = random.Random(options.seed * 1000 + worker)
    while True:
        if options.shuffle:
            chance.shuffle(files)
        for path in files[worker::options.workers]:
            data = read_file(path)
            items.put((compute(data, options.decode_us), data[:ITEM_BYTES]))


def answer(requests):
    end_with_parent()
    while True:
        compute(requests.get(), 1000)


def pin(items, pinned):
    """The loop of a pin-memory thread: poll the workers' queue, hand on to the main thread."""
    while True:
        try:
            item = items.get(timeout=5) if hasattr(items, "get_nowait") else items.get()
        except queue.Empty:
            continue
        pinned.put((item[0], bytearray(item[1])))


def take(items):
    while True:
        try:
            return items.get(timeout=5)
        except queue.Empty:
            continue


def consume(options, items):
    end, step_start, taken = time.monotonic() + options.seconds, time.monotonic(), 0
    while time.monotonic() < end and (options.items == 0 or taken < options.items):
        take(items) if hasattr(items, "get_nowait") else items.get()
        if options.consume_us:
            time.sleep(options.consume_us * 1e-6)
        taken += 1
        if taken % options.batch == 0:
            now = time.monotonic()
            print(f"step {taken // options.batch - 1}: {now - step_start:.3f} s", flush=True)
            step_start = now
    print(f"items {taken}", flush=True)


def serve(requests):
    listener = socket.create_server(("127.0.0.1", 0))
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        while True:
            selector.select()
            connection, _ = listener.accept()
            connection.close()
            requests.put(b"x" * ITEM_BYTES)


def files_below(folder):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data")
    for name, default in (("workers", 4), ("batch", 32), ("items", 0), ("seconds", 60), ("seed", 1),
                          ("decode-us", 0), ("consume-us", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--queue", choices=("queue", "simple"), default="queue")
    for flag in ("shuffle", "server", "pin-thread"):
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    if not options.data and not options.server:
        parser.error("--data or --server is needed")
    return options


def main():
    options = parse()
    # fork: what Linux frameworks use by default, and no helper process stands between us and the workers.
    context = multiprocessing.get_context("fork")
    items = context.SimpleQueue() if options.queue == "simple" else context.Queue(2 * options.workers)
    if options.server:
        workers = [(answer, (items,))] * options.workers
    else:
        files = files_below(options.data)
        if not files:
            sys.exit(f"loader_job.py: no files in {options.data}")
        workers = [(load, (options, files, worker, items)) for worker in range(options.workers)]
    processes = [context.Process(target=target, args=args, daemon=True) for target, args in workers]
    for process in processes:
        process.start()
    if options.server:
        serve(items)
    if options.pin_thread:
        pinned = queue.Queue(2)
        threading.Thread(target=pin, args=(items, pinned), daemon=True).start()
        items = pinned
    consume(options, items)
    for process in processes:
        process.kill()
    os._exit(0)  # no join of feeder threads: the workers are gone


if __name__ == "__main__":
    main()
