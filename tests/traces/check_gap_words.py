#!/usr/bin/env python3
"""One report has one word for one wait: the parts, the longest waits, the finding and the answer, as text and as JSON.
Usage: check_gap_words.py GPUWHY"""

import json
import pathlib
import subprocess
import sys
import tempfile

OWN = "host's own work"
LONG = "long events of its own"
DOUBT = "does not say why"
UNEXPLAINED = "waits, unexplained"


def event(cat, name, ts, dur, **args):
    lane = {"pid": 0, "tid": 7} if cat == "kernel" else {"pid": 1, "tid": 1}
    return {"ph": "X", "cat": cat, "name": name, "ts": ts, "dur": dur, "args": args, **lane}


def trace(between):
    """Eight steps of 10 ms: 1 ms of work, then 8 ms of what `between` says that the host does."""
    events = []
    for i in range(8):
        at = 10_000 * i
        events.append(event("user_annotation", f"ProfilerStep#{i}", at, 10_000))
        for n, start in ((0, at), (1, at + 9_500)):
            events.append(event("cuda_runtime", "cudaLaunchKernel", start, 5, correlation=2 * i + n + 1))
            events.append(event("kernel", "work", start + 10, 480, device=0, stream=7, correlation=2 * i + n + 1))
        if between:
            events.append(event(between[0], between[1], at + 490, 9_000))
    return {"schemaVersion": 1, "traceEvents": events}


def report(gpuwhy, path):
    command = [gpuwhy, "trace", "--no-color"]
    text = subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout
    as_json = subprocess.run([*command, "--format", "json", path], capture_output=True, text=True, check=True).stdout
    text = " ".join(text.split())
    # Short gaps are the host's own in all cases, and a line of the parts says so.
    waits = text[text.index("Longest waits"):text.index("Work on the device")]
    return text, waits, json.loads(as_json)


def main(gpuwhy):
    cases = {
        "nothing recorded": (None, "unexplained", [UNEXPLAINED, DOUBT], [OWN, LONG]),
        "one long event": (("cpu_op", "aten::mm"), "host", [OWN, LONG], [UNEXPLAINED, DOUBT]),
        "one function": (("python_function", "train.py(7): log"), "host", [OWN, LONG, "train.py(7): log"],
                         [UNEXPLAINED, DOUBT]),
    }
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (between, cause, said, unsaid) in cases.items():
            path = pathlib.Path(folder) / "trace.json"
            path.write_text(json.dumps(trace(between)), encoding="utf-8")
            text, waits, whole = report(gpuwhy, path)
            failed += [f"{name}: not said: {words!r}" for words in said if words not in text]
            failed += [f"{name}: said: {words!r}" for words in unsaid
                       if words in (waits if words == OWN else text)]
            causes = {gap["cause"] for gap in whole["files"][0]["gaps"] if gap["dur_ns"] > 5_000_000}
            if causes != {cause}:
                failed.append(f"{name}: causes {causes}")
            parts = whole["files"][0]["whole"]["parts_ns"]
            other = "host" if cause == "unexplained" else "unexplained"
            if parts[cause] < 60_000_000 or parts[other] > 1_000_000:
                failed.append(f"{name}: {parts}")
            if failed:
                print(text)
                break
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
