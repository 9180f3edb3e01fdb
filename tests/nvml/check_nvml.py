#!/usr/bin/env python3
"""The whole program on a stand-in of the GPU driver's library: what it finds, and what it says of a library that
fails. Usage: check_nvml.py GPUWHY STAND_IN ANCIENT_STAND_IN"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HEALTHY = (pathlib.Path(__file__).parent / "scenarios" / "healthy.txt").read_text()
UUID = "GPU-11111111-2222-3333-4444-555555555555"


def changed(**lines):
    """The healthy device with other answers; _ stands for the blank in a name. None removes a line."""
    text = HEALTHY
    for name, value in lines.items():
        name = name.replace("_", " ")
        kept = [line for line in text.splitlines() if line.split("=")[0].strip() != name]
        text = "\n".join(kept) + (f"\n{name} = {value}\n" if value is not None else "\n")
    return text


class Program:
    def __init__(self, gpuwhy, library, folder):
        self.gpuwhy, self.library, self.folder = gpuwhy, library, pathlib.Path(folder)

    def run(self, scenario, *more, **options):
        done = self.start(scenario, *more, **options)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise SystemExit(f"exit {done.returncode}, no JSON; stderr: {done.stderr}")

    def start(self, scenario, *more, library=None, command=("diagnose",), duration="1s"):
        file = self.folder / "scenario.txt"
        file.write_text(scenario)
        library = library or self.library
        # By the name that the linker looks for, as the vendor's own would be found.
        environment = {**os.environ, "GPUWHY_NVML_SCENARIO": str(file),
                       "LD_LIBRARY_PATH": str(pathlib.Path(library).parent)}
        watching = () if command == ("check",) else ("--duration", duration)
        return subprocess.run([self.gpuwhy, *command, *watching, "--nvml", "libnvidia-ml.so.1", "--format", "json",
                               *more], env=environment, capture_output=True, text=True, timeout=120)


def ids(result):
    return {finding["id"] for finding in result["findings"]}


def of_device(result):
    """Findings that are the device's or the driver's: the machine that runs the test has some of its own."""
    return {i for i in ids(result) if i.split(".")[0] in ("gpu", "clock", "pcie", "ecc", "thermal", "nvlink", "vram",
                                                           "persistence", "driver", "xid")}


def evidence(result, finding):
    for one in result["findings"]:
        if one["id"] == finding:
            return one["evidence"]
    return []


def unseen(result):
    return " ".join(one["what"] + ": " + one["why"] for one in result["unknown"])


def a_healthy_device_is_no_fault(program):
    found = of_device(program.run(HEALTHY)) - {"gpu.compute-bound", "gpu.busy-low-power"}
    return f"claimed of a healthy device: {found}" if found else ""


def an_idle_device_is_no_fault(program):
    idle = changed(UtilizationRates="0 0", PowerUsage=52000, ClockInfo_1=210, ClocksEventReasons=1, PerformanceState=0,
                   MemoryInfo="0 85899345920", CurrPcieLinkGeneration=1, ComputeRunningProcesses="")
    found = of_device(program.run(idle)) - {"gpu.idle", "clock.idle", "pcie.gen-idle"}
    return f"claimed of an idle device: {found}" if found else ""


def a_hot_device_is_throttled(program):
    hot = changed(ClocksEventReasons=0x20, ClockInfo_1=990, Temperature_0=88, FieldValue_251=90_000_000_000)
    result = program.run(hot)
    if "clock.thermal" not in ids(result):
        return f"not found: clock.thermal; {ids(result)}"
    clock = [e for e in evidence(result, "clock.thermal") if e["fact"] == "gpu.clock.sm"]
    if not clock or clock[0]["value"] != 990 or "nvmlDeviceGetClockInfo" not in clock[0]["source"] or \
            UUID not in clock[0]["subject"]:
        return f"the clock is not cited as NVML told it: {clock}"
    return "" if "thermal.history" in ids(result) else "the cumulative time was not seen"


def faults_of_the_board_are_found(program):
    cases = {
        "clock.power-brake": changed(ClocksEventReasons=0x88, ClockInfo_1=705),
        "clock.power-cap": changed(ClocksEventReasons=4, PowerUsage=399000, ClockInfo_1=1200),
        "clock.power-limit-lowered": changed(EnforcedPowerLimit=250000, PowerUsage=249000, ClocksEventReasons=4),
        "pcie.width-degraded": changed(CurrPcieLinkWidth=4),
        "pcie.gen-degraded": changed(CurrPcieLinkGeneration=1),
        "ecc.uncorrectable": changed(TotalEccErrors_2=3),
        "ecc.remap-failed": changed(RemappedRows="0 8 0 1"),
        "ecc.remap-pending": changed(RemappedRows="0 1 1 0"),
        # Beside a sister that has all of them.
        "nvlink.down": changed(NvLinkStates="1 1 1 1 1 1 1 1 1 1 0 0") +
                       HEALTHY[HEALTHY.index("[gpu]"):].replace("GPU-1", "GPU-2").replace("3B", "5E"),
        "gpu.reset-needed": changed(FieldValue_230=1),
        "gpu.compute-mode": changed(ComputeMode=2, ComputeRunningProcesses=""),
        "gpu.fallen-off-bus": changed(PowerUsage="fail 15"),
        "gpu.inforom-corrupted": changed(EccMode="fail 14"),
        "gpu.sensor-unreadable": changed(FanSpeed="fail 999"),
        "driver.library-mismatch": HEALTHY.replace("[system]", "[system]\nInit = fail 18"),
        "driver.not-loaded": HEALTHY.replace("[system]", "[system]\nInit = fail 9"),
        "gpu.not-found": HEALTHY.split("[gpu]")[0],
    }
    wrong = []
    for expected, scenario in cases.items():
        found = of_device(program.run(scenario, duration="500ms"))
        if expected not in found:
            wrong.append(f"{expected}: found {sorted(found)}")
    return "; ".join(wrong)


def what_is_not_told_is_missing_and_never_zero(program):
    silent = changed(PowerUsage="fail 3", UtilizationRates="fail 4", ClockInfo_1=4294967295, Temperature_0=None)
    result = program.run(silent)
    claimed = of_device(result) - {"gpu.sensor-unreadable"}
    return f"claimed from what was not read: {claimed}" if claimed else ""


def a_call_that_hangs_costs_only_what_follows(program):
    begun = time.monotonic()
    result = program.run(changed(CurrPcieLinkWidth=4, PcieReplayCounter="hang"), duration="2s")
    if time.monotonic() - begun > 60:
        return "it hung"
    if "nvmlDeviceGetPcieReplayCounter did not return" not in unseen(result):
        return f"the hanging call is not named: {unseen(result)}"
    return "" if "pcie.width-degraded" in ids(result) else "what was read before is lost"


def a_start_that_hangs_is_said(program):
    result = program.run(HEALTHY.replace("[system]", "[system]\nInit = hang"), duration="1s")
    return "" if "nvmlInit_v2 did not return" in unseen(result) else f"not said: {unseen(result)}"


def an_ancient_library_gives_what_it_has(program, ancient):
    hot = changed(ClocksEventReasons=0x40, ClockInfo_1=600, Temperature_0=95)
    result = program.run(hot, library=ancient)
    return "" if "clock.thermal" in ids(result) else f"found {of_device(result)}; {unseen(result)}"


def a_replay_says_the_same(program):
    hot = changed(ClocksEventReasons=0x20, ClockInfo_1=990, Temperature_0=88, PowerUsage="fail 3")
    file = program.folder / "gpu.gpuwhy"
    live = program.run(hot, "-o", str(file), command=("record",))
    done = subprocess.run([program.gpuwhy, "diagnose", "--from", str(file), "--format", "json"],
                          capture_output=True, text=True, timeout=60)
    replayed = json.loads(done.stdout)
    for key in ("verdict", "alerts", "findings", "unknown"):
        if live[key] != replayed[key]:
            return f"{key}: live {live[key]}\n  replayed {replayed[key]}"
    return "" if "clock.thermal" in ids(replayed) else "the replay has no GPU"


def the_node_check_exits_by_what_it_finds(program):
    """Whatever else is wrong with this machine is not the stand-in's fault: only what it adds counts."""
    wrong = []
    for scenario, expected, code in ((HEALTHY, None, 0), (changed(RemappedRows="0 8 0 1"), "ecc.remap-failed", 1),
                                     (changed(ClocksEventReasons=0x20, ClockInfo_1=990, Temperature_0=88),
                                      "clock.thermal", 0)):
        done = program.start(scenario, command=("check",))
        result = json.loads(done.stdout)
        if expected and expected not in ids(result):
            wrong.append(f"{expected}: found {sorted(ids(result))}")
        others = [f for f in result["findings"] if f["id"] not in (expected,) and f["action"] in ("drain", "replace")]
        if done.returncode != code and not others:
            wrong.append(f"{expected}: exit {done.returncode} instead of {code}")
    return "; ".join(wrong)


