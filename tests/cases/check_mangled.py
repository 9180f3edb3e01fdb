"""Mangles labelled captures the way pasting does and holds gpuwhy to the same answer.
Usage: check_mangled.py GPUWHY FOLDER [--only GLOB] [--every N] [--verbose], where FOLDER holds cases/. A mangling that
loses nothing must keep every fault and limit that was named, and must add none; one that cuts lines off may lose
claims, but must add none. Exit status 77, for skipped, where the folder is absent."""
import argparse
import concurrent.futures
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Where a narrower cause, or the figures that belie a flag, were cut off, the wider claim is fair.
WIDER = {"clock.hw-slowdown": {"clock.power-brake", "clock.thermal"}, "nvlink.down": {"gpu.missing-peer"},
         "clock.thermal": {"clock.flag-inconsistent"}}
PROSE = "Hi all, training is slow since the update. Here is what I see:\n\n"
AFTER = "\n\nAny idea? Thanks in advance, this is on our second node.\n"
CSI = "\x1b[1;32m"


def each_line(change):
    return lambda text, name: "".join(change(line) for line in text.splitlines(keepends=True))


def cut_last(lines):
    return lambda text, name: "".join(text.splitlines(keepends=True)[:-lines])


def cut_share(share):
    def cut(text, name):
        lines = text.splitlines(keepends=True)
        return "".join(lines[:max(1, int(len(lines) * share))])
    return cut


def cut_first(share):
    def cut(text, name):
        lines = text.splitlines(keepends=True)
        return "".join(lines[int(len(lines) * share):])
    return cut


def command_of(name):
    if "nvlink" in name:
        return "nvidia-smi nvlink -s"
    if "topo" in name:
        return "nvidia-smi topo -m"
    return next((name[:name.index(word) + len(word)].split(".")[-1] for word in ("dmesg", "lspci", "lsmod")
                 if word in name), "nvidia-smi")


# What must lose nothing.
SAME = {
    "crlf": lambda text, name: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "quoted": each_line(lambda line: "> " + line),
    "quoted twice": each_line(lambda line: ">> " + line),
    "coloured": each_line(lambda line: CSI + line.rstrip("\n") + "\x1b[0m\n"),
    "html": lambda text, name: html.escape(text).replace("&#x27;", "&#39;"),
    "tabs expanded": lambda text, name: text.expandtabs(8),
    "no trailing blanks": each_line(lambda line: line.rstrip() + "\n"),
    "prompt": lambda text, name: f"user@node01:~$ {command_of(name)}\n{text}user@node01:~$ \n",
    "plain prompt": lambda text, name: f"$ {command_of(name)}\n{text}$\n",
    "root prompt": lambda text, name: f"[root@node01 ~]# {command_of(name)}\n{text}[root@node01 ~]# \n",
    "prose": lambda text, name: PROSE + text + AFTER,
    "fenced": lambda text, name: f"```\n{text}```\n",
    "fenced prose": lambda text, name: f"{PROSE}```console\n$ {command_of(name)}\n{text}```\n{AFTER}",
    "indented code": each_line(lambda line: "    " + line if line.strip() else line),
    "bom": lambda text, name: "\ufeff" + text,
    "hard blanks": lambda text, name: text.replace("  ", "\u00a0 "),
}
# What loses lines.
CUT = {"last line": cut_last(1), "last 5": cut_last(5), "last 20": cut_last(20), "half": cut_share(0.5),
       "tail half": cut_first(0.5), "tail third": cut_first(0.67), "first third": cut_share(0.33),
       "without head": lambda text, name: "".join(text.splitlines(keepends=True)[4:])}


def claims(gpuwhy, folder):
    run = subprocess.run([gpuwhy, "diagnose", "--from", folder, "--format", "json"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    if run.returncode not in (0, 1, 2, 3):
        return None, f"exit status {run.returncode}"
    answer = json.loads(run.stdout)
    found = {one["id"] for one in answer["findings"]}
    blamed = {one["id"] for one in answer["findings"] if one["kind"] in ("fault", "limit")}
    return (found, blamed), (answer.get("verdict") or {}).get("finding")


def changed(case, change, work, joined=False):
    out = pathlib.Path(tempfile.mkdtemp(dir=work))
    texts = []
    for path in sorted(case.rglob("*")):
        if not path.is_file() or path.name == "case.toml":
            continue
        to = out / path.relative_to(case)
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            shutil.copy(path, to)
            continue
        if joined:
            texts.append(f"$ {command_of(path.name)}\n{text}\n")
        else:
            to.write_text(change(text, path.name), encoding="utf-8", newline="")
    if joined:
        (out / "ticket.txt").write_text("".join(texts), encoding="utf-8")
    return out


def check(gpuwhy, case, work):
    wrong = []
    plain = changed(case, lambda text, name: text, work)
    truth, verdict = claims(gpuwhy, plain)
    todo = [(name, change, False, True) for name, change in SAME.items()]
    todo += [(name, change, False, False) for name, change in CUT.items()]
    if len([path for path in plain.rglob("*") if path.is_file()]) > 1:
        todo.append(("joined", None, True, True))
    for name, change, joined, whole in todo:
        got, now = claims(gpuwhy, changed(case, change, work, joined))
        if got is None:
            wrong.append(f"{case.name}: {name}: {now}")
            continue
        new = {one for one in got[1] - truth[1] if whole or not WIDER.get(one, set()) & truth[0]}
        lost = truth[1] - got[1]
        # Joined outputs are of one look, so that figures that were two moments may become one.
        if new and not (joined and verdict == now):
            wrong.append(f"{case.name}: {name}: new claims {sorted(new)}")
        if whole and (lost or now != verdict):
            wrong.append(f"{case.name}: {name}: lost {sorted(lost)}, verdict {verdict} -> {now}")
    return wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("gpuwhy")
    arguments.add_argument("shared", type=pathlib.Path)
    arguments.add_argument("--only", default="gpu-*")
    arguments.add_argument("--every", type=int, default=1, help="each Nth case only")
    options = arguments.parse_args()
    folder = options.shared / "cases"
    if not folder.is_dir():
        print(f"skipped: no labelled captures in {folder}")
        return 77
    cases = sorted(folder.glob(options.only))[::options.every]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for lines in pool.map(lambda case: check(options.gpuwhy, case, work), cases) for line in lines]
    print("\n".join(wrong))
    print(f"{len(cases)} captures, {len(SAME) + len(CUT) + 1} manglings: {len(wrong)} changed the answer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
