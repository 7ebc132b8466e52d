#!/usr/bin/env python3
# testbenches/tests/cli/reproduce_test.py: tools/reproduce: a paper's experiments and the page of verdicts.
# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys

from program import PROGRAM, SOURCE, ProgramTest, unittest

STEPS = """\
experiment: paper_fig_1
about: steps on a small mesh
origin: printed
scenario:
  scenario: small
  evaluation: untimed
  topology: {kind: mesh, shape: [4, 4]}
  node: {ports: 3}
  operation: {kind: broadcast, root: 0, message: 8 B}
  algorithm: {kind: edn}
  observe: []
sweep: {algorithm.kind: [edn, recursive_doubling]}
plot: {kind: lines, x: transfers, y: steps, series: algorithm.kind}
expect:
  - {about: EDN takes three steps, value: steps, of: {algorithm.kind: edn}, equals: 3}
  - {about: doubling takes four, value: steps, of: {algorithm.kind: recursive_doubling}, between: [4, 4]}
  - {about: EDN takes fewer, origin: read, value: steps, of: {algorithm.kind: edn}, less_than: {of: {algorithm.kind: recursive_doubling}}}
"""
# Each expectation and a change that makes it false.
ALTERED = [("equals: 3", "equals: 4"), ("between: [4, 4]", "between: [5, 6]"),
           ("less_than: {of", "more_than: {of")]


