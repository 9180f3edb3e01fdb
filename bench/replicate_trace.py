#!/usr/bin/env python3
"""Makes a large trace from a small one: its events again and again, each time later, with correlation ids and
step numbers of their own. Usage: replicate_trace.py SOURCE TARGET MEGABYTES [pretty|indent|compact]
SOURCE is Chrome trace JSON, .gz or not. The layouts are PyTorch's own (the default), json.dump(indent=1)'s
and one line."""

import gzip
import json
import re
import sys

SHIFTED = re.compile(r'("ts": ?|"correlation": ?|"External id": ?|"id": ?)([0-9]+)')
STEP = re.compile(r"ProfilerStep#([0-9]+)")
IDS = 10_000_000
GAP_US = 100_000


def pretty(event):
    """PyTorch's layout: three lines an event, arguments on one a line."""
    head = {key: value for key, value in event.items() if key != "args"}
    text = "  {\n    " + json.dumps(head)[1:-1]
    if "args" in event:
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in event["args"].items()]
        text += ',\n    "args": {\n      ' + ",\n      ".join(lines) + "\n    }"
    return text + "\n  }"


def indent(event):
    return "\n".join("  " + line for line in json.dumps(event, indent=1).splitlines())


def compact(event):
    return json.dumps(event, separators=(",", ":"))


LAYOUTS = {"pretty": (pretty, ",\n"), "indent": (indent, ",\n"), "compact": (compact, ",")}


def read(path):
    opened = gzip.open(path, "rt", encoding="utf-8", errors="replace")
    if not path.endswith(".gz"):
        opened = open(path, encoding="utf-8", errors="replace")
    with opened as file:
        return json.load(file, strict=False)


def copy_of(body, number, span):
    if number == 0:
        return body

    def later(match):
        by = span if match.group(1).startswith('"ts"') else IDS
        return match.group(1) + str(int(match.group(2)) + by * number)

    shifted = SHIFTED.sub(later, body)
    return STEP.sub(lambda match: f"ProfilerStep#{int(match.group(1)) + 100 * number}", shifted)


def main(source, target, megabytes, layout="pretty"):
    trace = read(source)
    events = trace.pop("traceEvents")
    render, joint = LAYOUTS[layout]
    body = joint.join(render(event) for event in events)
    stamps = [float(event["ts"]) for event in events if "ts" in event]
    span = int(max(stamps) - min(stamps) + GAP_US)
    head = json.dumps(trace, indent=None if layout == "compact" else 1)
    left = int(megabytes) * 1_000_000
    with open(target, "w", encoding="utf-8") as file:
        file.write(head[:-1].rstrip() + (", " if trace else "") + '"traceEvents": [\n')
        number = 0
        while left > 0:
            text = (joint if number else "") + copy_of(body, number, span)
            left -= file.write(text)
            number += 1
        file.write("\n]}\n")
    print(f"{target}: {number} times {source}, {number * len(events)} events")


if __name__ == "__main__":
    if len(sys.argv) < 4 or (len(sys.argv) > 4 and sys.argv[4] not in LAYOUTS):
        sys.exit(__doc__)
    main(*sys.argv[1:])
