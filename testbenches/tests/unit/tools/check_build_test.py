# testbenches/tests/unit/tools/check_build_test.py: the limits of the check of the build's cost.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools"))
import check_build  # noqa: E402

RECORDED = {"reference_seconds": 5.0, "references_per_1000_lines": 1.0}


class CheckBuild(unittest.TestCase):
    def judge(self, costs, reference=5.0, lines=40_000):
        return check_build.judge(costs, reference, lines, RECORDED)

    def test_a_cheap_program_passes(self):
        self.assertEqual(self.judge({"a.o": 30.0, "b.o": 39.0})[1], [])

    def test_an_object_above_eight_references_is_listed_and_above_twelve_is_a_fault(self):
        output, faults = self.judge({"a.o": 61.0, "b.o": 41.0, "c.o": 39.0})
        self.assertEqual(faults, ["a.o"])
        self.assertIn("12.2 references: a.o", output[0])
        self.assertIn("8.2 references: b.o", output[1])
        self.assertNotIn("c.o", "\n".join(output))

    def test_growth_is_judged_per_line(self):
        costs = {f"{n}.o": 22.2 for n in range(10)}  # 44.4 references
        self.assertEqual(self.judge(costs)[1], ["growth"])
        self.assertEqual(self.judge(costs, lines=41_000)[1], [])

    def test_the_whole_has_a_limit_on_the_recorded_machine(self):
        costs = {f"{n}.o": 30.2 for n in range(10)}
        self.assertEqual(self.judge(costs, lines=66_000)[1], ["whole"])
        self.assertEqual(self.judge(costs, reference=5.1, lines=66_000)[1], [])

    def test_a_machine_of_half_the_speed_gives_the_same_verdict(self):
        output, faults = self.judge({"a.o": 120.0, "b.o": 50.0}, reference=10.0)
        self.assertEqual(faults, [])
        self.assertIn("85 s on the recorded machine", "\n".join(output))

    def test_the_last_note_of_an_object_counts_and_a_missing_one_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            notes = pathlib.Path(folder) / "costs"
            notes.write_text("a.o 3.00\nx.o 9.00\na.o 4.50\n", encoding="utf-8")
            self.assertEqual(check_build.noted_costs(notes, ["a.o"]), {"a.o": 4.5})
            with self.assertRaisesRegex(check_build.CannotJudge, "does not contain b.o"):
                check_build.noted_costs(notes, ["a.o", "b.o"])

    def test_missing_data_give_one_sentence_and_code_2(self):
        tool = pathlib.Path(check_build.__file__)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)

            def output():
                done = subprocess.run([tool, folder, folder / "costs"], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                return done.stderr

            self.assertIn("is not a build folder", output())
            (folder / "build.ninja").write_text("rule r\n  command = true\nbuild other: r\n", encoding="utf-8")
            self.assertIn("does not build the program: ", output())
            (folder / "build.ninja").write_text("rule r\n  command = true\nbuild flitwave: r\n", encoding="utf-8")
            self.assertIn("costs cannot be read", output())
            (folder / "costs").write_text("a.o 3.00\nb.o\n", encoding="utf-8")
            self.assertIn("costs:2: not an object and its seconds; remove it", output())

    def test_compiling_again_leaves_the_build_folder_unchanged(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            launcher = ROOT / "tools/timed_compiler"
            (folder / "a b.cpp").write_text('#include "header.hpp"\n', encoding="utf-8")
            (folder / "header.hpp").write_text("inline int f() { return 1; }\n", encoding="utf-8")
            (folder / "build.ninja").write_text(
                f"rule c\n  command = '{launcher}' costs c++ $how -MD -MT $out -MF $out.d -o $out -c $in\n"
                "build header.hpp.gch: c header.hpp\n  how = -x c++-header\n"
                "build a.o: c a$ b.cpp | header.hpp.gch\n"
                "rule l\n  command = : && c++ -shared $in -o $out && :\nbuild flitwave: l a.o\n", encoding="utf-8")
            subprocess.run(["ninja", "-C", folder], check=True, capture_output=True)
            before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}

            commands = check_build.program_commands(folder)
            costs = check_build.compile_again(commands, folder)

            self.assertEqual(sorted(costs), ["a.o", "header.hpp.gch"])
            self.assertEqual(sorted(check_build.noted_costs(folder / "costs", commands)), sorted(costs))
            self.assertTrue(all(seconds > 0 for seconds in costs.values()))
            self.assertEqual({file: file.stat().st_mtime_ns for file in folder.iterdir()}, before)

    def test_a_failing_command_is_an_error(self):
        with self.assertRaisesRegex(check_build.CannotJudge, "failed with status 1: false"):
            check_build.cpu_seconds(["false"], ROOT)


if __name__ == "__main__":
    unittest.main()
