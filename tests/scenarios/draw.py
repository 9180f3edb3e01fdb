#!/usr/bin/python3
"""Drawn scenarios: fault, strength, queue, sizes and seed at random; the answer from the utilization law.

    draw.py --build BUILD_FOLDER [--draws 100] [--seed 1] [--keep FOLDER]

Each draw is a job whose times are known because they were given to it. The law (items can't be faster than any
resource allows) says what mending each thing would save; that is the argument for the expected answer:

    right       the verdict is the fault that saves most, or within a factor of 1.5 of it; none where nothing would save
    can't tell  no verdict near the threshold
    miss        no verdict where much was to be saved
    wrong       the verdict is something whose mending would save nothing or far less

Prints a line a draw and the totals; exit code 1 where one was wrong. Run by hand, on a quiet machine, as root: a draw takes
some 20 s. A busy host skips a draw, which is then drawn again.
"""
import argparse
import contextlib
import io
import json
import math
import os
import pathlib
import random
import sys

import run_scenario
from rig import Skip

CORES = len(os.sched_getaffinity(0))
CLAIMED = 0.05     # gpuwhy's own bound: what saves less is not claimed
MUCH = 0.35        # no verdict where so much was to be saved is a miss
NOTHING = 0.02
OPEN, READ = ("input.metadata-storm", "input.storage-latency"), ("input.storage-latency",)
LIMIT = "input.cpu-transform"
KINDS = ("open", "read", "decode", "few", "quota", "mask", "healthy")


def between(dice, low, high):
    """Small values as likely as large ones."""
    return math.exp(dice.uniform(math.log(low), math.log(high)))


class Job:
    """Times in microseconds an item."""

    def __init__(self, kind, dice):
        self.kind = kind
        self.queue = dice.choice(("pipe", "socketpair", "shm"))
        self.workers = dice.randint(CORES, 2 * CORES)
        self.open = self.read = 0.0
        self.decode = between(dice, 200, 1500)
        self.consume = between(dice, 300, 8000)
        self.quota = self.mask = None
        if kind == "open":
            self.open = between(dice, 2000, 20000)
        if kind == "read":
            self.read = between(dice, 2000, 20000)
        if kind in ("decode", "quota", "mask"):
            self.decode = between(dice, 4000, 20000)
        if kind == "few":
            self.workers, self.decode = 1, between(dice, 4000, 20000)
        if kind == "quota":
            self.quota = round(between(dice, 0.2, 0.8 * CORES), 2)
        if kind == "mask":
            self.mask = 1
        if kind == "healthy":
            self.consume = between(dice, 8000, 30000)

    def time(self, **changed):
        """Wall time an item, by the law."""
        one = {**vars(self), **changed}
        cores = min(one["mask"] or CORES, CORES)
        capacity = min(cores, one["quota"] or cores)
        alone = one["decode"] + one["open"] + one["read"]
        return max(one["consume"], one["decode"] / capacity, alone / one["workers"])

    def savings(self):
        """id -> share of the time that mending it would save."""
        now = self.time()
        saved = lambda **changed: max(0.0, 1 - self.time(**changed) / now)
        shares = {}
        for id_ in OPEN:
            shares[id_] = saved(open=0)
        shares["input.storage-latency"] = max(shares["input.storage-latency"], saved(read=0), saved(read=0, open=0))
        shares["input.cpu-transform"] = saved(decode=0)
        shares["input.too-few-workers"] = saved(workers=4 * CORES)
        shares["cpu.quota-throttled"] = saved(quota=None)
        shares["cpu.affinity-narrow"] = saved(mask=None)
        return shares

    def plan(self, seed):
        command = ["loader_job", "--queue", self.queue, "--data", "{data}", "--workers", str(self.workers), "--decode-us",
                   str(round(self.decode)), "--consume-us", str(round(self.consume)), "--shuffle", "--seed", str(seed)]
        plan = {"why": "drawn", "cores_given": 0.9, "bystanders": 0.15, "expect": {},
                "files": {"count": 200, "size_kib": 4, "seed": seed}, "job": {"command": command}}
        if self.open or self.read:
            plan["slow_fs"] = {"open_us": round(self.open), "read_us": round(self.read), "direct_io": True}
        if self.quota:
            plan["quota"] = {"cores": self.quota}
        if self.mask:
            plan["job"]["cpus"] = self.mask
        return plan

    def __str__(self):
        parts = [f"{self.kind} {self.queue} {self.workers} workers, decode {self.decode:.0f}, consume {self.consume:.0f}"]
        parts += [f"{name} {value:.4g}" for name, value in vars(self).items()
                  if name in ("open", "read", "quota", "mask") and value]
        return ", ".join(parts)


def judge(job, verdict):
    savings = job.savings()
    # Computing is a limit, what the cores are for: the answer only where no fault takes them away.
    computing = savings.pop(LIMIT)
    fault = max(savings.values())
    best = max(fault, computing)
    if verdict is None:
        return "right" if best < CLAIMED else "miss" if best >= MUCH else "can't tell"
    if verdict == LIMIT and fault >= MUCH:
        return "wrong"
    saved, best = (computing, best) if verdict == LIMIT else (savings.get(verdict, 0.0), fault)
    if saved >= max(best / 1.5, CLAIMED):
        return "right"
    # Known times are those of a machine without other work: near the bounds both answers hold.
    return "wrong" if saved <= NOTHING or saved < best / 3 else "can't tell"


def verdict_of(plan, name, options):
    """The id; None where there is none. Raises Skip."""
    scenario = run_scenario.Scenario(name, plan, options.build.resolve())

    def ask():
        command = ["diagnose", "--pid", str(scenario.job.pid), "--duration", "8", "--format", "json"]
        return scenario.ask(command, "diagnose")[1]

    with contextlib.redirect_stdout(io.StringIO()):
        out, reason = scenario.watched(ask)
    if reason:
        raise Skip(reason)
    if options.keep:
        options.keep.mkdir(exist_ok=True)
        (options.keep / f"{name}.json").write_text(out)
    for path in scenario.answers.glob(f"{name}.*"):
        path.unlink()
    return (json.loads(out)["verdict"] or {}).get("finding")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for every answer")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    counts = {}
    for number in range(options.draws):
        kind, seed = dice.choice(KINDS), dice.randrange(1 << 20)
        job = Job(kind, random.Random(seed))
        try:
            verdict = verdict_of(job.plan(seed), f"draw_{options.seed}_{number}", options)
            result = judge(job, verdict)
        except Skip as reason:
            verdict, result = str(reason), "skipped"
        counts[result] = counts.get(result, 0) + 1
        best = max(job.savings().items(), key=lambda item: item[1])
        print(f"{number:3} {result:10} {verdict} (most to save: {best[0]} {best[1]:.0%}) {job}", flush=True)
    print(", ".join(f"{counts[key]} {key}" for key in sorted(counts)))
    return 1 if counts.get("wrong") else 0


if __name__ == "__main__":
    sys.exit(main())
