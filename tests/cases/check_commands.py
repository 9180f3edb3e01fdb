#!/usr/bin/env python3
"""DESIGN.md's table of commands and --help must name the same ones. Usage: check_commands.py GPUWHY DESIGN_MD"""

import os
import re
import subprocess
import sys


def in_design(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    table = re.search(r"^\| command \| what it does \|\n\|[ -|]*\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    if not table:
        raise SystemExit(f"{path} has no table `| command | what it does |`")
    cells = [row.split("|")[1] for row in table.group(1).splitlines()]
    return {name for cell in cells for name in re.findall(r"`gpuwhy ([a-z]+)", cell)}


def in_help(gpuwhy):
    text = subprocess.run([gpuwhy, "--help"], capture_output=True, text=True, check=True).stdout
    commands = text.partition("Commands:\n")[2].partition("\n\n")[0]
    return set(re.findall(r"^  ([a-z]+)\s", commands, re.MULTILINE))


def main(gpuwhy, design):
    if not os.path.exists(design):
        print(f"skipped: there is no {design}")
        return 77
    one, two = in_design(design), in_help(gpuwhy)
    for name in sorted(one - two):
        print(f"{name} is in {design} and not in --help")
    for name in sorted(two - one):
        print(f"{name} is in --help and not in {design}")
    return 1 if one != two or not one else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
