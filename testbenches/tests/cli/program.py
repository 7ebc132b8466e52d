# testbenches/tests/cli/program.py: the program under test, and jobs for it.
# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the command-line tests."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("FLITWAVE_PROGRAM", str(SOURCE / "build/release/tools/flitwave"))
ALL_SCENARIOS = sorted((SOURCE / "configs/scenarios").glob("*.yaml"))
# Whether sanitizers instrument the program, which makes it far slower: a test with many cases of one
# kind has few of them.
INSTRUMENTED = bool(os.environ.get("FLITWAVE_SANITIZE"))
# Those that the ordinary program can run.
SCENARIOS = [file for file in ALL_SCENARIOS if "\nneeds:" not in file.read_text(encoding="utf-8")]

BROADCAST = """\
scenario: small
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole, preset: single_cycle}
node: {ports: all, send_overhead: 1 us, receive_overhead: 1 us}
operation: {kind: broadcast, root: [1, 1], message: 64 B}
algorithm: {kind: edn}
observe: [{kind: latency}, {kind: steps}]
"""

# A simulation that lasts longer than any test waits.
ENDLESS = """\
scenario: endless
topology: {kind: mesh, shape: [8, 8]}
router: {kind: wormhole, preset: single_cycle}
traffic: {rate: 0.3 flit/node/cycle, warmup: 1000 cycle, measure: 1000000000 cycle}
"""


class ProgramTest(unittest.TestCase):
    """Runs the program in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def job(self, text, name="job.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def flitwave(self, *arguments, code=0, **options):
        """Runs the program; the exit code must be `code`."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=120, check=False, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def names(self, folder="."):
        """The visible files and folders in a folder."""
        return sorted(file.name for file in (self.folder / folder).iterdir()
                      if not file.name.startswith("."))
