#!/usr/bin/env python3
# testbenches/tests/cli/run_test.py: flitwave run: what it writes, prints and returns.
# SPDX-License-Identifier: Apache-2.0
import csv
import json
import os
import pty
import resource
import select
import signal
import subprocess
import time
import unittest

from program import BROADCAST, ENDLESS, PROGRAM, SCENARIOS, ProgramTest

DEADLOCKED = """\
scenario: stuck
topology: {kind: torus, shape: [4, 4]}
routing: {kind: dimension_order, vc_rule: none}
allow_deadlock: true
router: {kind: wormhole, preset: single_cycle}
traffic: {rate: 0.9 flit/node/cycle, packet: 16 flit, warmup: 0 cycle, measure: 100000 cycle}
"""


class RunTest(ProgramTest):
    def results(self, folder):
        return json.loads((self.folder / folder / "results.json").read_text(encoding="utf-8"))


class Files(RunTest):
    def test_a_run_writes_the_files_that_it_reports(self):
        job = self.job(BROADCAST + "wave: {file: small.vcd}\n")

        output = self.flitwave("run", job).stdout.splitlines()[-1]

        folder, names = output.split(": ")
        self.assertEqual(folder, "results/small")
        self.assertEqual(names.split(", "), self.names(folder))
        self.assertEqual(self.names(folder),
                         ["job.yaml", "results.json", "small.gtkw", "small.kinds.txt",
                          "small.nodes.txt", "small.states.txt", "small.vcd", "steps.csv",
                          "transfers.csv"])
        self.assertEqual(self.names(), ["job.yaml", "results"])

    def test_results_name_the_files_of_their_tables(self):
        self.flitwave("run", self.job(BROADCAST))

        tables = self.results("results/small")["tables"]

        self.assertEqual(sorted(tables), ["steps", "transfers"])
        self.assertEqual(tables["transfers"]["rows"], 15)
        for table in tables.values():
            lines = (self.folder / "results/small" / table["file"]).read_text().splitlines()
            self.assertEqual(lines[0], ",".join(table["columns"]))
            self.assertEqual(len(lines), table["rows"] + 1)

    def test_tables_are_csv_with_a_header(self):
        self.flitwave("run", self.job(BROADCAST), "--out", "out")

        with open(self.folder / "out/transfers.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 15)
        self.assertEqual({row["from"] for row in rows if row["step"] == "1"}, {"1_1"})

    def test_the_written_job_repeats_the_run(self):
        job = self.job(BROADCAST)
        self.flitwave("run", job, "--out", "first", "--set", "seed=7")

        written = (self.folder / "first/job.yaml").read_text(encoding="utf-8")
        self.flitwave("run", "first/job.yaml", "--out", "second")

        self.assertIn("flitwave 0.", written.splitlines()[0])
        self.assertIn("\nseed: 7\n", written)
        for name in self.names("first"):
            self.assertEqual((self.folder / "first" / name).read_bytes(),
                             (self.folder / "second" / name).read_bytes(), name)

    def test_a_second_run_removes_the_files_of_the_first(self):
        job = self.job(BROADCAST)
        self.flitwave("run", job, "--out", "out", "--wave", "ejection_*")
        (self.folder / "out/my_notes.txt").write_text("kept", encoding="utf-8")

        self.flitwave("run", job, "--out", "out", "--set", "observe=[{kind: latency}]")

        self.assertEqual(self.names("out"),
                         ["job.yaml", "my_notes.txt", "results.json", "transfers.csv"])

    def test_no_unfinished_file_remains(self):
        self.flitwave("run", self.job(BROADCAST), "--out", "out")

        self.assertEqual(sorted(os.listdir(self.folder / "out")),
                         [".flitwave_files", "job.yaml", "results.json", "steps.csv",
                          "transfers.csv"])

    def test_with_and_without_a_child_process_the_run_is_the_same(self):
        job = self.job(BROADCAST)
        self.flitwave("run", job, "--out", "child")
        self.flitwave("run", job, "--out", "alone", "--in-process")

        self.assertEqual(self.results("child"), self.results("alone"))


class Output(RunTest):
    def test_metrics_are_printed_with_units(self):
        output = self.flitwave("run", self.job(BROADCAST)).stdout

        self.assertRegex(output, r"^small: complete; \d+ cycles ")
        self.assertRegex(output, r"\n  latency\.packets +15 packet\n")
        self.assertRegex(output, r"\n  steps +3\n")

    def test_quiet_prints_nothing(self):
        done = self.flitwave("run", self.job(BROADCAST), "--quiet")

        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertIn("results.json", self.names("results/small"))

    def test_a_relay_router_that_no_node_has_decides_nothing(self):
        job = self.job("scenario: small\ntopology: {kind: complete, nodes: 2}\n"
                       "router: {kind: greedy_multicast, at: [{kind: store_and_forward, nodes: [0, 1]}]}\n"
                       "routing: {kind: shortest_path}\noperation: {kind: broadcast, root: 0, message: 1 B}\n")

        self.flitwave("run", job, "--quiet")

    def test_set_changes_a_setting(self):
        done = self.flitwave("run", self.job(BROADCAST), "--set", "topology.shape=[8, 8]",
                             "--set", "scenario=larger")

        self.assertIn("\nresults/larger: ", done.stdout)
        self.assertRegex(done.stdout, r"\n  latency\.packets +63 packet\n")

    def test_expectations_that_hold_are_shown(self):
        done = self.flitwave("run", self.job(BROADCAST + "expect: {steps: 3, transits: [1, 1e9]}\n"))

        self.assertRegex(done.stdout, r"\n  steps +expected 3 +found 3 +holds\n")
        self.assertRegex(done.stdout, r"\n  transits +expected 1 .. 1000000000 +found \d+ flit +holds\n")


class Pictures(RunTest):
    def test_a_run_is_plotted(self):
        self.flitwave("run", self.job(BROADCAST), "--out", "out", "--set",
                      "observe=[{kind: channel_load}]")

        output = self.flitwave("plot", "out", "--out", "pictures").stdout

        self.assertIn("pictures/channel_load.svg\n", output)
        picture = (self.folder / "pictures/channel_load.svg").read_text(encoding="utf-8")
        self.assertIn("<svg", picture)

    def test_a_folder_without_results_gives_code_5(self):
        done = self.flitwave("plot", "nowhere", code=5)

        self.assertIn("nowhere contains no results", done.stderr)


class ExitCodes(RunTest):
    def test_a_missed_expectation_gives_code_4(self):
        job = self.job(BROADCAST + "expect:\n  steps: 2\n  latency.packets: 15\n")

        done = self.flitwave("run", job, code=4)

        self.assertEqual(done.stderr, "job.yaml:9:3: expect.steps: expected 2, found 3\n")
        self.assertRegex(done.stdout, r"steps +expected 2 +found 3  MISSED")
        self.assertEqual(self.results("results/small")["outcome"], "failed_expectation")

    def test_a_metric_that_no_run_reports_gives_code_2_before_anything_is_simulated(self):
        job = self.job(BROADCAST + "expect: {latency.packet: 15}\n")

        done = self.flitwave("run", job, code=2)

        self.assertIn("expect.latency.packet: no run reports a metric `latency.packet`; "
                      "did you mean `latency.packets`?", done.stderr)
        self.assertEqual(self.names(), ["job.yaml"])

    def test_a_metric_that_this_run_does_not_report_is_a_missed_expectation(self):
        job = self.job(BROADCAST + "expect: {requests.rate: 15}\n")

        done = self.flitwave("run", job, code=4)

        self.assertIn("expected 15, found no such metric", done.stderr)

    def test_a_window_of_the_wave_is_written_only_if_the_run_ends_with_an_error(self):
        job = self.job(BROADCAST + "wave: {file: small.vcd, window: 20 cycle}\n")

        fine = self.flitwave("run", job, "--out", "fine").stdout
        self.flitwave("run", job, "--out", "missed", "--set", "expect={steps: 99}", code=4)

        self.assertIn("no wave is written, because the run ended without an error", fine)
        self.assertNotIn("small.vcd", self.names("fine"))
        self.assertIn("small.vcd", self.names("missed"))
        self.assertIn("small.gtkw", self.names("missed"))

    def test_several_initial_values_of_registers_are_compared(self):
        job = self.job(BROADCAST)

        done = self.flitwave("run", job, "--init-seeds", "3")

        self.assertIn("init_seed 1 .. 3: 3 runs with equal fingerprints", done.stdout)
        self.assertEqual(len(self.names("results")), 1)

    def test_a_single_initial_value_is_not_a_comparison(self):
        for number in ("1", "0", "1001", "many"):
            done = self.flitwave("run", self.job(BROADCAST), "--init-seeds", number, code=2)
            self.assertIn("--init-seeds", done.stderr)
        self.flitwave("run", self.job(BROADCAST), "--init-seeds", "2", "--in-process", code=2)
        self.assertEqual(self.names(), ["job.yaml"])

    def test_a_run_that_reaches_its_limit_gives_code_4(self):
        done = self.flitwave("run", self.job(BROADCAST), "--set", "stop.limit=100 cycle", code=4)

        self.assertIn("stop.limit reached: not all data delivered by cycle 100", done.stderr)
        self.assertEqual(self.results("results/small")["outcome"], "limit")

    def test_a_deadlock_gives_code_3_and_names_the_cycle(self):
        done = self.flitwave("run", self.job(DEADLOCKED), code=3)

        self.assertRegex(done.stderr, r"packet \d+ from \d_\d to \d_\d in channel_\S+ vc 0\n"
                                      r" +waits for packet \d+ from")
        self.assertEqual(self.results("results/stuck")["outcome"], "deadlock")

    def test_a_folder_that_cannot_be_created_gives_code_5(self):
        done = self.flitwave("run", self.job(BROADCAST), "--out", "job.yaml/out", code=5)

        self.assertIn("cannot make the folder job.yaml", done.stderr)
        self.assertEqual(self.names(), ["job.yaml"])

    def test_a_full_disk_gives_code_5_and_leaves_nothing(self):
        def small_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

        for wave in [], ["--wave", "*"]:
            done = self.flitwave("run", self.job(BROADCAST), "--out", "out", *wave, code=5,
                                 preexec_fn=small_disk)

            self.assertRegex(done.stderr, r"cannot write .*out/.*: File too large")
            self.assertEqual(self.names(), ["job.yaml"])

    def test_failed_points_give_code_6_and_the_others_finish(self):
        job = self.job("""\
experiment: two
scenario:
  topology: {kind: torus, shape: [8, 8]}
  routing: {kind: dimension_order}
  allow_deadlock: true
  channel: {vcs: 2}
  traffic: {rate: 0.9 flit/node/cycle, packet: 16 flit, warmup: 0 cycle, measure: 500 cycle}
sweep:
  routing.vc_rule: [remaining_wrap, none]
""")

        done = self.flitwave("run", job, code=6)

        self.assertIn("deadlock", done.stdout)
        with open(self.folder / "results/two/points.csv", encoding="utf-8", newline="") as points:
            outcomes = {(point["routing.vc_rule"], point["outcome"])
                        for point in csv.DictReader(points)}
        self.assertEqual(outcomes, {("remaining_wrap", "complete"), ("none", "deadlock")})

    def test_a_missing_job_gives_code_2(self):
        done = self.flitwave("run", "no_such.yaml", code=2)

        self.assertEqual(done.stderr, "no_such.yaml: there is no such file; check the path and the "
                                      "current folder\n")

    def test_a_wrong_command_line_gives_code_2(self):
        for arguments in [[], ["fly"], ["run"], ["run", "--fast", "job.yaml"], ["list", "a", "b"],
                          ["run", "job.yaml", "--set"]]:
            done = self.flitwave(*arguments, code=2)
            self.assertRegex(done.stderr, r"see `flitwave.* --help`\n$")

    def test_a_setting_without_a_value_gives_code_2(self):
        done = self.flitwave("run", self.job(BROADCAST), "--set", "seed", code=2)

        self.assertIn("--set: `seed` is not KEY=VALUE; write e.g.", done.stderr)


class Watched(RunTest):
    def wait_for_child(self, running):
        """Waits until the simulation has begun. Returns: its process."""
        children = f"/proc/{running.pid}/task/{running.pid}/children"
        for _ in range(200):
            with open(children, encoding="ascii") as file:
                found = file.read().split()
            if found:
                time.sleep(0.5)
                return int(found[0])
            time.sleep(0.05)
        raise self.failureException("no simulation was started")


class Interrupted(Watched):
    def start(self, **options):
        return subprocess.Popen([PROGRAM, "run", self.job(ENDLESS), "--out", "out"],
                                cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                start_new_session=True, **options)

    def test_ctrl_c_keeps_the_measured_results(self):
        with self.start(stderr=subprocess.PIPE) as running:
            self.wait_for_child(running)
            os.killpg(running.pid, signal.SIGINT)
            output, errors = running.communicate(timeout=60)

        self.assertEqual(running.returncode, 130)
        self.assertIn("interrupted, results are partial", output)
        self.assertIn("interrupted; the measurements so far are kept", errors)
        results = self.results("out")
        self.assertEqual(results["outcome"], "partial")
        self.assertGreater(results["metrics"]["latency.packets"]["value"], 0)

    def test_a_signal_to_the_program_alone_also_ends_the_simulation(self):
        with self.start(stderr=subprocess.DEVNULL) as running:
            child = self.wait_for_child(running)
            running.terminate()
            running.communicate(timeout=60)

        self.assertEqual(running.returncode, 130)
        self.assertFalse(os.path.exists(f"/proc/{child}"))
        self.assertEqual(self.results("out")["outcome"], "partial")

    def test_a_second_ctrl_c_kills_and_writes_nothing(self):
        with self.start(stderr=subprocess.PIPE) as running:
            child = self.wait_for_child(running)
            os.kill(child, signal.SIGSTOP)  # so that it does not handle the first
            running.send_signal(signal.SIGINT)
            time.sleep(0.6)
            self.assertIsNone(running.poll())
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=60)

        self.assertEqual(running.returncode, 130)
        self.assertIn("killed; nothing was written", errors)
        self.assertFalse(os.path.exists(f"/proc/{child}"))
        self.assertEqual(self.names(), ["job.yaml"])

    def test_a_terminal_shows_progress_and_a_pipe_does_not(self):
        terminal, stderr = pty.openpty()
        self.addCleanup(os.close, terminal)
        with self.start(stderr=stderr) as running:
            os.close(stderr)
            shown = b""
            end = time.monotonic() + 30
            while b"cycles measured" not in shown and time.monotonic() < end:
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 4096)
            os.killpg(running.pid, signal.SIGINT)
            output = running.communicate(timeout=60)[0]
            while select.select([terminal], [], [], 0)[0]:
                try:
                    shown += os.read(terminal, 4096)
                except OSError:  # the other end is closed
                    break

        line = rb"\rcycle \d+, \d+ of 1000001001 cycles measured, \S+ kcycle/s, about .+ left\x1b\[K"
        self.assertRegex(shown, line)
        self.assertIn(b"\r\x1b[K", shown[shown.rindex(b" left"):], "the line is erased at the end")
        self.assertNotIn("kcycle/s", output)


