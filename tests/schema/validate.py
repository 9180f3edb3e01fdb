#!/usr/bin/env python3
"""Validates JSON results against docs/gpuwhy.diagnosis.1.schema.json. Usage:
validate.py SCHEMA FINDINGS_TOML (FILE... | -- COMMAND...)
FILE holds one result, or many, one after the other; COMMAND prints one to stdout. Beyond the schema,
each object may only hold keys that the schema knows (a new key needs its line there), findings must be
in the vocabulary and numbers finite. Exit 77: python3-jsonschema is missing (not with CI=true)."""

import json
import os
import re
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def strict(node):
    """The schema with every object closed: readers must accept new keys, our own test must not."""
    if isinstance(node, dict):
        closed = {key: strict(value) for key, value in node.items()}
        if "properties" in node:
            closed["additionalProperties"] = False
        return closed
    return [strict(item) for item in node] if isinstance(node, list) else node


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def results(text):
    """Each result in the text, or a ValueError where what comes next is no JSON."""
    decoder = json.JSONDecoder(parse_constant=no_constant)
    at = 0
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        while at < len(text) and text[at].isspace():
            at += 1


def problems_in(text, validator, vocabulary):
    """Of all results in the text, and how many there are."""
    found, count = [], 0
    try:
        for result in results(text):
            count += 1
            found += problems(result, validator, vocabulary)
    except ValueError as error:
        count += 1
        found.append(f"result {count} is no JSON: {error}")
    return found, count


def problems(result, validator, vocabulary):
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(result)]
    yield from errors
    if errors:
        return  # what follows counts on its form
    for finding in result.get("findings", []):
        if finding.get("id") not in vocabulary:
            yield f"{finding.get('id')} is not in the vocabulary"
    verdict = result.get("verdict", {}).get("finding")
    if verdict is not None and verdict != result["findings"][0]["id"]:
        yield f"verdict {verdict} is not the first finding"


def texts(arguments):
    if arguments[0] == "--":
        done = subprocess.run(arguments[1:], stdout=subprocess.PIPE, text=True, timeout=120)
        yield f"{arguments[1]} (exit {done.returncode})", done.stdout
        return
    for name in arguments:
        with open(name, encoding="utf-8") as file:
            yield name, file.read()


def main(schema_path, vocabulary_path, *arguments):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(strict(schema))
    with open(vocabulary_path, encoding="utf-8") as file:
        vocabulary = set(re.findall(r"^\[([a-z0-9.-]+)\]", file.read(), re.MULTILINE))
    failed = count = 0
    for name, text in texts(arguments):
        found, number = problems_in(text, validator, vocabulary)
        failed += len(found)
        count += number
        for problem in found:
            print(f"{name}: {problem}")
    if count == 0:
        print("no result was given")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
