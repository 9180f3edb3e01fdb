#!/usr/bin/env python3
"""Fails where a file of src/ includes a folder that tools/layers.txt does not allow, or where the
operating system is touched outside the edge (os/real_*, cli/). Usage: check_layers.py [ROOT]"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
# Headers through which a program reaches files, processes, the network or the terminal. Headers of
# mere types and numbers (sys/types.h, linux/*, asm/unistd.h, cerrno) are free.
EDGE_ONLY = re.compile(
    r"(fcntl|unistd|dlfcn|dirent|ftw|glob|netdb|poll|sched|signal|spawn|syslog|termios)\.h|"
    r"c(signal|stdio)|stdio\.h|fstream|filesystem|iostream|"
    r"(arpa|net|netinet)/.*|"
    r"sys/(?!(types|cdefs|syscall|sysmacros)\.h).*")


def read_layers(text):
    """folder -> folders it may include; the second value lists what is wrong with the table."""
    layers, problems = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, _, allowed = (part.strip() for part in line.partition(":"))
        for lower in allowed.split():
            if lower not in layers:  # listed from the ground up: so there can be no circle
                problems.append(f"tools/layers.txt:{number}: {lower} is not listed above {folder}")
        layers[folder] = set(allowed.split())
    return layers, problems


def check(root):
    layers, problems = read_layers((root / "tools/layers.txt").read_text())
    folders = {p.name for p in (root / "src").iterdir() if p.is_dir()}
    problems += [f"src/{f}: not listed in tools/layers.txt" for f in sorted(folders - set(layers))]
    problems += [f"tools/layers.txt: no folder src/{f}" for f in sorted(set(layers) - folders)]
    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in (".cc", ".h", ".inc")):
        name, parts = path.relative_to(root), path.relative_to(root / "src").parts
        is_edge = parts[0] == "cli" or (parts[0] == "os" and parts[-1].startswith("real_"))
        for quote, target in INCLUDE.findall(path.read_text()):
            folder = target.split("/")[0] if "/" in target else parts[0]
            is_ours = quote == '"' or folder in layers and "/" in target
            if is_ours and folder not in layers.get(parts[0], set()) | {parts[0]}:
                problems.append(f"{name}: {parts[0]} may not include {target}")
            if not (is_ours or is_edge or path.stem.endswith("_test")) and EDGE_ONLY.fullmatch(target):
                problems.append(f"{name}: <{target}> belongs to os/real_* or cli/")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/../..").resolve())
    print("\n".join(found) or "layers: every include is allowed")
    sys.exit(1 if found else 0)
