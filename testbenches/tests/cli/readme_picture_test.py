#!/usr/bin/env python3
# testbenches/tests/cli/readme_picture_test.py: the first command of the README plots its picture.
# SPDX-License-Identifier: Apache-2.0
import re
import subprocess
import unittest

from program import SOURCE, ProgramTest

README = (SOURCE / "README.md").read_text(encoding="utf-8")


class ReadmePicture(ProgramTest):
    def test_the_first_command_plots_the_picture(self):
        picture = SOURCE / re.search(r"!\[[^]]+\]\((\S+\.svg)\)", README)[1]
        job = SOURCE / re.search(r"^tools/flitwave run (\S+)", README, re.MULTILINE)[1]

        self.flitwave("run", job, "--out", "out")

        out = self.folder / "out"
        shown = picture.with_suffix(".dat").read_text(encoding="utf-8")
        self.assertEqual((out / "plot.dat").read_text(encoding="utf-8"), shown)
        self.assertEqual((out / "plot.svg").read_text(encoding="utf-8"), picture.read_text(encoding="utf-8"))

        # The script and the data alone give the same picture.
        again = subprocess.run(["gnuplot", "plot.gp"], cwd=out, capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(again.stdout, picture.read_text(encoding="utf-8"))

        self.assertEqual((out / "plot.pdf").read_bytes()[:5], b"%PDF-")


if __name__ == "__main__":
    unittest.main()