def the_gpus_own_counters_say_whether_memory_bounds_it(program):
    busy = {"UtilizationRates": "98 90"}
    counted = {"GpmSupport": 1, "GpmMetric_2": 71, "GpmMetric_5": 12, "GpmMetric_10": 83}
    found = program.run(changed(**busy, **counted))
    if "gpu.memory-bound" not in ids(found):
        return f"not found with counters: {of_device(found)}"
    source = [e for e in evidence(found, "gpu.memory-bound") if e["fact"] == "gpu.dram.active"]
    if not source or source[0]["value"] != 83:
        return f"the counter is not cited: {source}"
    if "gpu.memory-bound" in ids(program.run(changed(**busy, **{**counted, "GpmMetric_10": 40}))):
        return "time with traffic was taken for bandwidth"
    blind = program.run(changed(**busy))
    hidden = [one for one in blind["unknown"] if "gpu.memory-bound" in one["hides"]]
    if "gpu.memory-bound" in ids(blind) or not hidden:
        return f"without counters: {of_device(blind)}, {unseen(blind)}"
    cut = program.run(changed(MigMode="1 1", **busy, **counted))
    return "counters of a GPU that is cut were read" if "gpu.memory-bound" in ids(cut) else ""


def a_gpu_that_others_use_is_shared(program):
    other, gigabyte = 1, 1 << 30
    both = {"UtilizationRates": "99 30", "ComputeRunningProcesses": f"{os.getpid()} {gigabyte} {other} {gigabyte}"}
    shared = changed(**both, ProcessUtilization=f"{os.getpid()} 55 {other} 42")
    result = program.run(shared, "--pid", str(os.getpid()))
    load = [e for e in evidence(result, "gpu.shared") if e["fact"] == "gpu.load.others"]
    if not load or load[0]["value"] != 42:
        return f"not found: {of_device(result)}"
    quiet = changed(**both, ProcessUtilization=f"{os.getpid()} 97 {other} 1")
    if "gpu.shared" in ids(program.run(quiet, "--pid", str(os.getpid()))):
        return "claimed of an idle neighbour"
    blind = program.run(changed(**both), "--pid", str(os.getpid()))
    hidden = [one for one in blind["unknown"] if "gpu.shared" in one["hides"]]
    return "" if hidden and "gpu.shared" not in ids(blind) else f"without shares: {of_device(blind)} {unseen(blind)}"


