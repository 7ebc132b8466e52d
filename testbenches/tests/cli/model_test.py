#!/usr/bin/env python3
# testbenches/tests/cli/model_test.py: flitwave model: formulas, tau-plots and fits.
# SPDX-License-Identifier: Apache-2.0
import unittest

from program import BROADCAST, SOURCE, ProgramTest

TABLES = SOURCE / "configs/measurements/tsai_1997"


class Model(ProgramTest):
    def rows(self, *arguments):
        """Returns: the numbers of the printed table by name, and the last line."""
        output = self.flitwave("model", *arguments).stdout.splitlines()
        rows = {}
        for line in output:
            words = line.split()
            try:
                rows[words[0]] = [float(word) for word in words[1:]]
            except ValueError:
                pass
        return rows, output[-1]

    def test_broadcasts_are_compared(self):
        rows, least = self.rows("broadcast", "--mesh", 32, "--alpha", "0.5us", "--beta", "0.01us",
                                "--packets", "2,4,8", "--message", "1KiB")

        self.assertEqual(rows["dimensional"], [10.62, 0.1, 0.00942, 113.02])  # Tsai 1997, Fig. 5.8
        self.assertEqual(rows["edn"][:3], [10.81, 0.06, 0.00555])
        self.assertEqual(rows["fibonacci_4"][:3], [26.48, 0.06, 0.00227])
        self.assertEqual(rows["scatter_collect"][:3], [73.86, 0.01998, 0.000271])
        self.assertEqual(least, "least latency: dimensional, edn from 5 B, scatter_collect from 1575 B")

    def test_a_machine_is_given_by_name_or_by_its_costs(self):
        named, _ = self.rows("broadcast", "--mesh", 8, "--machine", "tau_t3d")
        described, _ = self.rows("broadcast", "--mesh", 8, "--alpha", "1.5us", "--beta", "9ns")

        self.assertEqual(named, described)
        error = self.flitwave("model", "broadcast", "--mesh", 8, "--machine", "t3", code=2).stderr
        self.assertIn("did you mean `t3d`?", error)
        error = self.flitwave("model", "broadcast", "--mesh", 8, code=2).stderr
        self.assertIn("--machine NAME", error)

    def test_wrong_arguments_are_rejected(self):
        machine = ["--machine", "ncube2"]

        output = self.flitwave("model", "broadcast", "--mesh", 12, *machine, code=2).stderr
        self.assertIn("--mesh: the formulas are not defined for a width of 12; give a power of two", output)
        output = self.flitwave("model", "broadcast", "--mesh", 8, "--alpha", "5", "--beta", "1ns",
                             code=2).stderr
        self.assertIn("--alpha: ", output)
        output = self.flitwave("model", "broadcast", "--mesh", 8, "--packets", 0, *machine,
                             code=2).stderr
        self.assertIn("0 packets per message", output)
        self.assertIn("flitwave model: ", self.flitwave("model", code=2).stderr)

    def test_a_table_becomes_a_tau_plot(self):
        rows, _ = self.rows("tau", TABLES / "table_5_1.csv")
        output = self.flitwave("model", "tau", TABLES / "table_5_1.csv", "--plot", "out.svg").stdout

        self.assertEqual(len(rows), 23)
        self.assertEqual(rows["paragon_sunmos"], [25, 0.00585, 0.000234])
        self.assertTrue(output.endswith("least latency: t3d_max, paragon_sunmos from 11224 B\nout.svg\n"), output)
        picture = (self.folder / "out.svg").read_text(encoding="utf-8")
        self.assertIn("cenju3", picture)
        self.flitwave("model", "tau", TABLES / "table_5_7.csv", "--plot", "all.svg")
        self.assertTrue((self.folder / "all.svg").exists())

    def test_a_table_without_the_columns_is_rejected(self):
        (self.folder / "bad.csv").write_text("name,startup\na,1\n", encoding="utf-8")

        self.assertIn("bad.csv: no column `per_byte`",
                      self.flitwave("model", "tau", "bad.csv", code=5).stderr)
        self.assertIn("cannot read none.csv",
                      self.flitwave("model", "tau", "none.csv", code=5).stderr)

    def test_a_table_without_rows_is_rejected(self):
        (self.folder / "points.csv").write_text("startup,per_byte\n", encoding="utf-8")
        (self.folder / "times.csv").write_text("bytes,time\n", encoding="utf-8")

        output = self.flitwave("model", "tau", "points.csv", code=5)
        self.assertEqual(output.stdout, "")
        self.assertIn("points.csv: no rows; a tau-plot needs one with T_s and T_n", output.stderr)
        (self.folder / "nothing.csv").write_text("", encoding="utf-8")
        self.assertIn("nothing.csv: no column `startup`; it is empty",
                      self.flitwave("model", "tau", "nothing.csv", code=5).stderr)
        self.assertIn("times.csv: no rows; a line needs times of two different lengths",
                      self.flitwave("model", "fit", "times.csv", code=5).stderr)

    def test_a_table_that_determines_no_line_is_rejected_with_the_position(self):
        for text, expected in (("bytes,time\n-5,1\n6,2\n", "t.csv: row 1: a message cannot have -5 bytes"),
                           ("bytes,time\n5,1\n5,2\n",
                            "t.csv: a line needs times of two different lengths"),
                           ("size,A\n5 B,1\n5 B,2\n",
                            "t.csv, column `A`: a line needs times of two different lengths"),
                           ("bytes,time\n1,1e308\n2,1.7e308\n1e308,1\n",
                            "t.csv: the numbers are too large for a line")):
            with self.subTest(expected):
                (self.folder / "t.csv").write_text(text, encoding="utf-8")
                self.assertIn(expected, self.flitwave("model", "fit", "t.csv", code=5).stderr)

    def test_points_without_names_are_named_after_their_rows(self):
        (self.folder / "t.csv").write_text("startup,per_byte\n1,2\n3,1\n", encoding="utf-8")

        output = self.flitwave("model", "tau", "t.csv").stdout

        self.assertIn("least latency: row 1, row 2 from 2 B", output)

    def test_a_table_of_lengths_only_is_rejected(self):
        for column, length in (("operation.message", "1 KiB"), ("bytes", "1024")):
            with self.subTest(column):
                (self.folder / "lengths.csv").write_text(f"{column}\n{length}\n", encoding="utf-8")

                output = self.flitwave("model", "fit", "lengths.csv", code=5)

                self.assertEqual(output.stdout, "")
                self.assertIn(f"lengths.csv: no column of times beside the lengths in `{column}`; "
                              "add one, in us, for each that was measured, e.g. a column `time`",
                              output.stderr)

    def test_an_invalid_picture_name_is_rejected_before_anything_is_computed(self):
        for command in (["tau", TABLES / "table_5_1.csv"],
                        ["broadcast", "--mesh", 8, "--machine", "ncube2"]):
            for name in ("a.txt", "a"):
                with self.subTest(command=command[0], name=name):
                    output = self.flitwave("model", *command, "--plot", name, code=2)

                    self.assertEqual(output.stdout, "")
                    self.assertIn(f"--plot: `{name}` is not the name of an SVG file; "
                                  "give a file name that ends in .svg", output.stderr)
                    self.assertEqual(self.names(), [])

    def test_a_line_is_fitted(self):
        samples = "bytes,time\n64,198.8\n64,250\n128,227.6\n1024,630.8\n1024,900\n"
        (self.folder / "ping.csv").write_text(samples, encoding="utf-8")

        output = self.flitwave("model", "fit", "ping.csv", "--minima").stdout

        self.assertEqual(output, "T_s 170 us, T_n 0.45 us/byte, tau 0.002647 1/byte\n")
        self.assertNotIn("T_s 170 us", self.flitwave("model", "fit", "ping.csv").stdout)

    def test_intervals_of_an_experiments_table_are_not_fitted(self):
        (self.folder / "means.csv").write_text("operation.message,edn,edn.ci95\n1 KiB,10,0.1\n2 KiB,20,3\n",
                                               encoding="utf-8")

        output = self.flitwave("model", "fit", "means.csv").stdout.splitlines()

        self.assertEqual([line.split(":")[0] for line in output], ["edn"])

    def test_round_trips_of_an_experiment_are_fitted(self):
        experiment = self.job(f'''
experiment: ping
base: {SOURCE}/configs/scenarios/ethernet_all_to_all.yaml
drop: [expect, operation, algorithm, node]
set:
  topology.nodes: 2
  operation: {{kind: ping_pong, from: 0, to: 1, message: 1 B}}
  algorithm: {{kind: token}}
sweep:
  node.send_overhead: [100 us, 200 us]
  operation.message: [1460 B, 2920 B, 14600 B]
table: {{rows: operation.message, columns: node.send_overhead, value: collective.max_us, file: round_trip.csv}}
''')
        self.flitwave("run", experiment, "--out", "out")
        table = next(self.folder.rglob("round_trip.csv"))

        there = self.flitwave("model", "fit", table, "--round-trips").stdout.splitlines()
        both = self.flitwave("model", "fit", table).stdout.splitlines()

        self.assertEqual([line.split(":")[0] for line in there], ["100 us", "200 us"])
        # A frame of 1538 bytes, with preamble and gap, carries 1460 bytes at 0.8 us per byte.
        self.assertIn("T_n 0.8427", there[0])
        self.assertIn("T_n 1.685", both[0])

        def startup(line):
            return float(line.split("T_s ")[1].split()[0])
        self.assertAlmostEqual(startup(there[1]) - startup(there[0]), 100, delta=0.01)

    def test_a_line_that_no_machine_can_have_is_reported(self):
        (self.folder / "steep.csv").write_text("length,time\n1 KiB,10\n2 KiB,30\n", encoding="utf-8")
        (self.folder / "falling.csv").write_text("bytes,time\n1024,30\n2048,10\n", encoding="utf-8")
        (self.folder / "none.csv").write_text("nodes,time\n4,30\n8,10\n", encoding="utf-8")

        self.assertEqual(self.flitwave("model", "fit", "steep.csv").stdout.splitlines()[1],
                         "warning: T_s is negative: the times are not on one line; fit short and "
                         "long lengths apart")
        self.assertIn("warning: T_n is negative: longer messages took less time",
                      self.flitwave("model", "fit", "falling.csv").stdout)
        self.assertIn("none.csv: neither columns `bytes` and `time`, nor one of lengths",
                      self.flitwave("model", "fit", "none.csv", code=5).stderr)

    def test_machines_are_listed_and_printed_as_lines_of_a_job(self):
        rows = self.flitwave("model", "machines").stdout.splitlines()[1:]
        self.assertEqual(len(rows), 34)

        lines = self.flitwave("model", "machines", "ncube2").stdout
        self.assertIn("clock: {period: 450 ns}\nchannel: {width: 1 B}\n"
                      "node: {send_overhead: 85 us, receive_overhead: 85 us, overhead: serialized}\n",
                      lines)
        job = self.job("scenario: preset\ntopology: {kind: mesh, shape: [4, 4]}\n" + lines +
                       "operation: {kind: broadcast, root: [1, 1], message: 64 B}\n"
                       "algorithm: {kind: recursive_doubling}\n")
        self.flitwave("check", job)

    def test_further_table_data_of_a_machine_are_printed(self):
        lines = self.flitwave("model", "machines", "ipsc").stdout

        self.assertIn("# table 1.1, Intel iPSC: 8 bytes to a neighbour take 1120 us", lines)  # Lan 1988
        self.assertIn("each with 7 channels of 10 Mbit/s, 0.8 us a byte\n", lines)
        self.assertIn("combine_overhead: 5.375 us, overhead: serialized}\n", lines)
        job = self.job("scenario: preset\ntopology: {kind: hypercube, dimensions: 3}\n" + lines +
                       "operation: {kind: reduce, root: 0, message: 64 B}\n"
                       "algorithm: {kind: recursive_doubling}\n")
        self.flitwave("check", job)

    def test_hops_give_times_and_lines_for_a_job(self):
        stored, _ = self.rows("hops", "ncube_64", "--messages", "64B,1KiB")
        relayed, _ = self.rows("hops", "ncube_64", "--messages", "1KiB", "--relay", "1us",
                               "--hops", 2)

        self.assertEqual(stored["64"], [643.9, 959.1, 1274.3, 1589.5, 1904.7, 2219.9])  # Lan 1988
        self.assertEqual(stored["1024"][5], 10955.9)
        self.assertEqual(relayed["1024"], [1350.6, 1355.5])
        self.assertIn("ncube_64           13.5        232             1.3  NCUBE of 64 nodes",
                      self.flitwave("model", "hops").stdout)
        lines = self.flitwave("model", "hops", "ncube_64").stdout
        self.assertIn("clock: {period: 1.3 us}\n", lines)
        self.assertIn("switching: store_and_forward, selection: 176 cycle}\n"
                      "node: {send_overhead: 3.9 us, receive_overhead: 3.9 us}\n", lines)
        job = self.job("scenario: preset\n" + lines +
                       "operation: {kind: unicast, source: 0, destination: 63, message: 61 B}\n"
                       "algorithm: {kind: hardware_multicast}\nobserve: []\n")
        ran = self.flitwave("run", job, "--out", "out").stdout
        self.assertIn("2215.2 us", ran)  # 2219.9 - 4.7, because times are whole cycles

    def test_wrong_arguments_of_hops_are_rejected(self):
        def output(*arguments):
            return self.flitwave("model", "hops", *arguments, code=2).stderr

        self.assertIn("no hop model of `ncube`; known here: ncube_64", output("ncube"))
        self.assertIn("--hops: a path in a cube cannot have 0 hops; give 1 .. 20",
                      output("ncube_64", "--messages", "8B", "--hops", 0))
        self.assertIn("--messages: a message is shorter than its address part; give 16B or more",
                      output("ncube_64", "--messages", "8B", "--relay", "1us", "--address", "16B"))
        self.assertIn("--relay: ", output("ncube_64", "--messages", "8B", "--relay", "1"))

    def test_the_schedule_of_a_job_is_predicted(self):
        output = self.flitwave("model", "schedule", self.job(BROADCAST), "--set",
                             "algorithm.kind=recursive_doubling", "--alpha", "1us", "--beta",
                             "10ns").stdout

        # Four steps of 64 bytes: 4 (2 + 0.64), 4 (2 + 64 * 0.01), 4 (2 + 0.64).
        # With whole messages as packets all models give the same time.
        self.assertEqual(output, "Hockney: 10.56 us\nXu-Hwang: 10.56 us\nLogP: 10.56 us\n"
                         "LogGP: 10.56 us\nPostal: 10.56 us\nBSP: 10.56 us\n")

    def test_the_user_sets_the_packets_of_logp_and_of_the_postal_model(self):
        def output(packet):
            lines = self.flitwave("model", "schedule", self.job(BROADCAST), "--set",
                                  "algorithm.kind=recursive_doubling", "--alpha", "1us", "--beta",
                                  "10ns", "--packet", packet).stdout.splitlines()
            return dict(line.split(": ") for line in lines)

        short = output("16B")

        # Four packets of 0.16 us per message: 1 + 3 gaps of 1 + 0.16 + 1 for LogP; 3 units of
        # 1.16 and a message's 2.16 for the postal model. Four steps.
        self.assertEqual(short["LogP"], "20.64 us")
        self.assertEqual(short["Postal"], "22.56 us")
        self.assertEqual(short["Hockney"], "10.56 us")
        error = self.flitwave("model", "schedule", self.job(BROADCAST), "--machine", "ncube2",
                                "--packet", "0B", code=2).stderr
        self.assertIn("--packet: a length below one byte; give 1B or more", error)

    def test_models_without_a_clock_reject_releases(self):
        job = self.job("scenario: late\ntopology: {kind: mesh, shape: [4, 4]}\n"
                       "operation: {kind: multicasts, destinations: 2, message: 64 B, "
                       "gap: 100 cycle}\n")

        error = self.flitwave("model", "schedule", job, "--machine", "ncube2", code=2).stderr

        self.assertIn("job.yaml:3:", error)
        self.assertIn("the deliveries are released later; release them at the start", error)


if __name__ == "__main__":
    unittest.main()
