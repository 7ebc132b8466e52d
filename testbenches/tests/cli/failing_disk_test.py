#!/usr/bin/env python3
# testbenches/tests/cli/failing_disk_test.py: full disks, folders that cannot be written, damaged results.
# SPDX-License-Identifier: Apache-2.0
"""A limit on the size of files replaces a full disk: it needs no privileges, and the same calls fail.
Where the system allows a mount, a small disk is tested as well."""
import pathlib
import resource
import shlex
import shutil
import subprocess
import tempfile
import unittest

from program import BROADCAST, PROGRAM, ProgramTest

SWEEP = """\
experiment: sweep
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  traffic: {rate: 0.1 flit/node/cycle, warmup: 0 cycle, measure: 200 cycle}
sweep: {traffic.packet: [1 flit, 2 flit, 4 flit]}
table: {rows: traffic.packet, value: latency.mean}
"""
FST = BROADCAST + "wave: {format: fst}\n"
LOADED = BROADCAST.replace("observe: [", "observe: [{kind: channel_load}, ")


def largest_file(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def unwritten_fst(folder, reason):
    """The message; where vcd2fst writes FST, that of the shell is before it."""
    return (rf"^cannot write {folder}/\S*wave\.(fst|gtkw): {reason}\n$|"
            rf"(?m:^)cannot write {folder}/\S*wave\.fst: the program vcd2fst has failed; .+\n$")


class FullDisk(ProgramTest):
    def test_a_disk_that_is_full_in_the_middle_of_a_wave_gives_code_5_and_leaves_nothing(self):
        job = self.job(BROADCAST)

        done = self.flitwave("run", job, "--out", "out", "--wave", "*", code=5,
                             preexec_fn=largest_file(30_000))

        self.assertRegex(done.stderr, r"^cannot write out/\S*wave\.vcd: File too large\n$")
        self.assertEqual(self.names(), ["job.yaml"])

    def test_a_wave_in_fst_that_cannot_be_written_whole_gives_code_5_with_the_reason(self):
        if not self.writes_fst():
            self.skipTest("the program cannot write FST")
        for shape in "[4, 4]", "[16, 16]":
            job = self.job(FST.replace("[4, 4]", shape))
            for size in 100, 5_000, 30_000:
                done = self.flitwave("run", job, "--out", "out", code=5, preexec_fn=largest_file(size))

                self.assertRegex(done.stderr, unwritten_fst("out", "File too large"))
                self.assertEqual(self.names(), ["job.yaml"])

    def test_a_sweep_ends_with_code_5_keeps_its_points_and_continues_later(self):
        job = self.job(SWEEP)
        self.flitwave("run", job, "--out", "whole")
        first = self.folder / "whole/points/0000.json"
        small = largest_file(first.stat().st_size - 1)

        for kept in 0, 1:
            done = self.flitwave("run", job, "--out", "out", "--jobs", "1", code=5,
                                 preexec_fn=small)

            self.assertRegex(done.stderr, r"^flitwave: cannot write out/\S+: File too large; "
                                          r"finished points are kept in out; run it again to "
                                          r"continue\n$")
            self.assertEqual(self.names("out/points"), ["0000.json"] * kept)
            (self.folder / "out/points/0000.json").write_bytes(first.read_bytes())
        self.assertIn("3 of 3 points finished, 1 of them earlier",
                      self.flitwave("run", job, "--out", "out").stdout)
        self.assertEqual((self.folder / "out/points.csv").read_bytes(),
                         (self.folder / "whole/points.csv").read_bytes())

    def test_output_to_a_full_disk_gives_code_5(self):
        job = self.job(BROADCAST)
        for arguments in (["run", job], ["resolve", job], ["check", job], ["list"],
                          ["describe", "mesh"], ["schema"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, text=True, check=False,
                                      stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 5, arguments)
            self.assertRegex(done.stderr, r"^flitwave: (the output cannot be written|"
                                          r"cannot write to file: No space left on device)\n$")

    def test_a_graph_that_is_written_to_a_full_disk_gives_code_5(self):
        job = self.job(BROADCAST)
        for option in "--dot", "--graphml":
            done = self.flitwave("describe", job, option, "net", code=5,
                                 preexec_fn=largest_file(100))

            self.assertRegex(done.stderr, "cannot write net: File too large")
            self.assertEqual(self.names(), ["job.yaml"])

    def test_a_picture_that_is_written_to_a_full_disk_gives_code_5(self):
        self.flitwave("run", self.job(LOADED), "--out", "out")

        done = self.flitwave("plot", "out", "--out", "pictures", code=5,
                             preexec_fn=largest_file(100))

        self.assertRegex(done.stderr, "cannot write pictures/channel_load.gp: File too large")
        self.assertEqual(self.names("pictures"), [])

    def writes_fst(self):
        """False where the program has neither a writer of FST nor vcd2fst."""
        self.job(FST, "fst.yaml")
        done = subprocess.run([PROGRAM, "run", "fst.yaml", "--out", "fst"], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, check=False)
        shutil.rmtree(self.folder / "fst", ignore_errors=True)
        (self.folder / "fst.yaml").unlink()
        return done.returncode != 2

    def on_small_disk(self, *arguments, disk="disk", before=":"):
        """Runs the program with `disk` as a separate disk of 64 KiB; prints the files that remain on it."""
        (self.folder / disk).mkdir(exist_ok=True)
        words = shlex.join([PROGRAM, *map(str, arguments)])
        script = (f"mount -t tmpfs -o size=64k flitwave {disk} && {before} && {words}; code=$?; "
                  f"ls -A {disk}; exit $code")
        return subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],
                              cwd=self.folder, text=True, capture_output=True, timeout=60,
                              check=False)

    def test_a_real_full_disk_gives_code_5_for_runs_waves_and_sweeps(self):
        if self.on_small_disk("list").returncode != 0:
            self.skipTest("the system does not allow a mount")
        self.job(SWEEP, "sweep.yaml")
        job = self.job(BROADCAST.replace("[4, 4]", "[16, 16]"))
        more = ["--set", "observe=[{kind: flit_log}]"]
        for arguments in ["job.yaml", "--wave", "*"], [job, *more]:
            done = self.on_small_disk("run", *arguments, "--out", "disk/out")
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertRegex(done.stderr, r"^cannot write disk/out/\S+: No space left on device\n$|"
                                          r"^flitwave: cannot write disk/out/\S+: No space")
            self.assertEqual(done.stdout, "", "a file remains")
        fill = ["--set", "wave={file: w.vcd}", "--set", "wave_of={traffic.packet: 2 flit}"]
        done = self.on_small_disk("run", "sweep.yaml", *fill, "--out", "disk/out")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("No space left on device; finished points are kept in disk/out", done.stderr)

    def test_a_wave_in_fst_on_a_real_full_disk_gives_code_5_with_the_reason(self):
        if self.on_small_disk("list").returncode != 0:
            self.skipTest("the system does not allow a mount")
        if not self.writes_fst():
            self.skipTest("the program cannot write FST")
        for shape in "[8, 8]", "[16, 16]":
            self.job(FST.replace("[4, 4]", shape))
            done = self.on_small_disk("run", "job.yaml", "--out", "disk/out")
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertRegex(done.stderr, unwritten_fst("disk/out", "No space left on device"))
            self.assertEqual(done.stdout, "", "a file remains")

    def test_a_wave_in_fst_needs_no_space_in_the_folder_of_temporary_files(self):
        if self.on_small_disk("list").returncode != 0:
            self.skipTest("the system does not allow a mount")
        # The new disk hides the folder of the test if that is in /tmp.
        if not self.writes_fst():
            self.skipTest("the program cannot write FST")
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            if any(pathlib.Path("/tmp").resolve() in pathlib.Path(path).resolve().parents
                   for path in (folder, PROGRAM)):
                self.skipTest("the new disk hides the program or the folder of the test")
            self.folder = pathlib.Path(folder)
            self.job(FST)
            done = self.on_small_disk("run", "job.yaml", "--out", "out", "--quiet", disk="/tmp",
                                      before="dd if=/dev/zero of=/tmp/fill 2>/dev/null; true")

            if "vcd2fst" in done.stderr:
                self.skipTest("vcd2fst writes temporary files")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "fill\n", ""))
            self.assertIn("wave.fst", self.names("out"))