def a_start_that_takes_long_is_a_risk_of_the_node(program):
    begun = time.monotonic()
    hung = HEALTHY.replace("[system]", "[system]\nInit = hang")
    done = program.start(hung, "--deadline", "6s", command=("check",))
    took = time.monotonic() - begun
    result = json.loads(done.stdout)
    start = [e for e in evidence(result, "driver.init-slow") if e["fact"] == "driver.start"]
    if not start or start[0]["value"] != 6:
        return f"not found: {sorted(ids(result))}; {unseen(result)}"
    if took > 30:
        return f"it took {took:.0f} s with a deadline of 6 s"
    quick = program.start(hung, "--deadline", "1s", command=("check",))
    return "a deadline under the threshold is no proof" if "driver.init-slow" in ids(json.loads(quick.stdout)) else ""


def no_library_is_said(program):
    done = subprocess.run([program.gpuwhy, "diagnose", "--duration", "500ms", "--nvml", "/nowhere/libnvidia-ml.so.1",
                           "--format", "json"], capture_output=True, text=True, timeout=60)
    result = json.loads(done.stdout)
    return "" if "/nowhere/libnvidia-ml.so.1" in unseen(result) else f"not said: {unseen(result)}"


def main(gpuwhy, library, ancient):
    checks = [a_healthy_device_is_no_fault, an_idle_device_is_no_fault, a_hot_device_is_throttled,
              faults_of_the_board_are_found, what_is_not_told_is_missing_and_never_zero,
              a_call_that_hangs_costs_only_what_follows, a_start_that_hangs_is_said, a_replay_says_the_same,
              the_node_check_exits_by_what_it_finds, the_gpus_own_counters_say_whether_memory_bounds_it,
              a_start_that_takes_long_is_a_risk_of_the_node, a_gpu_that_others_use_is_shared,
              no_library_is_said, lambda program: an_ancient_library_gives_what_it_has(program, ancient)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(gpuwhy, library, folder)
        for check in checks:
            problem = check(program)
            if problem:
                failed += 1
                print(f"{getattr(check, '__name__', 'ancient')}: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