# A dependency check of several seconds; no declaration of the routing shortens it.
LONG_CHECK = """\
scenario: long_check
topology: {kind: mesh, shape: [128, 128]}
routing: {kind: label_order}
traffic: {rate: 0.01 flit/node/cycle, warmup: 1000 cycle, measure: 1000 cycle}
"""


class Checked(RunTest):
    def test_a_long_check_shows_its_progress_on_a_terminal_and_ends_at_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal, stderr = pty.openpty()
            with subprocess.Popen([PROGRAM, "check", self.job(LONG_CHECK)], cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=stderr, text=True) as running:
                os.close(stderr)
                shown = b""
                end = time.monotonic() + 60
                while b" left" not in shown and time.monotonic() < end:
                    if select.select([terminal], [], [], 1)[0]:
                        shown += os.read(terminal, 4096)
                sent = time.monotonic()
                running.send_signal(number)
                output = running.communicate(timeout=60)[0]
                took = time.monotonic() - sent
                shown += os.read(terminal, 4096)
            os.close(terminal)
            self.assertRegex(shown, rb"\rchecking dependencies between channels: \d+ of 16384, "
                                    rb".+, about .+ left\x1b\[K")
            self.assertIn(b"\r\x1b[Kflitwave: interrupted; nothing was written", shown)
            self.assertEqual(running.returncode, 130)
            self.assertEqual(output, "")
            self.assertLess(took, 5)

    def test_a_signal_ends_a_run_during_planning(self):
        with subprocess.Popen([PROGRAM, "run", self.job(LONG_CHECK.replace(
                "label_order", "shortest_path"))], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as running:
            time.sleep(1)  # computing its tables takes a minute
            running.terminate()
            _, errors = running.communicate(timeout=60)

        self.assertEqual(running.returncode, 130)
        self.assertEqual(errors, "flitwave: interrupted; nothing was written\n")
        self.assertEqual(self.names(), ["job.yaml"])


# Construction of its modules takes about ten seconds.
LARGE = """\
scenario: large
topology: {kind: mesh, shape: [256, 256]}
traffic: {rate: 0.01 flit/node/cycle, warmup: 1000 cycle, measure: 1000 cycle}
"""


def limited_memory(megabytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


class Elaborated(Watched):
    """Runs that end before their first cycle."""

    def start(self, **options):
        return subprocess.Popen([PROGRAM, "run", self.job(LARGE), "--out", "out",
                                 *options.pop("arguments", [])], cwd=self.folder,
                                stdout=subprocess.PIPE, text=True, start_new_session=True,
                                **options)

    def test_a_signal_soon_ends_a_run_during_elaboration(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.start(stderr=subprocess.PIPE) as running:
                child = self.wait_for_child(running)
                sent = time.monotonic()
                running.send_signal(number)
                output, errors = running.communicate(timeout=60)
            self.assertLess(time.monotonic() - sent, 5)
            self.assertEqual(running.returncode, 130)
            self.assertIn("interrupted while the network was built; nothing was kept", errors)
            self.assertEqual(output, "")
            self.assertFalse(os.path.exists(f"/proc/{child}"))
            self.assertEqual(self.names(), ["job.yaml"])

    @unittest.skipIf("asan" in PROGRAM, "sanitizers reserve more address space than any limit")
    def test_a_run_without_memory_ends_at_once_with_code_5_and_the_reason(self):
        for arguments in ([], ["--in-process"]):
            with self.start(stderr=subprocess.PIPE, arguments=arguments,
                            preexec_fn=limited_memory(600)) as running:
                _, errors = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 5, errors)
            self.assertRegex(errors, r"out of memory while the network is built: 0\.\d\d GiB in use, "
                                     r"with a limit of 0.59 GiB \(ulimit -v\); use a smaller topology")
            if not arguments:  # otherwise the next run clears the folder, as after a kill
                self.assertEqual(self.names(), ["job.yaml"])

    @unittest.skipIf("asan" in PROGRAM, "sanitizers reserve more address space than any limit")
    def test_buffers_that_do_not_fit_into_memory_give_code_5(self):
        job = LARGE.replace("256, 256", "16, 16") + "channel: {vcs: 64, buffer: 65536 flit}\n"
        done = self.flitwave("run", self.job(job), code=5, preexec_fn=limited_memory(1000))

        self.assertIn("out of memory while the network is built", done.stderr)
        self.assertIn("a smaller channel.buffer", done.stderr)


SWEEP = """\
experiment: tiny
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  node: {ports: all}
  operation: {kind: broadcast, root: [1, 1], message: 64 B}
sweep: {algorithm.kind: [edn, recursive_doubling]}
table: {rows: algorithm.kind, value: collective.max}
"""


class Sweeps(RunTest):
    def test_an_experiment_is_run_and_shown(self):
        done = self.flitwave("run", self.job(SWEEP), "--jobs", "2")

        self.assertIn("tiny: 2 of 2 points finished\n", done.stdout)
        self.assertRegex(done.stdout, r"\n +edn +\d+\n +recursive_doubling +\d+\n")
        self.assertIn("points.csv", self.names("results/tiny"))

    def test_set_applies_to_every_point(self):
        done = self.flitwave("run", self.job(SWEEP), "--set", "channel.width=64 B", "--out", "out")

        with open(self.folder / "out/points.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        self.assertEqual({row["latency.head.mean (cycle)"] for row in rows},
                         {row["latency.mean (cycle)"] for row in rows}, done.stdout)

    def test_a_wrong_point_gives_code_2_before_anything_is_written(self):
        done = self.flitwave("run", self.job(SWEEP.replace("edn,", "edm,")), code=2)

        self.assertIn("did you mean `edn`?", done.stderr)
        self.assertEqual(self.names(), ["job.yaml"])


class Scenarios(RunTest):
    def test_every_scenario_meets_its_expectations(self):
        self.assertGreaterEqual(len(SCENARIOS), 5)
        for file in SCENARIOS:
            with self.subTest(file.name):
                done = self.flitwave("run", file, "--out", file.stem)
                self.assertIn("holds", done.stdout)
                self.assertNotIn("note:", done.stdout)


if __name__ == "__main__":
    unittest.main()
