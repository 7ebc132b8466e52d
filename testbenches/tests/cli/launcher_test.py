#!/usr/bin/env python3
# testbenches/tests/cli/launcher_test.py: the output of tools before anything is built.
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import unittest

from program import SOURCE, ProgramTest

PAGE = (SOURCE / "docs/reference/commands.md").read_text(encoding="utf-8")
COMMANDS = [heading.split() for heading in re.findall(r"^## flitwave\b(.*)$", PAGE, re.MULTILINE)]


class Launcher(ProgramTest):
    def launcher(self, *arguments):
        """Returns: its output, for which it must build nothing."""
        builds = self.folder / "builds"
        done = subprocess.run([SOURCE / "tools/flitwave", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, check=True,
                              env={**os.environ, "FLITWAVE_BUILD": str(builds)})
        self.assertFalse(builds.exists())
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_each_help_is_the_program_s_to_the_byte(self):
        self.assertIn(["model", "tau"], COMMANDS)
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(self.launcher(*command, "--help"), self.flitwave(*command, "--help").stdout)

    def test_help_is_accepted_at_any_position(self):
        for words in ("run configs/x.yaml --help", "run --help configs/x.yaml", "--help run", "run --quiet -h",
                      "run --out list --help", "nonsense run -h", "model -h tau", "model tau a.json --help"):
            with self.subTest(words):
                self.assertEqual(self.launcher(*words.split()), self.flitwave(*words.split()).stdout)

    def test_a_search_without_its_number_is_reported_in_one_line_with_code_2(self):
        builds = self.folder / "builds"
        for words in (["--minutes"], ["--seed"], ["--minutes", "soon"]):
            with self.subTest(words):
                done = subprocess.run([SOURCE / "tools/fuzz", "--reader", *words], cwd=self.folder, text=True,
                                      capture_output=True, timeout=60, check=False,
                                      env={**os.environ, "FLITWAVE_BUILD": str(builds)})
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"\Aflitwave: tools/fuzz: {words[0]} needs a number, e\.g\. .*\n\Z")
                self.assertFalse(builds.exists())

    def test_a_job_that_needs_rtl_ends_with_code_5_and_the_call_that_runs_it(self):
        job = self.job("scenario: small\nneeds: rtl\ntopology: {kind: mesh, shape: [4, 4]}\n"
                       "traffic: {rate: 0.1 flit/node/cycle}\n", "a job.yaml")
        done = self.flitwave("run", job, "--set", "topology.shape=[2, 2]", "--quiet", code=5)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, "a job.yaml:2:1: needs: this program was built without routers in Verilog\n"
                         "run it with: tools/flitwave --rtl run 'a job.yaml' --set 'topology.shape=[2, 2]' --quiet\n")
        self.assertEqual(self.names(), ["a job.yaml"])
        self.job("scenario: small\ntopology: {kind: mesh, shape: [4, 4]}\n"
                 "router: {kind: wormhole, at: [{nodes: [0], kind: verilated, model: wormhole_1vc}]}\n"
                 "traffic: {rate: 0.1 flit/node/cycle}\n")
        self.assertRegex(self.flitwave("check", "job.yaml", code=5).stderr,
                         r"job.yaml:3:\d+: router.at\[0\].kind: .*\nrun it with: tools/flitwave --rtl check job.yaml\n\Z")
        self.job("scenario: small\nneeds: wings\ntopology: {kind: mesh, shape: [4, 4]}\n")
        self.assertIn("job.yaml:2:1: needs: `wings` is no part of the program; write `needs: rtl`",
                      self.flitwave("check", "job.yaml", code=2).stderr)

    def test_the_help_with_routers_in_verilog_is_the_program_s(self):
        self.assertEqual(self.launcher("--rtl", "run", "--help"), self.flitwave("run", "--help").stdout)

    def test_the_version_is_the_program_s(self):
        self.assertEqual(self.launcher("--version"), self.flitwave("--version").stdout)


if __name__ == "__main__":
    unittest.main()
