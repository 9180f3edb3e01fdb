#!/usr/bin/env python3
"""One unit that includes several sources: the headers and templates that they share are compiled once,
which is most of a compiler's time. Names that two of them give to something of their own are told
apart by a macro. Usage: units.py UNIT.cc SOURCE.cc ... (called by cmake/targets.cmake)"""

import os
import pathlib
import re
import sys

# The name in a line that declares something; a using-declaration gives no new name.
DECLARATION = re.compile(r"(?!using (?:enum )?[\w:]*::|using enum )(?:(?:struct|class|enum class|enum|using) |"
                         r"[\w:<>,&*\s\[\]]*?\b(?=\w+(?:\(|\[\]| = |\{|;)))(\w+)")
TEST_MACROS = {"TEST", "TEST_F", "TEST_P", "INSTANTIATE_TEST_SUITE_P", "MATCHER", "MATCHER_P"}


def own_names(source):
    """What the file declares at the left margin of its unnamed namespaces, or as a program's start."""
    names, inside = {"main", "LLVMFuzzerTestOneInput"}, False
    for line in pathlib.Path(source).read_text().splitlines():
        if line.startswith("namespace {"):
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif inside and line[:1].isalpha():
            names.update(match[1] for match in [DECLARATION.match(line)] if match)
    return names - TEST_MACROS


def unit_of(sources, folder=None):
    """The text of one unit that includes them all, from that folder where one is given."""
    lines, seen = [], set()
    for number, source in enumerate(sources):
        names = own_names(source)
        clashes = sorted(names & seen)
        seen |= names
        lines += [f"#define {name} {name}In{number}" for name in clashes]
        path = os.path.relpath(source, folder) if folder else source
        lines.append(f'#include "{path}"  // NOLINT(bugprone-suspicious-include)')
        lines += [f"#undef {name}" for name in clashes]
    return "\n".join(lines) + "\n"


def main(unit, *sources):
    # The same text in every checkout, so that a cache of compilations knows it again.
    text = unit_of(sources, os.path.dirname(os.path.abspath(unit)))
    path = pathlib.Path(unit)
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
