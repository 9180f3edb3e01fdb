"""Compares a diagnosis (gpuwhy.diagnosis/1) with what a scenario expects; each function returns the
list of what is wrong, in words."""
import fnmatch
import json
import os
import re

FAILING_ACTIONS = ("fix", "drain", "replace")


def _verdict_finding(diagnosis):
    identity = (diagnosis.get("verdict") or {}).get("finding")
    for finding in diagnosis["findings"]:
        if finding["id"] == identity:
            return finding
    return None


def _verdict(expect, diagnosis):
    verdict = diagnosis.get("verdict") or {}
    got, wrong = verdict.get("finding") or "none", []
    if "verdict" in expect and got not in expect["verdict"]:
        wrong.append(f"verdict is {got}, expected {' or '.join(expect['verdict'])}")
    if "resource" in expect and verdict.get("resource") != expect["resource"]:
        wrong.append(f"verdict's resource is {verdict.get('resource')}, expected {expect['resource']}")
    if not verdict.get("summary"):
        wrong.append("verdict has no summary")
    return wrong


def _findings(expect, diagnosis):
    ids, wrong = [finding["id"] for finding in diagnosis["findings"]], []
    for pattern in expect.get("never", []):
        for identity in fnmatch.filter(ids, pattern):
            wrong.append(f"claims {identity}, which does not hold ({pattern})")
    for identity in expect.get("present", []):
        if identity not in ids:
            wrong.append(f"does not say {identity}")
    for finding in diagnosis["findings"]:
        for pattern, most in expect.get("low_at_most", {}).items():
            low = (finding.get("cost") or {}).get("low", 0)
            if fnmatch.fnmatch(finding["id"], pattern) and low > most:
                wrong.append(f"{finding['id']} claims to give back {low} at least, {most} at most holds")
        if not finding["evidence"]:
            wrong.append(f"{finding['id']} has no evidence")
    return wrong


def _weight(expect, finding):
    """Cost and bound of the verdict."""
    wrong = []
    cost = (finding or {}).get("cost") or {}
    for key in ("low", "high"):
        least = expect.get(f"cost_{key}_at_least")
        if least is not None and (cost.get(key) is None or cost[key] < least):
            wrong.append(f"verdict's cost.{key} is {cost.get(key)}, expected at least {least}")
    least = expect.get("bound_at_least")
    bound = (finding or {}).get("bound")
    if least is not None and (bound is None or bound < least):
        wrong.append(f"verdict's bound is {bound}, expected at least {least}")
    return wrong


def _chain(expect, diagnosis):
    wrong = []
    for resource in expect.get("edges", []):
        if not any(edge.get("resource") == resource for edge in diagnosis["wait_chain"]):
            wrong.append(f"wait chain has no edge to the resource {resource}")
    for edge in diagnosis["wait_chain"]:
        if not 0 <= edge["low"] <= edge["share"] <= edge["high"] <= 1:
            wrong.append(f"edge with impossible shares: {edge}")
    return wrong


def _unknown(expect, diagnosis):
    pattern = expect.get("unknown_says")
    if pattern is None:
        return []
    texts = [f"{entry['what']} {entry['why']} {entry['how']}" for entry in diagnosis["unknown"]]
    if any(re.search(pattern, text, re.IGNORECASE) for text in texts):
        return []
    return [f"unknown does not say /{pattern}/: {texts}"]


def _jobs(expect, diagnosis, job_pid):
    if not expect.get("finds_job"):
        return []
    if re.search(rf"(?<!\d){job_pid}(?!\d)", json.dumps(diagnosis["jobs"])):
        return []
    return [f"jobs does not hold process {job_pid}: {json.dumps(diagnosis['jobs'])[:400]}"]


def check(expect, diagnosis, mount, job_pid):
    """What is wrong with one diagnosis. mount: path of the slow mount; job_pid: the job's first process."""
    finding = _verdict_finding(diagnosis)
    wrong = (_verdict(expect, diagnosis) + _findings(expect, diagnosis) + _weight(expect, finding)
             + _chain(expect, diagnosis) + _unknown(expect, diagnosis)
             + _jobs(expect, diagnosis, job_pid))
    if expect.get("names_mount"):
        said = json.dumps([finding, diagnosis["wait_chain"], diagnosis.get("verdict")], ensure_ascii=False)
        if str(mount) not in said:
            wrong.append(f"neither the verdict's evidence nor the wait chain names {mount}")
    return wrong


def check_exit_code(code, diagnosis):
    """0 or 1, and the one that the actions call for (--fail-on fix)."""
    finding = _verdict_finding(diagnosis)
    if code not in (0, 1):
        return [f"exit code {code}, expected 0 or 1"]
    if finding and finding["action"] in FAILING_ACTIONS and code != 1:
        return [f"exit code 0 with the verdict {finding['id']}, whose action is {finding['action']}"]
    if not diagnosis["findings"] and code != 0:
        return ["exit code 1 without any finding"]
    return []


def check_replay(live, replay):
    """live == replay but for where it came from."""
    def comparable(diagnosis):
        kept = {key: value for key, value in diagnosis.items() if key != "inputs"}
        kept["source"] = {key: value for key, value in diagnosis["source"].items() if key != "kind"}
        return kept
    one, two = comparable(live), comparable(replay)
    different = sorted(key for key in one.keys() | two.keys() if one.get(key) != two.get(key))
    return [f"replay differs from live in {key}: {json.dumps(one.get(key))[:300]} / "
            f"{json.dumps(two.get(key))[:300]}" for key in different]


def check_truth(truth, seen, job_pid):
    """What probe.observe() saw against [truth]: is the fault really what the scenario claims?"""
    processes, wrong = seen["processes"], []
    job = processes[job_pid]
    loaders = [process for pid, process in processes.items() if pid != job_pid]
    idle = 1 - sum(job["main"].get(key, 0) for key in job["main"] if key.startswith("R"))
    if "consumer_waits" in truth and idle < truth["consumer_waits"]:
        wrong.append(f"consumer waits {idle:.0%}, claimed {truth['consumer_waits']:.0%}")
    for call, least in truth.get("loaders_in", {}).items():
        share = sum(count for process in loaders for key, count in process["main"].items()
                    if key.split()[1] == call) / max(1, len(loaders))
        if share < least:
            wrong.append(f"loaders are in {call} {share:.0%}, claimed {least:.0%}")
    for key, name, unit in (("loaders_run", "run", len(os.sched_getaffinity(0))),
                            ("loaders_delayed", "run_delay", len(loaders))):
        share = sum(process[name] for process in loaders) / max(1, unit)
        if key in truth and share < truth[key]:
            wrong.append(f"{key} is {share:.0%}, claimed {truth[key]:.0%}")
    if "throttled" in truth:
        throttled, periods = seen["throttled_periods"] or (0, 0)
        if throttled < truth["throttled"] * max(1, periods):
            wrong.append(f"{throttled} of {periods} periods throttled, claimed {truth['throttled']:.0%}")
    if "switches_at_most" in truth:
        switches = sum(process["switches_per_s"] for process in processes.values())
        if switches > truth["switches_at_most"]:
            wrong.append(f"{switches:.1f} switches/s, claimed at most {truth['switches_at_most']}")
    return wrong
