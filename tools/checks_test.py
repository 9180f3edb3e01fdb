#!/usr/bin/env python3
"""The checks must catch what they are for: each case is a small tree with one thing wrong."""

import pathlib
import sys
import tempfile
import unittest

import check_docs
import check_house
import check_layers

LAYERS = "base:\nos: base\nfacts: base\ncli: base os facts\n"


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("tools/layers.txt", LAYERS)
        for name in ("base", "os", "facts", "cli"):
            self.write(f"src/{name}/a.h", "#pragma once\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assert_found(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])


class Layers(Tree):
    def check(self):
        return check_layers.check(self.root)

    def test_allowed_includes_pass(self):
        self.write("src/facts/b.cc", '#include <vector>\n#include "base/a.h"\n#include "facts/a.h"\n')
        self.assertEqual(self.check(), [])

    def test_upward_include_is_caught(self):
        self.write("src/base/b.cc", '  #  include "facts/a.h"\n')
        self.assert_found(self.check(), "base/b.cc", "may not include facts/a.h")

    def test_upward_include_in_angle_brackets_is_caught(self):
        self.write("src/base/b.h", "#include <facts/a.h>\n")
        self.assert_found(self.check(), "may not include facts/a.h")

    def test_include_by_way_of_the_parent_folder_is_caught(self):
        self.write("src/base/b.h", '#include "../facts/a.h"\n')
        self.assert_found(self.check(), "../facts/a.h")

    def test_folder_that_is_not_listed_is_caught(self):
        self.write("src/extra/b.h", "")
        self.assert_found(self.check(), "src/extra", "not listed")

    def test_layer_without_folder_is_caught(self):
        self.write("tools/layers.txt", LAYERS + "gone:\n")
        self.assert_found(self.check(), "no folder src/gone")

    def test_circle_in_the_table_is_caught(self):
        self.write("tools/layers.txt", LAYERS.replace("base:\n", "base: os\n"))
        self.assert_found(self.check(), "layers.txt:1", "os is not listed above base")

    def test_system_header_outside_the_edge_is_caught(self):
        for header in ("fcntl.h", "sys/socket.h", "dlfcn.h", "fstream", "netinet/in.h"):
            self.write("src/facts/b.cc", f"#include <{header}>\n")
            self.assert_found(self.check(), "facts/b.cc", header)

    def test_system_header_is_free_in_the_edge_and_in_tests(self):
        for name in ("os/real_b.cc", "cli/b.cc", "facts/b_test.cc"):
            self.write("src/" + name, "#include <fcntl.h>\n")
        self.assertEqual(self.check(), [])

    def test_os_outside_real_is_no_edge(self):
        self.write("src/os/fake_b.cc", "#include <unistd.h>\n")
        self.assert_found(self.check(), "fake_b.cc")


class House(Tree):
    def check(self):
        return check_house.check(self.root)

    def test_test_that_is_not_built_is_caught(self):
        self.write("src/base/CMakeLists.txt", "lib(base SOURCES b.cc) # b_test.cc\n")
        self.write("src/base/b.cc", "")
        self.write("src/base/b_test.cc", "")
        self.assert_found(self.check(), "b_test.cc", "never built")

    def test_part_of_another_name_does_not_count(self):
        self.write("src/base/CMakeLists.txt", "lib(base SOURCES ab.cc)\n")
        self.write("src/base/b.cc", "")
        self.assert_found(self.check(), "b.cc")

    def test_fuzz_target_may_be_named_by_its_subject(self):
        self.write("fuzz/CMakeLists.txt", "fuzz_target(stat)\n")
        self.write("fuzz/fuzz_stat.cc", "")
        self.assertEqual(self.check(), [])

    def test_private_path_is_caught(self):
        self.write("docs/a.md", "see /" + "work/main/README\n")
        self.assert_found(self.check(), "docs/a.md:1")

    def test_longer_path_is_not_mistaken_for_it(self):
        self.write("docs/a.md", "/data/" + "work/x and net" + "work/y\n")
        self.assertEqual(self.check(), [])


class Docs(Tree):
    def check(self):
        return check_docs.check(self.root)

    def test_paths_that_exist_pass(self):
        self.write("DESIGN.md", "`src/base/a.h` `base/a.h` `src/*/a.h` `src/base/<name>.cc` `/proc/stat`\n")
        self.assertEqual(self.check(), [])

    def test_file_that_is_gone_is_caught_with_its_line(self):
        self.write("CONTRIBUTING.md", "one\n`src/base/gone.cc`\n")
        self.assert_found(self.check(), "CONTRIBUTING.md:2", "src/base/gone.cc")

    def test_folder_that_is_gone_is_caught(self):
        self.write("docs/a.md", "`gone/`\n")
        self.assert_found(self.check(), "gone/")

    def test_folder_of_a_file_to_be_written_must_exist(self):
        self.write("docs/a.md", "`src/gone/<name>.cc`\n")
        self.assert_found(self.check(), "src/gone/<name>.cc")

    def test_pattern_without_match_is_caught(self):
        self.write("docs/a.md", "`src/os/real_*.cc`\n")
        self.assert_found(self.check(), "real_*.cc")

    def test_link_that_leads_nowhere_is_caught(self):
        self.write("docs/a.md", "[1](b.md) [2](../src/base/a.h#x) [3](https://example.org/b.md)\n")
        self.assert_found(self.check(), "docs/a.md:1", "b.md")

    def test_rule_without_a_row_of_confidence_is_caught(self):
        self.write("src/diagnose/rules.cc", '    {"gpu.idle", GpuIdle},\n    {"xid.new", XidNew},\n    {"step.a", A},\n')
        self.write("docs/confidence.md", "`xid.new` in prose\n\n| what | high |\n| `gpu.idle`, `step.*` | yes |\n")
        self.assert_found(self.check(), "docs/confidence.md", "xid.new")

    def test_commands_and_words_are_not_paths(self):
        self.write("README.md", "`--from FILE` `ctest -L unit` `host.cpu.busy` `T/N`\n```\n`x/y.cc`\n```\n")
        self.assertEqual(self.check(), [])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
