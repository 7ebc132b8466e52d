# testbenches/unit/tools/check_build_test.py: what the check of the build's cost finds too much.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "tools"))
import check_build  # noqa: E402

RECORDED = {"reference_seconds": 5.0, "references_per_1000_lines": 1.0}


class CheckBuild(unittest.TestCase):
    def judge(self, costs, reference=5.0, lines=40_000):
        return check_build.judge(costs, reference, lines, RECORDED)

    def test_a_cheap_program_passes(self):
        self.assertEqual(self.judge({"a.o": 30.0, "b.o": 39.0})[1], [])

    def test_an_object_above_eight_references_is_listed_and_above_twelve_is_too_much(self):
        said, faults = self.judge({"a.o": 61.0, "b.o": 41.0, "c.o": 39.0})
        self.assertEqual(faults, ["a.o"])
        self.assertIn("12.2 references: a.o", said[0])
        self.assertIn("8.2 references: b.o", said[1])
        self.assertNotIn("c.o", "\n".join(said))

    def test_growth_is_judged_for_each_line(self):
        costs = {f"{n}.o": 22.2 for n in range(10)}  # 44.4 references
        self.assertEqual(self.judge(costs)[1], ["growth"])
        self.assertEqual(self.judge(costs, lines=41_000)[1], [])

    def test_the_whole_has_a_limit_on_the_recorded_machine(self):
        costs = {f"{n}.o": 26.2 for n in range(10)}
        self.assertEqual(self.judge(costs, lines=60_000)[1], ["whole"])
        self.assertEqual(self.judge(costs, reference=5.1, lines=60_000)[1], [])

    def test_a_machine_of_half_the_speed_changes_nothing(self):
        said, faults = self.judge({"a.o": 120.0, "b.o": 50.0}, reference=10.0)
        self.assertEqual(faults, [])
        self.assertIn("85 s on the recorded machine", "\n".join(said))

    def test_the_last_note_of_an_object_counts_and_a_missing_one_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            notes = pathlib.Path(folder) / "costs"
            notes.write_text("a.o 3.00\nx.o 9.00\na.o 4.50\n", encoding="utf-8")
            self.assertEqual(check_build.noted_costs(notes, ["a.o"]), {"a.o": 4.5})
            with self.assertRaisesRegex(SystemExit, "does not note b.o"):
                check_build.noted_costs(notes, ["a.o", "b.o"])


if __name__ == "__main__":
    unittest.main()