class Unwritable(ProgramTest):
    def test_a_file_with_the_name_of_the_folder_gives_code_5(self):
        self.job(SWEEP, "sweep.yaml")
        self.job(BROADCAST)
        (self.folder / "taken").write_text("mine", encoding="utf-8")
        for job in "job.yaml", "sweep.yaml":
            done = self.flitwave("run", job, "--out", "taken", code=5)

            self.assertRegex(done.stderr, "^flitwave: cannot make the folder taken")
            self.assertEqual((self.folder / "taken").read_text(encoding="utf-8"), "mine")

    def test_a_folder_in_which_not_even_root_may_write_gives_code_5(self):
        self.job(SWEEP, "sweep.yaml")
        self.job(BROADCAST)
        for folder in "/proc/flitwave", "/proc/self/task":
            for job in "job.yaml", "sweep.yaml":
                done = self.flitwave("run", job, "--out", folder, code=5)

                self.assertRegex(done.stderr, f"^flitwave: cannot make the folder {folder}.*: .+\n$")

    def test_a_folder_with_the_name_of_a_result_gives_code_5_and_is_reported(self):
        self.job(BROADCAST)
        (self.folder / "out/results.json/more").mkdir(parents=True)

        done = self.flitwave("run", "job.yaml", "--out", "out", code=5)

        self.assertRegex(done.stderr, "^flitwave: cannot write out/results.json: Is a directory")


