#!/usr/bin/python3
"""What /proc says of a job: an observer that shares no code with gpuwhy.

    probe.py --pid P [--duration 5] [--rate 20] [--json]

Follows P and its descendants, samples state, system call and wait channel of each thread (jittered,
so that no cycle of the job beats with it), takes run and run-queue time from schedstat and the
throttled periods from the cgroup, and prints shares. It decides nothing: it is how the truth of a
scenario is measured before gpuwhy is asked.
"""
import argparse
import collections
import json
import os
import random
import sys
import time

# x86-64; others are shown by number.
CALLS = {0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 7: "poll", 17: "pread64",
         23: "select", 34: "pause", 35: "nanosleep", 45: "recvfrom", 61: "wait4", 74: "fsync",
         75: "fdatasync", 202: "futex", 230: "clock_nanosleep", 232: "epoll_wait", 257: "openat",
         262: "newfstatat", 270: "pselect6", 271: "ppoll", 281: "epoll_pwait", 288: "accept4",
         332: "statx", 43: "accept", 247: "waitid"}


def read(path):
    """The text of a /proc file; None where it is gone or not ours to read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def stat_fields(path):
    """(state, ppid) of a stat file; the name in it may hold spaces and parentheses."""
    text = read(path)
    if text is None or ")" not in text:
        return None
    fields = text[text.rindex(")") + 2:].split()
    return fields[0], int(fields[1])


def tree(root):
    """root and its descendants."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := stat_fields(f"/proc/{name}/stat")):
            parents[int(name)] = fields[1]
    found, grew = {root}, True
    while grew:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found |= more
        grew = bool(more)
    return found


def threads(pid):
    try:
        return [int(tid) for tid in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def look(pid, tid):
    """One sample of a thread: "S openat request_wait_answer"."""
    base = f"/proc/{pid}/task/{tid}"
    fields = stat_fields(f"{base}/stat")
    if fields is None:
        return None
    call = read(f"{base}/syscall")
    channel = read(f"{base}/wchan")
    if call is None:
        name = "?"  # no right to read it
    elif call.startswith("running"):
        name = "running"
    else:
        number = int(call.split()[0])
        name = "fault" if number == -1 else CALLS.get(number, str(number))
    return f"{fields[0]} {name} {'?' if channel is None else channel or '0'}"


def schedstat(pid):
    """(run, run delay) in ns of all threads of a process."""
    run = delay = 0
    for tid in threads(pid):
        words = (read(f"/proc/{pid}/task/{tid}/schedstat") or "").split()
        if len(words) == 3:
            run += int(words[0])
            delay += int(words[1])
    return run, delay


def throttling(pid):
    """(nr_periods, nr_throttled) of the process's own v1 cpu cgroup, or of its v2 one; None: no quota there."""
    for line in (read(f"/proc/{pid}/cgroup") or "").splitlines():
        number, controllers, path = line.split(":", 2)
        if "cpu" in controllers.split(","):
            text = read(f"/sys/fs/cgroup/{controllers}{path}/cpu.stat")
        elif number == "0":
            text = read(f"/sys/fs/cgroup{path}/cpu.stat")
        else:
            continue
        values = dict(line.split() for line in (text or "").splitlines())
        if "nr_periods" in values:
            return int(values["nr_periods"]), int(values["nr_throttled"])
    return None


def voluntary_switches(pid):
    total = 0
    for tid in threads(pid):
        for line in (read(f"/proc/{pid}/task/{tid}/status") or "").splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


def host_busy():
    """(busy, total) ticks of all cores."""
    ticks = [int(word) for word in read("/proc/stat").splitlines()[0].split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def counters(pids):
    return {pid: (*schedstat(pid), voluntary_switches(pid)) for pid in pids}


def shares(counter):
    total = sum(counter.values())
    return {key: count / total for key, count in counter.most_common()}


def observe(root, duration, rate):
    """Samples the tree of root for duration seconds; returns a plain dict. `shares` is over all threads
    of a process, `main` over its first thread."""
    pids = sorted(tree(root))
    before, start = counters(pids), time.monotonic()
    quota, host = throttling(root), host_busy()
    samples = {pid: collections.Counter() for pid in pids}
    main = {pid: collections.Counter() for pid in pids}
    while time.monotonic() - start < duration:
        time.sleep(random.uniform(0.5, 1.5) / rate)
        for pid in pids:
            for tid in threads(pid):
                seen = look(pid, tid)
                if seen:
                    samples[pid][seen] += 1
                    if tid == pid:
                        main[pid][seen] += 1
    elapsed = time.monotonic() - start
    after, quota_after, host_after = counters(pids), throttling(root), host_busy()
    result = {"elapsed_s": elapsed, "processes": {}, "throttled_periods": None,
              "host_busy": (host_after[0] - host[0]) / max(1, host_after[1] - host[1])}
    if quota and quota_after and quota_after[0] > quota[0]:
        result["throttled_periods"] = [quota_after[1] - quota[1], quota_after[0] - quota[0]]
    for pid in pids:
        run, delay, switches = (new - old for new, old in zip(after[pid], before[pid]))
        result["processes"][pid] = {
            "name": (read(f"/proc/{pid}/comm") or "?").strip(), "run": run / elapsed / 1e9,
            "run_delay": delay / elapsed / 1e9, "switches_per_s": switches / elapsed,
            "shares": shares(samples[pid]), "main": shares(main[pid])}
    return result


def show(result):
    print(f"{result['elapsed_s']:.1f} s; host busy {result['host_busy']:.0%}; "
          f"throttled periods {result['throttled_periods']}")
    for pid, process in result["processes"].items():
        top = ", ".join(f"{key} {share:.0%}" for key, share in list(process["shares"].items())[:4])
        print(f"{pid} {process['name']}: run {process['run']:.1%}, run delay {process['run_delay']:.1%}, "
              f"{process['switches_per_s']:.0f} switches/s | {top}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--duration", type=float, default=5)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not os.path.exists(f"/proc/{options.pid}"):
        sys.exit(f"probe.py: no process {options.pid}")
    result = observe(options.pid, options.duration, options.rate)
    if options.json:
        json.dump(result, sys.stdout, indent=1)
    else:
        show(result)


if __name__ == "__main__":
    main()
