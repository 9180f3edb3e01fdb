#!/usr/bin/env python3
"""What a real job was given to work with: its environment and its own /dev/shm. Usage: check_given.py GPUWHY"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SECRET = "hf_do_not_keep_this"


@contextlib.contextmanager
def job(command, **variables):
    """A process group of its own, gone at the end."""
    child = subprocess.Popen(command, env={"PATH": os.environ["PATH"], "HF_TOKEN": SECRET, **variables},
                             start_new_session=True, stdout=subprocess.PIPE, text=True)
    try:
        if child.stdout.readline() != "ready\n":
            raise SystemExit("the job did not start")
        yield child.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def diagnose(gpuwhy, pid, file):
    done = subprocess.run([gpuwhy, "record", "--pid", str(pid), "--duration", "1s", "--format", "json", "-o", file],
                          capture_output=True, text=True, timeout=120)
    replay = subprocess.run([gpuwhy, "diagnose", "--from", file, "--format", "json"], capture_output=True, text=True,
                            timeout=120)
    live, replayed = json.loads(done.stdout), json.loads(replay.stdout)
    for key in ("verdict", "findings", "unknown"):
        if live[key] != replayed[key]:
            raise SystemExit(f"the replay says something else of {key}: {live[key]}\n{replayed[key]}")
    return live


def finding(result, identity):
    return next((one for one in result["findings"] if one["id"] == identity), None)


SLEEP = ["sh", "-c", "echo ready; sleep 60"]


def a_setting_of_the_environment_is_found(gpuwhy, folder):
    with job(SLEEP, CUDA_LAUNCH_BLOCKING="1", PYTORCH_NO_CUDA_MEMORY_CACHING="1") as pid:
        result = diagnose(gpuwhy, pid, folder / "set.gpuwhy")
    for identity in ("env.launch-blocking", "env.allocator"):
        one = finding(result, identity)
        if one is None:
            return f"not found: {identity}; {result['unknown']}"
        if not any(e["source"].endswith("/environ") for e in one["evidence"]):
            return f"{identity} does not say where it was read: {one['evidence']}"
    return ""


def a_setting_that_is_off_is_no_finding(gpuwhy, folder):
    with job(SLEEP, CUDA_LAUNCH_BLOCKING="0") as pid:
        result = diagnose(gpuwhy, pid, folder / "off.gpuwhy")
    return "" if finding(result, "env.launch-blocking") is None else "claimed of a setting that is off"


def nothing_else_of_the_environment_is_kept(gpuwhy, folder):
    file = folder / "secret.gpuwhy"
    with job(SLEEP, NCCL_DEBUG="INFO") as pid:
        result = diagnose(gpuwhy, pid, file)
    text = subprocess.run([gpuwhy, "diagnose", "--from", file, "-v"], capture_output=True, text=True, timeout=60).stdout
    # Frames may be compressed: what is looked for is what came out of them.
    kept = file.read_bytes()
    return "the token is kept" if SECRET in json.dumps(result) + text or SECRET.encode() in kept else ""


def with_shm(filled):
    """A job with a /dev/shm of 1 MiB of its own, of which so many KiB are used."""
    script = (f"mount -t tmpfs -o size=1m shm /dev/shm && head -c {filled}k /dev/zero > /dev/shm/batch; "
              "echo ready; sleep 60")
    return job(["unshare", "--mount", "sh", "-c", script])


def a_full_shm_of_the_job_is_found(gpuwhy, folder):
    with with_shm(1024) as pid:
        result = diagnose(gpuwhy, pid, folder / "full.gpuwhy")
    one = finding(result, "input.shm-small")
    if one is None:
        return f"not found; {[f['id'] for f in result['findings']]} {result['unknown']}"
    if f"/root/dev/shm" not in one["verify"]:
        return f"the command looks at another /dev/shm: {one['verify']}"
    return ""


def a_shm_with_room_is_no_finding(gpuwhy, folder):
    with with_shm(512) as pid:
        result = diagnose(gpuwhy, pid, folder / "half.gpuwhy")
    return "" if finding(result, "input.shm-small") is None else "claimed of a half-full /dev/shm"


def may_mount():
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


def main(gpuwhy):
    checks = [a_setting_of_the_environment_is_found, a_setting_that_is_off_is_no_finding,
              nothing_else_of_the_environment_is_kept]
    if may_mount():
        checks += [a_full_shm_of_the_job_is_found, a_shm_with_room_is_no_finding]
    else:
        print("skipped: /dev/shm of its own needs the right to mount")
    failed = 0
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            problem = check(gpuwhy, pathlib.Path(folder))
        if problem:
            print(f"{check.__name__}: {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
