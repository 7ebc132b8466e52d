# testbenches/tests/unit/tools/check_docs_test.py: correct pages, and pages with each fault.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[4] / "tools" / "check_docs.py"
CODE = "int f() {\n  // [body]\n  return 1;\n    // deeper\n  // [body]\n}\n"
PROGRAM = """#!/bin/sh
case "$1" in
  list) printf 'topology: networks\\n  mesh   a grid\\n  ring   a ring\\n\\njob: rest\\n' ;;
  describe) echo "about $2" ;;
  model)
    case "$2" in
      tau) echo "of a tau-plot" ;;
      *) printf 'formulas\n\nSubcommands:\n  tau                     a table\n' ;;
    esac ;;
  *) printf 'the program\n\nSubcommands:\n  model                   formulas that are many\n' ;;
esac
"""


class CheckDocs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def check(self, *arguments):
        """Exit code and output."""
        run = subprocess.run([sys.executable, SCRIPT, "--root", self.root, *arguments],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def accepts(self, *arguments):
        self.assertEqual(self.check(*arguments), (0, ""))

    def rejects(self, part, *arguments):
        code, output = self.check(*arguments)
        self.assertEqual(code, 1)
        self.assertIn(part, output)

    def page(self, block, mark="<!-- cut: modules/a.cpp [body] -->"):
        return self.write("docs/a.md", f"# A\n\n{mark}\n```cpp\n{block}```\n\nText.\n")

    def test_links_lead_to_files(self):
        self.write("docs/b.md", "here\n")
        page = self.write("docs/a.md", "[b](b.md#part), [top](#a), [w](https://x.org/y), `[c](d.md)`\n")
        self.accepts()
        page.write_text("text\n![picture](../gone.svg)\n")
        self.rejects("docs/a.md:2: the link to ../gone.svg")

    def test_a_block_equals_the_text_between_the_marks(self):
        self.write("modules/a.cpp", CODE)
        self.page("return 1;\n  // deeper\n")
        self.accepts()
        self.page("return 2;\n")
        self.rejects("docs/a.md:4: the block differs from modules/a.cpp")

    def test_a_block_without_a_name_is_a_whole_file(self):
        self.write("configs/a.yaml", "scenario: a\n")
        self.write("README.md", "<!-- cut: configs/a.yaml -->\n```yaml\nscenario: a\n```\n")
        self.accepts()
        self.write("configs/a.yaml", "scenario: b\n")
        self.rejects("README.md:2:")

    def test_writing_refreshes_the_block_and_nothing_else(self):
        self.write("modules/a.cpp", CODE)
        page = self.page("return 2;\n")
        self.accepts("--write")
        self.assertEqual(page.read_text(), self.page("return 1;\n  // deeper\n").read_text())
        self.accepts()

    def test_a_mark_occurs_twice_in_an_existing_file(self):
        self.write("modules/a.cpp", "int a;\n// [body]\n")
        self.page("int a;\n")
        self.rejects("holds it 1 times")
        (self.root / "modules/a.cpp").unlink()
        self.rejects("no such file")
        self.rejects("no such file", "--write")

    def test_cpp_on_a_page_is_cut_from_a_file(self):
        self.page("int a;\n", mark="")
        self.rejects("docs/a.md:4: C++ on a page is cut")
        (self.root / "docs/a.md").rename(self.root / "a.md")
        self.accepts()

    def test_blocks_that_a_tool_writes_are_not_empty(self):
        page = self.write("docs/a.md", "<!-- table: begin -->\n| a |\n<!-- table: end -->\n")
        self.accepts()
        page.write_text("text\n<!-- table: begin -->\n\n<!-- table: end -->\n")
        self.rejects("docs/a.md:2: the block table is empty")
        self.rejects("docs/a.md:2: the block table is empty", "--write")
        page.write_text("<!-- table: begin -->\n| a |\n")
        self.rejects("docs/a.md:1: the block table has no end")
        page.write_text("| a |\n<!-- table: end -->\n")
        self.rejects("docs/a.md:2: the block table ends here, but has not begun")

    def test_the_stops_of_the_walk_exist(self):
        self.write("docs/life_of_a_flit.md", "Stop 1, `modules/channel/channel.cpp`, is where\n")
        self.rejects("the stop modules/channel/channel.cpp is gone")
        self.write("modules/channel/channel.cpp", "")
        self.accepts()
        self.write("docs/life_of_a_flit.md", "nowhere\n")
        self.rejects("names no file")
        self.write("docs/life_of_a_flit.md", "`modules/channel/channel.cpp`\n")
        self.write("docs/life_of_a_job.md", "`configs/gone.cpp`\n")
        self.rejects("docs/life_of_a_job.md: the stop configs/gone.cpp is gone")

    def test_the_reference_equals_the_output_of_the_program(self):
        program = self.write("program.sh", PROGRAM)
        program.chmod(0o755)
        stale = self.write("docs/reference/gone.md", "a section that was removed\n")
        self.rejects("docs/reference/topology.md", "--program", program)
        self.accepts("--program", program, "--write")
        self.assertFalse(stale.exists())
        self.assertIn("## ring\n\n```text\nabout topology.ring\n```\n",
                      (self.root / "docs/reference/topology.md").read_text())
        commands = (self.root / "docs/reference/commands.md").read_text()
        self.assertIn("## flitwave\n\n```text\nthe program\n", commands)
        self.assertIn("## flitwave model tau\n\n```text\nof a tau-plot\n```\n", commands)
        self.accepts("--program", program)

    def test_dialect_words_are_reported_with_better_ones(self):
        self.write("modules/a.hpp", "// a router heeds it\n// <circle cx>\n")
        self.write("docs/page.md", "no circles\n")
        code, output = self.check()
        self.assertEqual(code, 1)
        self.assertIn("modules/a.hpp:1: `heeds`: write support", output)
        self.assertIn("docs/page.md:1: `circles`: write cycle", output)
        self.assertNotIn("a.hpp:2", output)


if __name__ == "__main__":
    unittest.main()
