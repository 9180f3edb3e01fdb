#!/usr/bin/env python3
"""With a catalogue that puts [[ ]] around every text, no two words may be left outside them: whatever is
said to a person goes through _(). Usage: check_pseudo.py POT GPUWHY PRINT_REPORT"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BRACKETED = re.compile(r"\[\[.*?\]\]", re.DOTALL)
WORDS = re.compile(r"\b[a-z]{3,} [a-z]{2,}\b|^[A-Za-z ]+:$", re.MULTILINE)
# Said by the vocabulary or typed in a shell: the same in every language.
SAME = re.compile(r"gpuwhy [a-z]+|^  -.*?(?:  |$)|open on /data \(fuse\.nfs\)", re.MULTILINE)


def tool(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, **options).stdout


def catalogue(pot, folder):
    text = pathlib.Path(pot).read_text(encoding="utf-8")
    text = text.replace("charset=CHARSET", "charset=UTF-8")
    text = text.replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=(n != 1)")
    english = tool("msgen", "--no-wrap", "-o", "-", "-", input=text.encode())
    pseudo = tool("msgfilter", "--keep-header", "sed", "-e", "1s/^/[[/", "-e", "$s/$/]]/", input=english)
    target = folder / "po" / "xx" / "LC_MESSAGES"
    target.mkdir(parents=True)
    tool("msgfmt", "-o", str(target / "gpuwhy.mo"), "-", input=pseudo)
    return folder / "po"


def untranslated(text):
    return WORDS.findall(SAME.sub("", BRACKETED.sub("", text)))


def main(pot, gpuwhy, print_report):
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        po = catalogue(pot, folder)
        # The binary finds its catalogues beside it.
        binary = str(shutil.copy(gpuwhy, folder / "gpuwhy"))
        env = {**os.environ, "LC_ALL": "C.UTF-8"}
        for command in ([print_report, str(po)], [binary, "--lang", "xx", "--help"],
                        [binary, "diagnose", "--lang", "xx", "--help"],
                        [binary, "record", "--lang", "xx", "--help"],
                        [binary, "trace", "--lang", "xx", "--help"],
                        [binary, "explain", "--lang", "xx", "--help"],
                        [binary, "explain", "--lang", "xx", "input.metadata-storm"]):
            text = subprocess.run(command, capture_output=True, text=True, env=env).stdout
            left = untranslated(text)
            if left or "[[" not in text:
                failed = True
                print(f"{command[0].rpartition('/')[2]} {' '.join(command[1:])}: not translated: {left}\n{text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
