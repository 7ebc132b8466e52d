#!/usr/bin/env python3
# testbenches/tests/cli/kill_test.py: kill -9 at any moment loses no finished point and no earlier result.
# SPDX-License-Identifier: Apache-2.0
import os
import random
import signal
import subprocess
import time
import unittest

from program import BROADCAST, ENDLESS, INSTRUMENTED, PROGRAM, ProgramTest

# Twelve points of some hundredths of a second each; a table, a wave and a claim, but no picture.
SWEEP = """\
experiment: sweep
scenario:
  topology: {kind: mesh, shape: [6, 6]}
  channel: {vcs: 2}
  traffic: {rate: 0.2 flit/node/cycle, warmup: 200 cycle, measure: 8000 cycle}
sweep:
  traffic.rate: [0.05 flit/node/cycle, 0.1 flit/node/cycle, 0.2 flit/node/cycle]
  traffic.packet: [1 flit, 2 flit, 4 flit, 8 flit]
table: {rows: traffic.rate, columns: traffic.packet, value: latency.mean}
wave_of: {traffic.rate: 0.1 flit/node/cycle, traffic.packet: 2 flit}
wave: {file: point.vcd, until: 100 cycle}
expect: [{value: latency.mean, of: {traffic.packet: 8 flit, traffic.rate: 0.05 flit/node/cycle},
          less_than: 100}]
"""

# Each point consists of many runs.
SEARCH = """\
experiment: sweep
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  observe: [{kind: latency}]
  traffic: {packet: 1 flit, warmup: 100 cycle, measure: 1500 cycle}
sweep: {channel.buffer: [2 flit, 4 flit, 8 flit]}
saturation: {rate: [0.1 flit/node/cycle, 0.9 flit/node/cycle], resolution: 0.1 flit/node/cycle}
"""


