"""The committed recording gives its verdict on any machine: usage check_example.py GPUWHY RECORDING."""
import json
import subprocess
import sys

gpuwhy, recording = sys.argv[1:3]
run = subprocess.run([gpuwhy, "diagnose", "--from", recording, "--format", "json"],
                     stdout=subprocess.PIPE, check=False)
assert run.returncode == 1, f"exit code {run.returncode}: something to fix was found when it was made"
answer = json.loads(run.stdout)
verdict = answer["verdict"]
assert verdict["finding"] == "input.metadata-storm", verdict
# The opens took 5 ms each and the loaders did next to nothing else.
assert 0.8 < verdict["cost"]["low"] <= verdict["cost"]["high"] <= 1, verdict["cost"]
edges = {(edge["kind"], edge["resource"]) for edge in answer["wait_chain"]}
assert any(kind == "pipe" for kind, _ in edges) and ("open", "storage") in edges, edges
latency = [f for f in answer["findings"] if f["id"] == "input.storage-latency"]
assert all(f["explained_by"] == ["input.metadata-storm"] for f in latency), latency
print(verdict["summary"])
