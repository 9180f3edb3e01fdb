#!/usr/bin/python3
"""Tests of the scenarios' own checks (can they fail?) and of the scenario files (do they name findings
that exist, is each of them registered?). Needs no root and starts no job."""
import copy
import fnmatch
import pathlib
import re
import sys
import tomllib
import unittest

import expectation

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
MOUNT = "/build/work/open_pipe/mnt"
KEYS = {"title", "why", "cores_given", "bystanders", "settle_s", "drop_caches", "files", "slow_fs",
        "quota", "io_limit", "competitors", "decoys", "job", "tool", "truth", "expect"}
EXPECT_KEYS = {"verdict", "resource", "never", "present", "edges", "names_mount", "finds_job",
               "cost_low_at_least", "cost_high_at_least", "bound_at_least", "low_at_most", "unknown_says"}


def slow_open():
    """A right answer to open_pipe, as small as the checks allow."""
    return {
        "source": {"kind": "live", "host": "h"}, "inputs": [], "jobs": [{"processes": [4711, 4712]}],
        "verdict": {"finding": "input.metadata-storm", "resource": "storage", "summary": "slow opens"},
        "findings": [{"id": "input.metadata-storm", "action": "fix", "bound": None,
                      "cost": {"share": 0.8, "low": 0.6, "high": 0.9},
                      "evidence": [{"subject": f"mount {MOUNT}", "value": 0.9}]}],
        "wait_chain": [{"from": "4711", "to": MOUNT, "kind": "open", "resource": "storage",
                        "share": 0.9, "low": 0.85, "high": 0.95}],
        "unknown": [{"what": "kernel stacks", "why": "no permission", "how": "run as root"}]}


EXPECT = {"verdict": ["input.metadata-storm"], "resource": "storage", "cost_low_at_least": 0.3,
          "edges": ["storage"], "names_mount": True, "finds_job": True, "never": ["cpu.*", "job.*"],
          "present": ["input.metadata-storm"], "unknown_says": "permission", "low_at_most": {"cpu.*": 0.1}}


def judge(expect, diagnosis):
    return expectation.check(expect, diagnosis, MOUNT, 4711)


class Judgement(unittest.TestCase):
    def wrong(self, change, expect=None):
        diagnosis = slow_open()
        change(diagnosis)
        found = judge({**EXPECT, **(expect or {})}, diagnosis)
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_right_answer_passes(self):
        self.assertEqual(judge(EXPECT, slow_open()), [])

    def test_other_verdict(self):
        text = self.wrong(lambda d: d["verdict"].update(finding="none"), {"cost_low_at_least": None,
                                                                        "names_mount": False})
        self.assertIn("verdict is none", text)

    def test_null_verdict_is_none(self):
        quiet = {"verdict": {"finding": None, "summary": "nothing holds"}, "findings": [],
                 "wait_chain": [], "unknown": [], "jobs": []}
        self.assertEqual(judge({"verdict": ["none"], "never": ["*"]}, quiet), [])

    def test_resource(self):
        self.assertIn("resource", self.wrong(lambda d: d["verdict"].update(resource="cpu")))

    def test_forbidden_claim_beside_the_verdict(self):
        extra = {"id": "cpu.contended", "action": "fix", "cost": {"low": 0.0}, "evidence": [1]}
        self.assertIn("cpu.contended", self.wrong(lambda d: d["findings"].append(extra)))

    def test_claim_of_too_much_beside_the_verdict(self):
        extra = {"id": "cpu.contended", "action": "fix", "cost": {"low": 0.2}, "evidence": [1]}
        text = self.wrong(lambda d: d["findings"].append(extra), {"never": []})
        self.assertIn("0.1 at most", text)

    def test_missing_statement(self):
        self.assertIn("job.no-demand", self.wrong(lambda d: None, {"present": ["job.no-demand"]}))

    def test_claim_without_evidence(self):
        text = self.wrong(lambda d: d["findings"][0].update(evidence=[]))
        self.assertIn("no evidence", text)

    def test_cost_below_what_is_asked(self):
        self.assertIn("cost.low", self.wrong(lambda d: d["findings"][0]["cost"].update(low=0.1)))

    def test_no_cost_at_all(self):
        self.assertIn("cost.low", self.wrong(lambda d: d["findings"][0].update(cost=None)))

    def test_no_bound(self):
        self.assertIn("bound", self.wrong(lambda d: None, {"bound_at_least": 0.5}))

    def test_no_edge(self):
        text = self.wrong(lambda d: d["wait_chain"][0].update(resource="cpu"))
        self.assertIn("no edge", text)

    def test_impossible_edge(self):
        self.assertIn("impossible", self.wrong(lambda d: d["wait_chain"][0].update(share=1.2)))

    def test_mount_not_named(self):
        def rename(diagnosis):
            diagnosis["findings"][0]["evidence"][0]["subject"] = "a mount"
            diagnosis["wait_chain"][0]["to"] = "a mount"
        self.assertIn(MOUNT, self.wrong(rename))

    def test_job_not_found_though_another_pid_contains_its_digits(self):
        self.assertIn("4711", self.wrong(lambda d: d.update(jobs=[{"processes": [14711, 47110]}])))

    def test_unknown_silent(self):
        self.assertIn("unknown", self.wrong(lambda d: d.update(unknown=[])))

    def test_exit_codes(self):
        answer = slow_open()
        self.assertEqual(expectation.check_exit_code(1, answer), [])
        self.assertNotEqual(expectation.check_exit_code(0, answer), [])
        self.assertNotEqual(expectation.check_exit_code(3, answer), [])
        nothing = {"verdict": {"finding": None}, "findings": []}
        self.assertEqual(expectation.check_exit_code(0, nothing), [])
        self.assertNotEqual(expectation.check_exit_code(1, nothing), [])

    def test_replay(self):
        live, replay = slow_open(), copy.deepcopy(slow_open())
        replay["source"]["kind"], replay["inputs"] = "recording", [{"name": "F"}]
        self.assertEqual(expectation.check_replay(live, replay), [])
        replay["findings"][0]["cost"]["low"] = 0.61
        self.assertEqual(len(expectation.check_replay(live, replay)), 1)


