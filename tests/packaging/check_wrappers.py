#!/usr/bin/env python3
"""The wrappers of packaging/ with a gpuwhy and a scontrol that say what a test wants and note how they were called.
Usage: check_wrappers.py PACKAGING_FOLDER"""

import os
import pathlib
import subprocess
import sys
import tempfile

ANSWER = "Uncorrectable memory error on GPU-1: \"drain\" the node; $(touch x) `id`\nsecond line"


class Rig:
    def __init__(self, packaging, folder):
        self.packaging, self.folder = pathlib.Path(packaging).resolve(), pathlib.Path(folder)
        self.calls = self.folder / "calls"

    def program(self, name, body):
        file = self.folder / name
        file.write_text(f'#!/bin/sh\nprintf "%s" "{name}" >> {self.calls}\nfor one in "$@"; do printf "|%s" "$one" '
                        f'>> {self.calls}; done\necho >> {self.calls}\n{body}\n')
        file.chmod(0o755)

    def run(self, wrapper, code, *arguments, node="State=IDLE", **variables):
        """Exit code, calls, stderr of the wrapper where gpuwhy ends with this code."""
        self.calls.write_text("")
        (self.folder / "answer").write_text(ANSWER)
        self.program("gpuwhy", f"cat {self.folder}/answer\nexit {code}")
        self.program("scontrol", f'[ "$1" = --oneliner ] && echo "NodeName=n1 {node} CPUTot=8"\nexit 0')
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}", "SLURMD_NODENAME": "n1", **variables}
        done = subprocess.run([self.packaging / wrapper, *arguments], env=environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        return done.returncode, self.calls.read_text().splitlines(), done.stderr


def the_prolog_fails_for_a_drain_alone(rig):
    wrong = []
    for code, expected in ((0, 0), (1, 1), (2, 0), (3, 0), (137, 0)):
        got, _, stderr = rig.run("slurm-prolog", code)
        if got != expected:
            wrong.append(f"{code}: exit {got} instead of {expected}")
        said = "Uncorrectable" in stderr
        if said != (code not in (0, 3)):
            wrong.append(f"{code}: stderr {stderr!r}")
    _, calls, _ = rig.run("slurm-prolog", 0, GPUWHY_CHECK="--policy /etc/site.toml")
    if calls != ["gpuwhy|check|--quiet|--no-color|--policy|/etc/site.toml"]:
        wrong.append(f"called as {calls}")
    return "; ".join(wrong)


def a_prolog_without_the_program_starts_the_job(rig):
    code, _, stderr = rig.run("slurm-prolog", 0, GPUWHY="/nowhere/gpuwhy")
    return "" if code == 0 and "127" in stderr else f"exit {code}: {stderr}"


def the_health_check_drains_for_a_drain_alone(rig):
    wrong = []
    for code in (0, 2, 3):
        got, calls, _ = rig.run("slurm-health-check", code)
        if got != 0 or any(call.startswith("scontrol") for call in calls):
            wrong.append(f"{code}: exit {got}, {calls}")
    _, calls, _ = rig.run("slurm-health-check", 1)
    updates = [call for call in calls if call.startswith("scontrol|update")]
    if len(updates) != 1 or "|NodeName=n1|State=DRAIN|Reason=gpuwhy: Uncorrectable memory error" not in updates[0]:
        wrong.append(f"1: {calls}")
    elif set(updates[0]) & set("$`\"'\\"):
        wrong.append(f"the reason has what a shell would run: {updates}")
    return "; ".join(wrong)


def a_node_that_is_drained_keeps_its_reason(rig):
    wrong = []
    for state in ("State=IDLE+DRAIN", "State=MIXED+DRAIN", "State=DOWN*"):
        _, calls, _ = rig.run("slurm-health-check", 1, node=state)
        if any("update" in call for call in calls):
            wrong.append(f"{state}: {calls}")
    return "; ".join(wrong)


def the_probe_is_sound_where_nothing_was_measured(rig):
    wrong = []
    for code, expected in ((0, 0), (1, 1), (2, 2), (3, 0)):
        got, _, _ = rig.run("exec-probe", code)
        if got != expected:
            wrong.append(f"{code}: exit {got}")
    _, calls, _ = rig.run("exec-probe", 0, "--deadline", "5s")
    if calls != ["gpuwhy|check|--quiet|--no-color|--deadline|5s"]:
        wrong.append(f"called as {calls}")
    return "; ".join(wrong)


def main(packaging):
    failed = 0
    for check in (the_prolog_fails_for_a_drain_alone, a_prolog_without_the_program_starts_the_job,
                  the_health_check_drains_for_a_drain_alone, a_node_that_is_drained_keeps_its_reason,
                  the_probe_is_sound_where_nothing_was_measured):
        with tempfile.TemporaryDirectory() as folder:
            problem = check(Rig(packaging, folder))
        if problem:
            print(f"{check.__name__}: {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
