#!/usr/bin/env python3
# testbenches/tests/cli/bad_jobs_test.py: every invalid job is rejected with the error in its first line.
# SPDX-License-Identifier: Apache-2.0
"""The first line of an invalid job: `# expect: CODE [FILE:]LINE:COLUMN PART-OF-THE-MESSAGE`; a line
`# args: ...` contains further arguments for `flitwave run`."""
import re
import shlex
import unittest

from program import INSTRUMENTED, SOURCE, ProgramTest

FOLDER = SOURCE / "testbenches" / "tests" / "bad_jobs"
EXPECT = re.compile(r"# expect: (\d+) (?:(\S+):)?(\d+):(\d+) (.+)")
REMEDY = re.compile(r"; .{8}|must be |expected .* or ")


class BadJobs(ProgramTest):
    """One case for each file."""

    def check_rejected(self, file):
        text = file.read_text(encoding="utf-8")
        expect = EXPECT.fullmatch(text.splitlines()[0])
        self.assertIsNotNone(expect, "the first line does not specify the expected error")
        code, where, line, column, part = expect.groups()
        if where and (FOLDER / where).is_file():
            where = FOLDER / where
        more = re.search(r"^# args: (.*)", text, re.M)
        arguments = shlex.split(more[1]) if more else []

        done = self.flitwave("run", file, *arguments, code=int(code))

        message = done.stderr
        self.assertEqual(done.stdout, "")
        self.assertTrue(message.startswith(f"{where or file}:{line}:{column}: "), message)
        self.assertIn(part, message)
        self.assertRegex(message, REMEDY)
        self.assertEqual(message.count("\n"), 1, "the error is one line")
        self.assertEqual(list(self.folder.iterdir()), [], "something was written")
        if INSTRUMENTED:
            return
        checked = self.flitwave("check", file, *arguments, code=int(code))
        self.assertEqual(checked.stderr, message, "check reports the same")


def case(file):
    return lambda self: self.check_rejected(file)


for bad_job in sorted(FOLDER.glob("*.yaml")):
    setattr(BadJobs, f"test_{bad_job.stem}", case(bad_job))


class Breadth(unittest.TestCase):
    def test_there_are_at_least_twenty_invalid_jobs(self):
        self.assertGreaterEqual(len(list(FOLDER.glob("*.yaml"))), 20)


if __name__ == "__main__":
    unittest.main()
