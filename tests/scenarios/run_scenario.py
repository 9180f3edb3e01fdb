#!/usr/bin/python3
"""Runs one scenario: a real job with a real fault, gpuwhy beside it, its answer against the expected one.

    run_scenario.py SCENARIO.toml --build BUILD_FOLDER [--probe] [--anyway] [--keep]

--probe runs probe.py in place of gpuwhy and checks [truth]: is the fault what the scenario claims?
--anyway runs on a busy host too: for a look, what it says of CPU is not to be trusted.
--keep leaves what was answered in BUILD_FOLDER/answers (always done where something is wrong).
Exit codes: 0 as expected; 1 not; 77 skipped, with the reason printed. GPUWHY_SCENARIOS_MUST_RUN=1
makes a failure of every skip. The keys of a scenario are described in README.md.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import tomllib

import expectation
import probe
import rig as rigs
from rig import Skip

SKIPPED = 77
TOOL_TIME_LIMIT_S = 60
# The scenario must get this share of the cores when it wants them, before and after: less, and the
# answer is no longer the one argued for.
DEFAULT_CORES_GIVEN = 0.75
WAIT_FOR_QUIET_S = 10


def wait_for_cores(least):
    end = time.monotonic() + WAIT_FOR_QUIET_S
    while (given := rigs.cores_given()) < least:
        if time.monotonic() > end:
            raise Skip(f"host too busy: it gives {given:.0%} of its cores, {least:.0%} are needed")
        time.sleep(1)


def wait_for_quiet(most):
    """Where others could be taken for the job: they may use that share of the cores at most."""
    end = time.monotonic() + WAIT_FOR_QUIET_S
    while True:
        bystanders = rigs.Bystanders()
        time.sleep(1)
        if (share := bystanders.share()) <= most:
            return
        if time.monotonic() > end:
            raise Skip(f"host too busy: others use {share:.0%} of its cores, {most:.0%} at most are allowed")


class Scenario:
    def __init__(self, name, plan, build, anyway=False):
        self.plan = plan
        self.name = name
        self.build = build
        self.answers = build / "answers"
        self.binaries = (build / "tests" / "scenarios").resolve()
        self.gpuwhy = build / "gpuwhy"
        self.anyway = anyway
        self.rig = None
        self.job = None

    def set_up(self):
        if os.geteuid() != 0:
            raise Skip("needs root: it mounts, makes cgroups and changes users")
        # Below the build's own folder for tests, so that a scenario never leaves the tree.
        self.rig = rigs.Rig(self.name, self.binaries, self.binaries)
        self.rig.take_shelter()
        self.wait_for_host()
        plan, rig = self.plan, self.rig
        if "files" in plan:
            rig.make_files(**plan["files"])
        if "slow_fs" in plan:
            rig.mount_slow_fs(plan["slow_fs"])
        cgroups = self._make_cgroups()
        if plan.get("drop_caches"):
            rig.drop_caches()
        if "decoys" in plan:
            self._start_decoys(plan["decoys"])
        if "job" in plan:
            self._start_job(plan["job"], cgroups)
        time.sleep(plan.get("settle_s", 1.5))
        if self.job and self.job.poll() is not None:
            raise RuntimeError(f"the job ended at once: {(rig.work / 'job.log').read_text()[-500:]}")

    def wait_for_host(self):
        if not self.anyway:
            wait_for_cores(self.plan.get("cores_given", DEFAULT_CORES_GIVEN))
            if "bystanders" in self.plan:
                wait_for_quiet(self.plan["bystanders"])

    def disturbed(self, share):
        """Why what was seen does not count, given the share of the cores that others used; or None."""
        given = rigs.cores_given()
        print(f"others used {share:.0%} of the cores meanwhile; it gives {given:.0%} of them now", flush=True)
        if self.anyway:
            return None
        if given < self.plan.get("cores_given", DEFAULT_CORES_GIVEN):
            return f"disturbed: the host gives {given:.0%} of its cores"
        if share > self.plan.get("bystanders", 1):
            return f"disturbed: others used {share:.0%} of the cores"
        return None

    def _make_cgroups(self):
        plan, made = self.plan, []
        if "quota" in plan:
            made.append(self.rig.make_cgroup("cpu", "_quota"))
            made[-1].limit_cpu(plan["quota"]["cores"])
        if "io_limit" in plan:
            made.append(self.rig.make_cgroup("blkio", "_limit"))
            made[-1].limit_reads(self.rig.disk(), plan["io_limit"]["read_iops"])
        if "competitors" in plan:
            # Sessions are scheduled as groups of their own (sched_autogroup): explicit cgroups on both
            # sides make the shares certain.
            made.append(self.rig.make_cgroup("cpu", "_job"))
            others = self.rig.make_cgroup("cpu", "_others")
            for _ in range(plan["competitors"]["per_core"] * len(os.sched_getaffinity(0))):
                self.rig.start(["/bin/sh", "-c", "while :; do :; done"], cgroups=[others])
        return made

    def _start_decoys(self, decoys):
        folder = self.rig.work / "decoys"
        folder.mkdir()
        log = self.rig.work / "decoys.log"
        command = [str(rigs.HERE / "decoys.py"), "--dir", str(folder), "--seconds", "80"]
        if "only" in decoys:
            command += ["--only", ",".join(decoys["only"])]
        process = self.rig.start(["/usr/bin/python3", *command], output=log)
        for _ in range(100):
            if "ready" in log.read_text():
                return
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"decoys did not start: {log.read_text()[-500:]}")

    def _start_job(self, job, cgroups):
        where = self.rig.mount if "slow_fs" in self.plan else self.rig.data
        cores = len(os.sched_getaffinity(0))
        words = [word.format(data=where, cores=cores, twice=2 * cores, eightfold=8 * cores)
                 for word in job["command"]]
        program = {"loader_job": [str(self.binaries / "loader_job")],
                   "loader_job.py": ["/usr/bin/python3", str(rigs.HERE / "loader_job.py")]}[words[0]]
        user = job.get("user")
        if user:
            self._must_reach(user)
        if "cpus" in job:
            if len(os.sched_getaffinity(0)) <= job["cpus"]:
                raise Skip(f"no more than {job['cpus']} CPUs here: none would be left out")
            mask = ",".join(map(str, sorted(os.sched_getaffinity(0))[:job["cpus"]]))
            program = ["/usr/bin/taskset", "-c", mask, *program]
        self.job = self.rig.start([*program, *words[1:], "--seconds", "85"], user=user, cgroups=cgroups,
                                  output=self.rig.work / "job.log")

    def _must_reach(self, user):
        for path in (self.gpuwhy, self.rig.work, rigs.HERE / "probe.py"):
            done = subprocess.run(["/usr/bin/test", "-r", str(path)], user=user, group="nogroup",
                                  extra_groups=[], check=False)
            if done.returncode != 0:
                raise Skip(f"user {user} can't read {path}: a folder above it is closed to others")

    def ask(self, command, name):
        """Runs gpuwhy; (exit code, stdout). Output goes through files: a pipe would be one more wait
        for gpuwhy to see."""
        self.answers.mkdir(exist_ok=True)
        out, err = self.answers / f"{self.name}.{name}.json", self.answers / f"{self.name}.{name}.err"
        user = self.plan.get("tool", {}).get("user")
        identity = {"user": user, "group": "nogroup", "extra_groups": []} if user else {}
        with open(out, "wb") as stdout, open(err, "wb") as stderr:
            done = subprocess.run([str(self.gpuwhy), *command], stdout=stdout, stderr=stderr, cwd="/",
                                  stdin=subprocess.DEVNULL, timeout=TOOL_TIME_LIMIT_S, check=False,
                                  **identity)
        return done.returncode, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")

    def _diagnosis(self, command, name):
        code, out, err = self.ask(command, name)
        try:
            return code, out, json.loads(out)
        except ValueError as error:
            raise AssertionError(f"`gpuwhy {' '.join(command)}` ended with {code} and no JSON "
                                 f"({error}); stderr: {err[-800:]}") from error

    def _target(self):
        by_pid = self.plan.get("tool", {}).get("pid", True) and self.job
        return ["--pid", str(self.job.pid)] if by_pid else []

    def _check(self, diagnosis, what):
        wrong = expectation.check(self.plan["expect"], diagnosis, self.rig.mount,
                                  self.job.pid if self.job else 0)
        verdict = diagnosis.get("verdict") or {}
        print(f"{what}: verdict {verdict.get('finding')}: {verdict.get('summary')}", flush=True)
        return [f"{what}: {text}" for text in wrong]

    def run_tool(self):
        """Asks and compares; what is wrong, in words."""
        wrong = []
        tool = self.plan.get("tool", {})
        if tool.get("diagnose", True):
            code, _, diagnosis = self._diagnosis(
                ["diagnose", *self._target(), "--duration", "8", "--format", "json"], "diagnose")
            wrong += self._check(diagnosis, "diagnose") + expectation.check_exit_code(code, diagnosis)
        folder = self.rig.work / "recording"
        folder.mkdir()
        if tool.get("user"):
            shutil.chown(folder, tool["user"])
        recording = folder / "job.gpuwhy"
        seconds = "5" if tool.get("diagnose", True) else "8"
        _, _, live = self._diagnosis(["record", "-o", str(recording), *self._target(), "--duration", seconds,
                                      "--format", "json"], "record")
        wrong += self._check(live, "record")
        replay = ["diagnose", "--from", str(recording), "--format", "json"]
        _, first, replayed = self._diagnosis(replay, "replay")
        _, second, _ = self._diagnosis(replay, "replay2")
        if first != second:
            wrong.append("two replays of one recording differ")
        wrong += expectation.check_replay(live, replayed)
        if self.job and self.job.poll() is not None:
            wrong.append("the job died while it was watched")
        return wrong

    def run_probe(self):
        seen = probe.observe(self.job.pid, 5, 20)
        probe.show(seen)
        return expectation.check_truth(self.plan.get("truth", {}), seen, self.job.pid)


    def watched(self, ask):
        """What ask() answers while the job runs, and why it does not count, or None. Raises Skip."""
        try:
            self.set_up()
            bystanders = rigs.Bystanders()
            answer = ask()
            share = bystanders.share()
            self.rig.stop_processes()
            return answer, self.disturbed(share)
        finally:
            if self.rig:
                self.rig.close()


def interrupted(number, _frame):
    raise SystemExit(128 + number)


def must_have_tool(gpuwhy):
    if not gpuwhy.exists():
        raise RuntimeError(f"{gpuwhy} is not built")
    asked = subprocess.run([gpuwhy, "diagnose", "--help"], check=False, capture_output=True)
    if asked.returncode != 0:
        raise Skip(f"{gpuwhy} has no command diagnose")


def run(scenario, options):
    """What is wrong, in words; raises Skip."""
    if not options.probe:
        must_have_tool(scenario.gpuwhy)

    def ask():
        if options.probe and not scenario.job:
            raise Skip("no job to probe")
        try:
            return scenario.run_probe() if options.probe else scenario.run_tool()
        except AssertionError as error:
            return [str(error)]

    wrong, reason = scenario.watched(ask)
    for text in wrong:
        print(f"WRONG: {text}", flush=True)
    if wrong and reason:
        raise Skip(reason)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--anyway", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    plan = tomllib.loads(options.scenario.read_text(encoding="utf-8"))
    scenario = Scenario(options.scenario.stem, plan, options.build.resolve(), options.anyway)
    try:
        wrong = run(scenario, options)
    except Skip as reason:
        print(f"SKIPPED: {reason}", flush=True)
        return 1 if os.environ.get("GPUWHY_SCENARIOS_MUST_RUN") == "1" else SKIPPED
    if not wrong and not options.keep:
        for path in scenario.answers.glob(f"{scenario.name}.*"):
            path.unlink()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
