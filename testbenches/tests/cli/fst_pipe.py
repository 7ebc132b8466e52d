# testbenches/tests/cli/fst_pipe.py: a program without GTKWave's writer writes waves in FST by vcd2fst.
# SPDX-License-Identifier: Apache-2.0
"""Usage: fst_pipe.py FOLDER

Builds the program in FOLDER with -DFLITWAVE_FSTAPI=OFF, and compares the waves that it writes in FST and in VCD.
"""
import os
import pathlib
import subprocess
import sys
import unittest

import program
from timeline_case import JOB, TimelineCase

ROOT = pathlib.Path(__file__).resolve().parents[3]


def build(folder):
    """Returns: the program."""
    settings = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", "-DFLITWAVE_TESTS=OFF",
                "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=48", "-DFLITWAVE_FSTAPI=OFF"]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *settings], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "flitwave", "--parallel", "2"], check=True)
    return str(pathlib.Path(folder).resolve() / "tools" / "flitwave")


class FstPipeTest(TimelineCase):
    def record(self, settings, code=0, **options):
        return self.flitwave("run", self.job(JOB + f"wave: {{{settings}}}\n"), "--out", "out", "--quiet", code=code,
                             **options)

    def with_programs(self, **texts):
        """The environment in which there are these programs only, with the text of each."""
        for name, text in texts.items():
            path = self.folder / name
            path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            path.chmod(0o755)
        return {**os.environ, "PATH": str(self.folder)}

    def test_a_wave_in_fst_has_the_signals_times_and_values_of_one_in_vcd(self):
        self.record("format: vcd")
        expected = self.signals("wave.vcd")
        self.record("format: fst")
        self.assertNotIn("wave.vcd", self.names("out"))
        subprocess.run(["fst2vcd", "-f", "out/wave.fst", "-o", "out/read.vcd"], cwd=self.folder, check=True)
        found = self.signals("read.vcd")
        self.assertGreater(len(found), 300)
        self.assertEqual(found, expected)

    def test_the_timeline_has_the_signals_of_the_wave(self):
        self.record("format: fst, select: [channel_*]")
        self.flitwave("timeline", "out", "--vcd")
        self.assertIn("testbench.netlist.tile_0_0.channel_0_0_to_1_0.valid", self.changes("timeline.vcd"))

    def test_without_vcd2fst_the_wave_is_an_error_that_names_the_package(self):
        done = self.record("format: fst", code=2, env=self.with_programs())
        self.assertIn("wave.format: this program was built without a writer of FST, and there is no vcd2fst; install "
                      "the package gtkwave", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_failure_of_vcd2fst_is_an_error_and_leaves_no_results(self):
        for text in ("exit 3", "while read -r line; do :; done; exit 3"):
            done = self.record("format: fst", code=5, env=self.with_programs(vcd2fst=text))
            self.assertIn("wave.fst", done.stderr)
            self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    program.PROGRAM = build(sys.argv.pop(1))
    unittest.main()
