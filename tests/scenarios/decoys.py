#!/usr/bin/python3
"""Processes that look a little like a slow job and are none: what a search for the job must pass over.

    decoys.py --dir WRITABLE_FOLDER [--seconds 60] [--only NAME,NAME]

web     an idle web server (python3 -m http.server)
tail    tail -f FILE | grep x | cat, to which nothing is appended
pool    an idle multiprocessing pool
sleep   a shell loop that echoes and sleeps, piped into cat
spin    one process that uses a core (at the lowest priority)
sync    small sqlite transactions, each with its fsync, ten a second
"""
import argparse
import ctypes
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def shell(command):
    return subprocess.Popen(["/bin/sh", "-c", command], preexec_fn=end_with_parent,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def child(target, *args):
    def run():
        end_with_parent()
        target(*args)
    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    return process


def idle_pool():
    with multiprocessing.get_context("fork").Pool(3, initializer=end_with_parent):
        signal.pause()


def spin():
    os.nice(19)
    while True:
        pass


def transactions(folder):
    database = sqlite3.connect(os.path.join(folder, "decoy.db"))
    database.execute("create table if not exists row (at real)")
    while True:
        database.execute("insert into row values (?)", (time.time(),))
        database.commit()
        time.sleep(0.1)


def start(name, folder):
    if name == "web":
        return shell(f"exec /usr/bin/python3 -m http.server --bind 127.0.0.1 --directory '{folder}' 0")
    if name == "tail":
        path = os.path.join(folder, "decoy.log")
        with open(path, "w", encoding="ascii") as log:
            log.write("x\n")
        return shell(f"tail -f '{path}' | grep x | cat")
    if name == "sleep":
        return shell("while :; do echo tick; sleep 0.2; done | cat")
    targets = {"pool": (idle_pool,), "spin": (spin,), "sync": (transactions, folder)}
    return child(*targets[name])


ALL = ("web", "tail", "pool", "sleep", "spin", "sync")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default=",".join(ALL))
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        for name in options.only.split(","):
            start(name, options.dir)
        print("ready", flush=True)
        time.sleep(options.seconds)
    finally:
        # A group of our own was made by whoever started us; pipelines have no other common handle.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), signal.SIGTERM)
        os._exit(0)


if __name__ == "__main__":
    main()
