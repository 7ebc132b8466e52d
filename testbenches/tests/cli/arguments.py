#!/usr/bin/env python3
# testbenches/tests/cli/arguments.py: command-line arguments of the programs other than flitwave.
# SPDX-License-Identifier: Apache-2.0
"""Usage: arguments.py FUZZ BENCH CROSSVAL FUZZ_JOBS: the programs behind the tools of these names."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = {}
JOB = """scenario: late
topology: {kind: mesh, shape: [2, 2]}
router: {kind: wormhole, at: [{kind: wormhole, nodes: [0], route_delay: 2 cycle}]}
traffic: {rate: 0 flit/node/cycle, packet: 4 flit, measure: 100 cycle}
"""


def run(name, *arguments):
    return subprocess.run([PROGRAMS[name], *arguments], capture_output=True, text=True, check=False, timeout=120)


class Arguments(unittest.TestCase):
    def test_a_wrong_argument_is_reported_in_one_line_with_code_2(self):
        for name in PROGRAMS:
            done = run(name, "--nonsense")
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertRegex(done.stderr, rf"\Atools/{name}: .*--nonsense.*; see `tools/{name} --help`\n\Z")

    def test_help_is_no_error(self):
        for name in PROGRAMS:
            self.assertEqual(run(name, "--help").returncode, 0, name)

    def test_unknown_rows_are_rejected_with_the_known_rows(self):
        done = run("bench", "--only", "nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("8x8, 4 vc, 0.1; ", done.stderr)

    def test_rows_that_exist_are_measured(self):
        done = run("bench", "--rounds", "1", "--only", "8x8, 1 vc, 0")
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1 if other load slows the machine
        self.assertIn("| 8x8, 1 vc, 0 | 81000 | 0 |", done.stdout)
        self.assertIn("| equal |", done.stdout)
        self.assertNotIn("16x16", done.stdout)

    def test_a_setting_that_the_reference_does_not_support_is_rejected_at_its_position(self):
        with tempfile.TemporaryDirectory() as folder:
            job = pathlib.Path(folder) / "job.yaml"
            job.write_text(JOB, encoding="utf-8")
            done = run("fuzz", job)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith(f"{job}:3:26: router.at: "), done.stderr)
            job.write_text(JOB.replace("router", "# "), encoding="utf-8")
            self.assertIn("no packet measured", run("fuzz", "--alone", job).stdout)


if __name__ == "__main__":
    PROGRAMS = dict(zip(("fuzz", "bench", "crossval", "fuzz --jobs"), sys.argv[1:5]))
    unittest.main(argv=sys.argv[:1])
