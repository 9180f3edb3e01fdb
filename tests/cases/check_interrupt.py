#!/usr/bin/env python3
"""SIGINT ends the watching, not the tool: what was seen is reported. Usage: check_interrupt.py GPUWHY"""

import json
import signal
import subprocess
import sys


def main(gpuwhy):
    command = [gpuwhy, "diagnose", "--duration", "1h", "--format", "json", "--verbose"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tool:
        said = tool.stderr.readline()
        if "..." not in said:
            print(f"expected a line on what is being done, got: {said}")
            return 1
        tool.send_signal(signal.SIGINT)
        out, err = tool.communicate(timeout=60)
    if tool.returncode not in (0, 1, 3):
        print(f"exit code {tool.returncode}; stderr: {err}")
        return 1
    return 0 if json.loads(out)["source"]["duration_s"] < 3000 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