class Killed(ProgramTest):
    def run_whole(self, out):
        self.flitwave("run", "job.yaml", "--out", out, "--jobs", "2", "--quiet")

    def contents(self, out):
        """All files below a folder, including hidden ones."""
        return {file.relative_to(self.folder / out).as_posix(): file.read_bytes()
                for file in (self.folder / out).rglob("*") if file.is_file()}

    def finished(self, out):
        """The points' files, each with the inode and the time, which change when it is written again."""
        return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns)
                for file in (self.folder / out / "points").glob("[0-9]*.json")}

    def run_and_kill(self, out, points, seconds):
        """Kills the program some time after `points` points. Returns: whether it was still running."""
        with subprocess.Popen([PROGRAM, "run", "job.yaml", "--out", out, "--jobs", "2", "--quiet"],
                              cwd=self.folder, start_new_session=True) as running:
            while running.poll() is None and len(self.finished(out)) < points:
                time.sleep(0.002)
            try:
                running.wait(seconds)
            except subprocess.TimeoutExpired:
                pass
            ended = running.poll()
            children = self.children(running.pid)
            running.kill()
        for child in children:
            self.wait_for_end(child)
        self.assertIn(ended, (None, 0))
        return ended is None

    @staticmethod
    def children(process):
        try:
            with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
                return [int(child) for child in file.read().split()]
        except FileNotFoundError:
            return []

    def wait_for_end(self, process):
        """Checks that no point continues after the program has ended."""
        for _ in range(200):
            try:
                with open(f"/proc/{process}/stat", encoding="ascii") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(0.05)
        self.fail("a child outlives the program")

    def kill_often(self, job, trials, kills, seed):
        """Kills sweeps at random moments and continues them until they are done.

        Returns: the number of kills in the middle of a sweep."""
        self.job(job)
        begun = time.monotonic()
        self.run_whole("whole")
        seconds = time.monotonic() - begun
        whole = self.contents("whole")
        moments = random.Random(seed)
        killed, within = 0, 0
        for trial in range(trials):
            out, before = f"out_{trial}", {}
            for _ in range(kills):
                points = len(before) + moments.randint(0, 1)
                if not self.run_and_kill(out, points, moments.uniform(0, 0.1 * seconds)):
                    break
                killed += 1
                after = self.finished(out)
                self.assertLessEqual(before.items(), after.items(), "a finished point is lost")
                within += 0 < len(after) < len(whole)
                before = after
            self.run_whole(out)
            self.assertLessEqual(before.items(), self.finished(out).items(),
                                 "a finished point was simulated again")
            self.assertEqual(self.contents(out), whole)
        self.assertGreater(killed, trials)
        return within

    def test_no_finished_point_of_a_sweep_is_lost_or_simulated_again(self):
        within = self.kill_often(SWEEP, trials=1 if INSTRUMENTED else 6, kills=4, seed=1)

        self.assertGreater(within, 0 if INSTRUMENTED else 3, "no kill was in the middle of a sweep")

    def test_no_search_for_saturation_is_lost_or_simulated_again(self):
        self.kill_often(SEARCH, trials=1 if INSTRUMENTED else 3, kills=3, seed=2)

    def test_of_two_runs_into_one_folder_the_second_waits_and_computes_nothing_again(self):
        self.job(SWEEP)
        command = [PROGRAM, "run", "job.yaml", "--out", "shared", "--jobs", "1"]
        options = {"cwd": self.folder, "text": True, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE}
        with subprocess.Popen(command, **options) as first:
            while first.poll() is None and not self.finished("shared"):
                time.sleep(0.01)
            self.assertIsNone(first.poll(), "the first run is over too soon")
            with subprocess.Popen(command, **options) as second:
                output = second.communicate(timeout=120)
            first.communicate(timeout=120)
        self.assertEqual((first.returncode, second.returncode), (0, 0), output)
        self.assertIn("another run writes to this folder; waiting", output[1])
        self.assertIn("12 of 12 points finished, 12 of them earlier", output[0])
        self.assertNotIn(".lock", self.contents("shared"))

    def test_a_run_that_waits_for_another_can_be_interrupted(self):
        self.job(SWEEP.replace("8000 cycle", "80000 cycle"))
        command = [PROGRAM, "run", "job.yaml", "--out", "shared", "--jobs", "1", "--quiet"]
        with subprocess.Popen(command, cwd=self.folder) as first:
            while not self.finished("shared"):
                time.sleep(0.01)
            with subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as second:
                self.assertIn("waiting", second.stderr.readline())
                second.send_signal(signal.SIGINT)
                second.communicate(timeout=60)
            self.assertIsNone(first.poll(), "the first run ended as well")
            first.send_signal(signal.SIGINT)
            first.wait(timeout=60)
        self.assertEqual((first.returncode, second.returncode), (130, 130))

    def test_unfinished_files_of_a_killed_run_are_removed_and_ignored(self):
        self.job(SWEEP)
        self.run_whole("whole")
        whole = self.contents("whole")
        self.run_whole("out")
        points = self.folder / "out" / "points"
        text = (points / "0003.json").read_bytes()
        (points / "0003.json").unlink()
        (points / "0003.json.unfinished.4711").write_bytes(text[:len(text) // 2])
        (self.folder / "out" / "job.yaml.unfinished.4711").write_bytes(b"")
        (self.folder / "out" / ".unfinished.4711").mkdir()
        (self.folder / "out" / ".unfinished.4711" / "point.vcd").write_text("#0", encoding="utf-8")

        done = self.flitwave("run", "job.yaml", "--out", "out")

        self.assertIn("12 of 12 points finished, 11 of them earlier", done.stdout)
        self.assertEqual(self.contents("out"), whole)

    def test_a_killed_run_leaves_earlier_results_intact_and_the_next_run_removes_its_files(self):
        self.flitwave("run", self.job(BROADCAST), "--out", "out", "--quiet")
        before = self.contents("out")
        self.job(ENDLESS + "wave: {file: endless.vcd}\n", "endless.yaml")
        with subprocess.Popen([PROGRAM, "run", "endless.yaml", "--out", "out", "--quiet"],
                              cwd=self.folder, start_new_session=True) as running:
            while not any((self.folder / "out").glob(".unfinished.*/endless.vcd")):
                self.assertIsNone(running.poll())
                time.sleep(0.01)
            os.killpg(running.pid, signal.SIGKILL)
        left = self.contents("out")
        self.flitwave("run", "job.yaml", "--out", "out", "--quiet")

        self.assertLess(before.items(), left.items())
        self.assertEqual(self.contents("out"), before)
        self.assertEqual(list((self.folder / "out").glob(".unfinished.*")), [])


if __name__ == "__main__":
    unittest.main()
