#!/usr/bin/env python3
"""A recording replayed says what was said live. Usage: check_live_is_replay.py GPUWHY"""

import json
import pathlib
import subprocess
import sys
import tempfile


def diagnosis(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise SystemExit(f"{command}: exit {done.returncode}, no JSON; stderr: {done.stderr}")


def without_origin(result):
    kept = {key: value for key, value in result.items() if key != "inputs"}
    return {**kept, "source": {**result["source"], "kind": None}}


def main(gpuwhy):
    with tempfile.TemporaryDirectory() as folder:
        recording = str(pathlib.Path(folder) / "host.gpuwhy")
        live = diagnosis(gpuwhy, "record", "-o", recording, "--duration", "2", "--format", "json")
        replayed = diagnosis(gpuwhy, "diagnose", "--from", recording, "--format", "json")
        with open(recording, "rb") as file:
            whole = file.read()
        cut = pathlib.Path(folder) / "cut.gpuwhy"
        cut.write_bytes(whole[:len(whole) * 2 // 3])
        of_cut = diagnosis(gpuwhy, "diagnose", "--from", str(cut), "--format", "json")
    wrong = [key for key in live if without_origin(live).get(key) != without_origin(replayed).get(key)]
    for key in wrong:
        print(f"{key}: live {live[key]}\n  replayed {replayed[key]}")
    if live["source"]["kind"] != "live" or replayed["source"]["kind"] != "recording":
        wrong.append("source.kind")
    if not of_cut["inputs"][0]["problems"]:
        wrong.append("a cut recording must say so")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