class Truth(unittest.TestCase):
    @staticmethod
    def seen(call, run):
        loader = {"main": {f"S {call} x": 0.9, "R running 0": 0.1}, "run": run, "run_delay": 0.0,
                  "switches_per_s": 10}
        job = {"main": {"S read anon_pipe_read": 0.95, "R running 0": 0.05}, "run": 0, "run_delay": 0,
               "switches_per_s": 10}
        return {"processes": {1: job, 2: loader}, "throttled_periods": [9, 10]}

    def test_fault_that_is_there(self):
        truth = {"consumer_waits": 0.8, "loaders_in": {"openat": 0.7}, "throttled": 0.9}
        self.assertEqual(expectation.check_truth(truth, self.seen("openat", 0), 1), [])

    def test_fault_that_is_not_there(self):
        for truth in ({"consumer_waits": 0.99}, {"loaders_in": {"openat": 0.7}}, {"throttled": 0.95},
                      {"loaders_run": 0.9}, {"loaders_delayed": 0.1}, {"switches_at_most": 5}):
            self.assertEqual(len(expectation.check_truth(truth, self.seen("read", 0), 1)), 1, truth)


class Files(unittest.TestCase):
    def setUp(self):
        self.plans = {path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
                      for path in HERE.glob("*.toml")}
        self.vocabulary = tomllib.loads(
            (HERE.parents[1] / "src/diagnose/findings.toml").read_text(encoding="utf-8"))
        self.ids = [f"{family}.{name}" for family, names in self.vocabulary.items() for name in names]

    def test_only_known_keys(self):
        for name, plan in self.plans.items():
            self.assertLessEqual(plan.keys(), KEYS, name)
            self.assertLessEqual(plan["expect"].keys(), EXPECT_KEYS, name)

    def test_every_id_is_in_the_vocabulary(self):
        for name, plan in self.plans.items():
            expect = plan["expect"]
            for pattern in (*expect.get("verdict", []), *expect.get("present", []),
                            *expect.get("never", []), *expect.get("low_at_most", {})):
                self.assertTrue(pattern == "none" or fnmatch.filter(self.ids, pattern), f"{name}: {pattern}")

    def test_expected_verdict_is_not_forbidden_by_itself(self):
        for name, plan in self.plans.items():
            expect = plan["expect"]
            for identity in (*expect.get("verdict", []), *expect.get("present", [])):
                clash = [p for p in expect.get("never", []) if fnmatch.fnmatch(identity, p)]
                self.assertFalse(clash, f"{name}: {identity} {clash}")

    def test_resource_is_that_of_the_verdict(self):
        for name, plan in self.plans.items():
            for identity in plan["expect"]["verdict"]:
                family, _, rest = identity.partition(".")
                if "resource" in plan["expect"]:
                    self.assertEqual(self.vocabulary[family][rest]["resource"], plan["expect"]["resource"], name)

    def test_every_answer_is_argued(self):
        for name, plan in self.plans.items():
            self.assertGreater(len(plan["why"]), 300, name)

    def test_every_scenario_is_registered(self):
        text = (HERE / "CMakeLists.txt").read_text(encoding="utf-8")
        registered = re.findall(r"^gpuwhy_scenario\((\w+)", text, re.MULTILINE)
        self.assertEqual(sorted(registered), sorted(self.plans))


if __name__ == "__main__":
    unittest.main()
