#!/usr/bin/env python3
"""Lists the tests that a run did not do, with the reason that each gave. Usage:
skipped_tests.py JUNIT.xml... (what ctest --output-junit wrote; the stage is the folder's name)"""

import pathlib
import sys
import xml.etree.ElementTree as xml


def reason_of(output):
    """GoogleTest: the line after "file:line: Skipped". Scripts: the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for number, line in enumerate(lines[:-1]):
        if line.endswith(": Skipped"):
            return lines[number + 1]
    return lines[-1] if lines else "no reason given"


def main(reports):
    skipped, ran = {}, 0
    for report in map(pathlib.Path, reports):
        if not report.exists():
            continue
        for case in xml.parse(report).getroot().iter("testcase"):
            if case.get("status") == "run":
                ran += 1
            elif case.get("status") != "fail":
                reason = reason_of(case.findtext("system-out") or "")
                stages = skipped.setdefault((reason, case.get("name")), [])
                stages.append(report.parent.name)
    previous = None
    for (reason, name), stages in sorted(skipped.items()):
        if reason != previous:
            print(f"  {reason}")
        previous = reason
        print(f"    {name} ({', '.join(stages)})")
    if not skipped:
        print("  none")
    count = sum(map(len, skipped.values()))
    print(f"{ran} test runs passed, {count} skipped, over {len(reports)} builds")


if __name__ == "__main__":
    main(sys.argv[1:])
