#!/usr/bin/env python3
"""Closed descriptors and tight limits end in a result or an error, never in a crash or a damaged file.
Usage: check_surroundings.py GPUWHY"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading

STRANGER = 1_000_000_000  # plus a process id: nobody's number
# Less than a recording of an idle host (4 kB in 2 s), more than its beginning.
SMALL_FILE = 1024


def run(command, prepare=lambda: None, **streams):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(command, preexec_fn=prepare, timeout=60, **streams)


def closed_stderr_leaves_the_recording_whole(gpuwhy, folder):
    recording = folder / "closed.gpuwhy"
    # Verbose, so that there is something to say while the recording is open.
    run([gpuwhy, "record", "-v", "--duration", "500ms", "-o", recording], lambda: os.close(2), stderr=None)
    if b"looking for the job" in recording.read_bytes():
        return "what was said on stderr stands in the recording"
    return ""


def closed_stdout_is_an_error(gpuwhy, folder):
    done = run([gpuwhy, "record", "--duration", "500ms", "-o", folder / "no-stdout.gpuwhy"],
               lambda: os.close(1), stdout=None)
    return "" if done.returncode == 2 and b"standard output" in done.stderr else f"{done}"


def a_limit_on_the_file_size_is_an_error(gpuwhy, folder):
    done = run([gpuwhy, "record", "--duration", "2s", "-o", folder / "limited.gpuwhy"],
               lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, SMALL_FILE)))
    return "" if done.returncode == 2 and b"File too large" in done.stderr else f"{done}"


def without_threads_nothing_is_measured(gpuwhy, _folder):
    def prepare():
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        if os.geteuid() == 0:
            # A user without other processes: exec fails where he is over the limit before.
            os.setgid(STRANGER + os.getpid())
            os.setuid(STRANGER + os.getpid())

    try:
        # A leak checker needs a thread of its own, at the program's end.
        done = run(["env", "ASAN_OPTIONS=detect_leaks=0", gpuwhy, "diagnose", "--duration", "500ms"], prepare)
    except PermissionError:  # this user can't reach the program: nothing to see here
        return ""
    return "" if done.returncode == 3 else f"{done}"


def refuses(gpuwhy, pid, text):
    done = run([gpuwhy, "diagnose", "--pid", str(pid), "--duration", "500ms"])
    return "" if done.returncode == 2 and text in done.stderr else f"{done}"


def a_zombie_is_refused(gpuwhy, _folder):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    try:
        return refuses(gpuwhy, child, b"has ended")
    finally:
        os.waitpid(child, 0)


def a_threads_id_is_refused(gpuwhy, _folder):
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        return refuses(gpuwhy, thread.native_id, f"thread of process {os.getpid()}".encode())
    finally:
        ended.set()
        thread.join()


def main(gpuwhy):
    failed = 0
    for check in (closed_stderr_leaves_the_recording_whole, closed_stdout_is_an_error,
                  a_limit_on_the_file_size_is_an_error, without_threads_nothing_is_measured,
                  a_zombie_is_refused, a_threads_id_is_refused):
        with tempfile.TemporaryDirectory() as folder:
            problem = check(gpuwhy, pathlib.Path(folder))
        if problem:
            print(f"{check.__name__}: {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