class Damaged(ProgramTest):
    """Truncated results, as after a crash of the system."""

    def setUp(self):
        super().setUp()
        self.job(SWEEP)
        self.flitwave("run", "job.yaml", "--out", "out")

    def truncate(self, name, size):
        file = self.folder / "out" / name
        file.write_bytes(file.read_bytes()[:size])

    def test_a_truncated_point_is_reported_with_the_remedy(self):
        whole = (self.folder / "out/points/0001.json").read_bytes()
        for size in 0, 1, 100, len(whole) // 2, len(whole) - 3:
            self.truncate("points/0001.json", size)
            before = self.names("out")

            done = self.flitwave("run", "job.yaml", "--out", "out", code=5)

            self.assertRegex(done.stderr, r"^flitwave: out/points/0001\.json is damaged \(.+\); "
                                          r"remove it to run that point again, or run all with "
                                          r"--force\n$")
            self.assertEqual(self.names("out"), before)
        (self.folder / "out/points/0001.json").unlink()
        done = self.flitwave("run", "job.yaml", "--out", "out")
        self.assertIn("3 of 3 points finished, 2 of them earlier", done.stdout)
        self.assertEqual((self.folder / "out/points/0001.json").read_bytes(), whole)

    def test_a_truncated_or_missing_wave_is_written_again_and_reported(self):
        wave = ["--set", "wave={file: w.vcd}", "--set", "wave_of={traffic.packet: 2 flit}"]
        self.flitwave("run", self.job(SWEEP), "--out", "waves", *wave)
        files = [self.folder / "waves" / name for name in ("w.vcd", "w.gtkw")]
        whole = [file.read_bytes() for file in files]

        for size in 0, 100, len(whole[0]) - 1:
            files[0].write_bytes(whole[0][:size])
            done = self.flitwave("run", "job.yaml", "--out", "waves", *wave)
            self.assertRegex(done.stderr, rf"point \d is run again: w\.vcd has {size} B, and had "
                                          rf"{len(whole[0])} B when it was written\n")
            self.assertIn("3 of 3 points finished, 2 of them earlier", done.stdout)
            self.assertEqual([file.read_bytes() for file in files], whole)
        for file in files:
            file.unlink()
            done = self.flitwave("run", "job.yaml", "--out", "waves", *wave)
            self.assertRegex(done.stderr, rf"point \d is run again: {file.name} is missing\n")
            self.assertEqual([file.read_bytes() for file in files], whole)
        done = self.flitwave("run", "job.yaml", "--out", "waves", *wave)
        self.assertNotIn("is run again", done.stderr)
        self.assertIn("3 of 3 points finished, 3 of them earlier", done.stdout)

    def test_force_runs_all_points_again_despite_damaged_files(self):
        self.truncate("points/0001.json", 40)
        self.truncate("job.yaml", 150)

        done = self.flitwave("run", "job.yaml", "--out", "out", "--force")

        self.assertIn("3 of 3 points finished\n", done.stdout)

    def test_a_truncated_job_is_reported_with_the_remedy(self):
        text = (self.folder / "out/job.yaml").read_bytes()
        self.truncate("job.yaml", text.index(b"shape: [") + 9)  # within a bracket

        done = self.flitwave("run", "job.yaml", "--out", "out", code=5)

        self.assertRegex(done.stderr, r"^flitwave: out/job\.yaml is damaged \(.+\); choose another "
                                      r"folder with --out, or run all again with --force\n$")

    def test_a_job_that_is_truncated_between_two_lines_counts_as_another_job(self):
        text = (self.folder / "out/job.yaml").read_bytes()
        self.truncate("job.yaml", text.rindex(b"\n", 0, len(text) // 2) + 1)

        done = self.flitwave("run", "job.yaml", "--out", "out", code=2)

        self.assertIn("out holds the results of another job; choose another folder", done.stderr)

    def test_pictures_of_damaged_results_give_code_5(self):
        self.job(SWEEP + "plot: {kind: lines, x: traffic.packet, y: latency.mean}\n")
        self.flitwave("run", "job.yaml", "--out", "out")
        self.truncate("points/0002.json", 100)

        done = self.flitwave("plot", "out", code=5)

        self.assertRegex(done.stderr, r"^flitwave: out/points/0002\.json is damaged")

    def test_pictures_of_a_truncated_table_give_code_5(self):
        self.flitwave("run", self.job(LOADED), "--out", "run")
        table = self.folder / "run/channel_load.csv"
        text = table.read_bytes()
        for size in 0, 10, text.rindex(b",", 0, len(text) // 2):
            table.write_bytes(text[:size])

            done = self.flitwave("plot", "run", code=5)

            self.assertIn("run/channel_load.csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