class Reproduce(ProgramTest):
    def reproduce(self, experiment, *options):
        """Runs a copy of the tool in a temporary tree with two experiments of a paper."""
        tree = self.folder / "tree"
        paper = tree / "configs/experiments/paper"
        paper.mkdir(parents=True, exist_ok=True)
        (tree / "tools").mkdir(exist_ok=True)
        for script in ("reproduce.py", "reproduce_page.py"):
            (tree / "tools" / script).write_bytes((SOURCE / "tools" / script).read_bytes())
        (paper / "fig_1.yaml").write_text(experiment, encoding="utf-8")
        (paper / "table_2.yaml").write_text(STEPS.replace("fig_1", "table_2"), encoding="utf-8")
        done = subprocess.run([sys.executable, tree / "tools/reproduce.py", "paper", "--program",
                               PROGRAM, *options], capture_output=True, text=True, timeout=120, check=False)
        page = tree / "docs/results/paper.md"
        return done, page.read_text(encoding="utf-8") if page.exists() else ""

    def test_the_page_has_claims_figures_and_verdicts(self):
        done, page = self.reproduce(STEPS)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fig_1 begins", done.stdout)
        self.assertRegex(done.stdout, r"\[[12]/2\] fig_1: 3 of 3 claims hold")
        self.assertIn("| [Fig. 1](#fig_1) | steps on a small mesh | 2 of 2 | 1 of 1 |  | holds |", page)
        self.assertIn("| EDN takes three steps | printed | 3 | 3 | holds |", page)
        self.assertIn("| printed | printed in the source | 4 of 4 |  |", page)
        self.assertIn("| read | read from its text or drawn figures | 2 of 2 |  |", page)
        self.assertIn("## Table 2", page)
        self.assertIn("![fig_1_plot.svg](paper/fig_1_plot.svg)", page)
        self.assertTrue((self.folder / "tree/docs/results/paper/fig_1_plot.svg").exists())
        data = (self.folder / "tree/docs/results/paper/fig_1_plot.dat").read_text(encoding="utf-8")
        self.assertTrue(data.startswith('"series"\t'), data)

    def test_jobs_without_a_number_are_listed_last(self):
        paper = self.folder / "tree/configs/experiments/paper"
        paper.mkdir(parents=True)
        (paper / "a_load.yaml").write_text(STEPS.replace("fig_1", "a_load"), encoding="utf-8")
        (paper / "mesh_4x4.yaml").write_text(STEPS.replace("fig_1", "mesh_4x4"), encoding="utf-8")

        done, page = self.reproduce(STEPS)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| [Ours: a load](#a_load) |", page)
        self.assertIn("| [Ours: mesh 4x4](#mesh_4x4) |", page)
        self.assertLess(page.index("## Table 2"), page.index("## Ours: mesh 4x4"))
        self.assertLess(page.index("## Table 2"), page.index("## Ours: a load"))

    def test_a_claim_that_contradicts_the_paper_counts_as_not_reproduced(self):
        against = 'equals: 3, contradicts: "it takes two"}'
        done, page = self.reproduce(STEPS.replace("equals: 3}", against))

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| 1 of 1 | 1 of 1 |  | holds, but 1 not reproduced |", page)
        self.assertIn("fig_1: 2 of 2 claims hold, 1 not reproduced", done.stdout)
        self.assertIn("| EDN takes three steps (the paper: it takes two) | printed | 3 | 3 | **not reproduced** |", page)

        done, page = self.reproduce(STEPS.replace("equals: 3}", against.replace("equals: 3", "equals: 2")))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("(the paper: it takes two) | printed | 2 | 3 | **does not hold** |", page)

    def test_any_altered_expectation_ends_with_code_4(self):
        for written, altered in ALTERED:
            with self.subTest(altered):
                done, page = self.reproduce(STEPS.replace(written, altered))
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("fig_1: 2 of 3 claims hold\n    MISSED  ", done.stdout)
                self.assertEqual(done.stdout.count("MISSED"), 1)
                self.assertEqual(page.count("| **does not hold** |"), 2)  # the claim and its figure

    def test_the_missed_claims_are_printed(self):
        done, _ = self.reproduce(STEPS.replace("equals: 3", "equals: 4"))

        self.assertIn("MISSED  EDN takes three steps: steps of algorithm.kind: edn: 3, expected 4",
                      done.stdout)

    def test_claims_of_one_sentence_have_a_row_with_the_range_of_their_settings(self):
        both = STEPS.replace("of: {algorithm.kind: edn}, equals: 3",
                             "for: {algorithm.kind: [edn, recursive_doubling]}, between: [3, 4]")
        done, page = self.reproduce(both)

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| EDN takes three steps [2 settings: algorithm.kind: edn … algorithm.kind: recursive_doubling] "
                      "| printed | 3 .. 4 | 3 … 4 | holds |", page)

        done, page = self.reproduce(both.replace("between: [3, 4]", "equals: 3"))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("| EDN takes three steps [algorithm.kind: edn] | printed | 3 | 3 | holds |", page)
        self.assertIn("[algorithm.kind: recursive_doubling] | printed | 3 | 4 | **does not hold** |", page)

    def test_claims_with_a_name_are_listed_by_it_with_their_figures(self):
        named = STEPS.replace("{about: EDN takes three", "{label: A10, about: EDN takes three").replace(
            "{about: doubling", "{label: A2, about: doubling")
        done, page = self.reproduce(named)

        self.assertEqual(done.returncode, 0, done.stderr)
        doubling = "| A2 | doubling takes four | printed | 4 | 4 | holds | [Fig. 1](#fig_1) |"
        edn = "| A10 | EDN takes three steps | printed | 3 | 3 | holds | [Fig. 1](#fig_1) |"
        self.assertIn("## Claims by name", page)
        self.assertLess(page.index(doubling), page.index(edn))
        self.assertNotIn("EDN takes fewer", page[page.index("## Claims by name"):page.index('<a id="fig_1">')])

        _, page = self.reproduce(STEPS)
        self.assertNotIn("## Claims by name", page)

    def test_a_full_run_has_further_points_and_a_separate_page_and_is_continued(self):
        larger = STEPS.replace("origin: printed\n", """origin: printed
full:
  sweep: {algorithm.kind: [edn, recursive_doubling, separate]}
  expect: [{about: separate messages take five, value: steps, of: {algorithm.kind: separate}, equals: 5}]
""")
        done, page = self.reproduce(larger, "--full")

        self.assertEqual((done.returncode, page), (0, ""), done.stderr)
        self.assertIn("fig_1: 4 of 4 claims hold", done.stdout)
        self.assertIn("table_2: 3 of 3 claims hold", done.stdout)
        docs = self.folder / "tree/docs/results"
        page = (docs / "paper_full.md").read_text(encoding="utf-8")
        self.assertIn("Written by `tools/reproduce paper --full`", page)
        self.assertIn("| separate messages take five | printed | 5 | 5 | holds |", page)
        self.assertTrue((docs / "paper_full/fig_1_plot.svg").exists())

        point = self.folder / "tree/results/reproduce/paper_full/fig_1/points/0000.json"
        written = point.stat().st_mtime_ns
        self.reproduce(larger, "--full")
        self.assertEqual(point.stat().st_mtime_ns, written)

        _, page = self.reproduce(larger)
        self.assertNotIn("take five", page)

    def test_a_full_page_is_written_when_all_jobs_have_been_run_one_after_another(self):
        done, _ = self.reproduce(STEPS, "--full", "--only", "fig_1")
        docs = self.folder / "tree/docs/results"
        page = docs / "paper_full.md"
        self.assertEqual((done.returncode, page.exists()), (0, False), done.stderr)
        self.assertIn("no page is written before these are run, too: table_2", done.stdout)

        done, _ = self.reproduce(STEPS, "--full", "--only", "table_2")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text(encoding="utf-8")
        self.assertIn("| printed | printed in the source | 4 of 4 |  |", text)
        self.assertRegex(text, r"Its 4 points took \d+\.\d hours of processor time\.")

        done, _ = self.reproduce(STEPS.replace("on a small mesh", "on a mesh"), "--full", "--only", "table_2")
        self.assertIn("no page is written before these are run, too: fig_1", done.stdout)
        self.assertEqual(page.read_text(encoding="utf-8"), text)

    def test_a_claim_without_an_origin_is_rejected(self):
        done, page = self.reproduce(STEPS.replace("origin: printed\n", ""))

        self.assertEqual((done.returncode, page), (2, ""))
        self.assertIn("no origin of the claim: EDN takes three steps", done.stderr)

    def test_an_invalid_job_is_reported_with_its_error_and_leaves_the_page_unchanged(self):
        _, before = self.reproduce(STEPS)
        done, page = self.reproduce(STEPS.replace("kind: mesh", "kind: mush"))

        self.assertEqual(done.returncode, 2)
        self.assertIn("fig_1: exit code 2", done.stderr)
        self.assertIn("did you mean `mesh`?", done.stderr)
        self.assertIn("no page is written, because of jobs without results: fig_1", done.stderr)
        self.assertIn("# paper: what the experiments found", before)
        self.assertEqual(page, before)

    def test_an_experiment_without_claims_is_no_experiment_of_a_paper(self):
        for claims in ("", "expect: []\n"):
            with self.subTest(claims):
                done, page = self.reproduce(STEPS[:STEPS.index("expect:")] + claims)
                self.assertEqual((done.returncode, page), (2, ""))
                self.assertIn("fig_1: exit code 2\nit has no claims", done.stderr)

    def test_a_selection_of_experiments_writes_no_page(self):
        for only, code in (("table_2", 0), ("table*", 0), ("table", 2), ("nothing", 2)):
            with self.subTest(only):
                done, page = self.reproduce(STEPS, "--only", only)
                self.assertEqual((done.returncode, page), (code, ""), done.stderr)
                self.assertNotIn("fig_1", done.stdout)


if __name__ == "__main__":
    unittest.main()
