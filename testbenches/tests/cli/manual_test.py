#!/usr/bin/env python3
# testbenches/tests/cli/manual_test.py: list, describe, schema, check and resolve.
# SPDX-License-Identifier: Apache-2.0
import json
import unittest
import xml.etree.ElementTree

from program import BROADCAST, INSTRUMENTED, SCENARIOS, SOURCE, ProgramTest

PLUG_INS = {"topology": "topologies/kinds", "routing": "algorithms/routing",
            "router": "routers/kinds", "operation": "algorithms/operations",
            "algorithm": "algorithms/collectives", "traffic": "algorithms/traffic",
            "observe": "testbenches/observers/kinds", "node": "modules/tlm/kinds"}


SHARED_CLASSES = """\
scenario: shared
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole, preset: single_cycle}
requests: {window: 8, request: 2 flit, reply: 8 flit, reply_queue: 1}
allow_deadlock: true
"""

class Manual(ProgramTest):
    def listed(self):
        """Names by section, as `list` prints them."""
        sections = {}
        for line in self.flitwave("list").stdout.splitlines():
            if line and line[0] != " ":
                section = sections.setdefault(line.split(":")[0], [])
            elif line:
                self.assertGreater(len(line.split()), 2, "a name and a sentence")
                section.append(line.split()[0])
        return sections

    def test_list_has_every_plug_in_file(self):
        sections = self.listed()

        for section, folder in PLUG_INS.items():
            files = sorted(file.stem for file in (SOURCE / folder).rglob("*.cpp"))
            self.assertEqual(sections[section], files)

    def test_list_shows_one_section(self):
        output = self.flitwave("list", "topology").stdout

        self.assertTrue(output.startswith("topology: "))
        self.assertNotIn("routing: ", output)
        error = self.flitwave("list", "topolgy", code=2).stderr
        self.assertIn("did you mean `topology`?", error)

    def test_everything_that_is_listed_is_described(self):
        for section, names in self.listed().items():
            for name in names:
                output = self.flitwave("describe", f"{section}.{name}").stdout
                self.assertTrue(output.startswith(f"{section}.{name}: "), output)
                self.assertLess(max(map(len, output.splitlines())), 100)

    def test_a_kind_is_described_without_its_section(self):
        output = self.flitwave("describe", "torus").stdout

        self.assertIn("topology.torus: k-ary n-cube", output)
        self.assertIn("source: Dally & Towles 2004, chapter 5", output)
        self.assertIn("example: {kind: torus, shape: [8, 8]}\n", output)
        self.assertIn("  shape: list of integer, required\n      routers per dimension", output)

    def test_a_section_is_described_with_units_and_ranges(self):
        output = self.flitwave("describe", "channel").stdout

        self.assertIn("latency: number of cycles, 1 cycle .. 1024 cycle, default 1 cycle", output)
        self.assertIn("handshake: credit | ready_valid | acknowledge | request, default credit", output)

    def test_an_unknown_kind_is_rejected_with_the_nearest(self):
        output = self.flitwave("describe", "tors", code=2).stderr

        self.assertIn("`tors`; did you mean `torus`?", output)

    def test_a_network_is_exported(self):
        job = self.job(BROADCAST)

        self.flitwave("describe", job, "--dot", "net.dot", "--graphml", "net.graphml")

        dot = (self.folder / "net.dot").read_text(encoding="utf-8")
        self.assertTrue(dot.startswith("digraph"))
        self.assertEqual(dot.count("->"), 48)
        graph = xml.etree.ElementTree.parse(self.folder / "net.graphml").getroot()
        self.assertEqual(len(graph.findall(".//{*}edge")), 48)

    def test_the_subnetworks_of_an_algorithm_are_plotted(self):
        job = self.job(BROADCAST)
        settings = ["--set", "topology={kind: torus, shape: [4, 4]}", "--set", "channel={vcs: 2}",
                    "--set", "algorithm={kind: partitioned, h: 2, type: III}"]

        self.flitwave("describe", job, "--subnetworks", "nets.svg", *settings)

        svg = xml.etree.ElementTree.parse(self.folder / "nets.svg").getroot()
        self.assertEqual(len(svg.findall(".//{*}path[@class='channel']")), 4 * 16)
        self.assertEqual(len(svg.findall(".//{*}circle[@class='node']")), 4 * 4)

    def test_an_algorithm_without_subnetworks_has_no_picture_of_them(self):
        output = self.flitwave("describe", self.job(BROADCAST), "--subnetworks", "-", code=2).stderr

        self.assertIn("algorithm: the job's algorithm does not send over subnetworks", output)

    def test_an_exported_network_can_be_a_topology(self):
        job = self.job(BROADCAST)
        self.flitwave("describe", job, "--graphml", "net.graphml")

        output = self.flitwave("check", job, "--set", "topology={kind: custom, file: net.graphml}",
                             "--set", "routing={kind: shortest_path}", "--set",
                             "algorithm={kind: separate}", "--set",
                             "operation={kind: broadcast, root: 5, message: 8 B}").stdout

        self.assertIn("network: custom, 16 nodes, 48 channels\n", output)

    def test_the_schema_knows_the_settings_of_a_section_in_a_section(self):
        job = json.loads(self.flitwave("schema").stdout)["oneOf"][0]["properties"]
        trigger = job["wave"]["properties"]["trigger"]["anyOf"]
        self.assertEqual(trigger[1], {"type": "null"})
        self.assertEqual(set(trigger[0]["properties"]), {"packet", "nodes", "blocked"})
        self.assertIs(trigger[0]["additionalProperties"], False)

    def test_the_schema_is_json_and_contains_every_kind_and_section(self):
        schema = json.loads(self.flitwave("schema").stdout)

        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        job = schema["oneOf"][0]["properties"]
        for section, names in self.listed().items():
            if section in ("topology", "routing", "router", "operation", "algorithm"):
                alone, written_out = job[section]["anyOf"]
                kinds = [kind["properties"]["kind"]["const"] for kind in written_out["oneOf"]]
                self.assertEqual(kinds, names)
                self.assertEqual(alone["enum"], names)
            elif section == "job":
                self.assertLessEqual(set(names) - {"top"}, job.keys())


class Resolved(ProgramTest):
    def test_a_resolved_job_resolves_to_itself(self):
        for file in SCENARIOS:
            with self.subTest(file.name):
                once = self.flitwave("resolve", file).stdout
                self.job(once, "once.yaml")
                self.assertEqual(self.flitwave("resolve", "once.yaml").stdout, once)

    def test_a_resolved_job_gives_the_same_run(self):
        for file in SCENARIOS[::5 if INSTRUMENTED else 1]:
            with self.subTest(file.name):
                self.job(self.flitwave("resolve", file).stdout, "resolved.yaml")
                self.flitwave("run", file, "--out", "a", "--quiet")
                self.flitwave("run", "resolved.yaml", "--out", "b", "--quiet")
                a, b = (json.loads((self.folder / out / "results.json").read_text("utf-8"))
                        for out in "ab")
                self.assertEqual(a["fingerprint"], b["fingerprint"])

    def test_an_untimed_job_is_resolved_without_settings_of_simulations(self):
        job = self.job(BROADCAST.replace("observe: [{kind: latency}, {kind: steps}]",
                                         "evaluation: untimed"))
        once = self.flitwave("resolve", job).stdout
        self.job(once, "once.yaml")

        self.assertEqual(self.flitwave("resolve", "once.yaml").stdout, once)
        for word in ("watchdog", "stop", "in cycles", "buffer slot"):
            self.assertNotIn(word, once)
        self.flitwave("run", job, "--out", "a", "--quiet")
        self.flitwave("run", "a/job.yaml", "--out", "b", "--quiet")
        self.assertEqual((self.folder / "a/results.json").read_bytes(),
                         (self.folder / "b/results.json").read_bytes())

    def test_defaults_are_filled_in(self):
        output = self.flitwave("resolve", self.job(BROADCAST)).stdout

        self.assertIn("\nseed: 1\n", output)
        self.assertIn("\nwatchdog: {interval: 1000 cycle, blocked_after: 1000 cycle}\n", output)

    def test_delays_are_shown_exact_and_rounded(self):
        output = self.flitwave("resolve", self.job(BROADCAST), "--set", "clock.period=300 ns").stdout

        self.assertIn("# in cycles of 300 ns:\n", output)
        self.assertRegex(output, r"#   node\.send_overhead +1 us = 3\.3333\d* cycle, rounded to 3 "
                               r"\(-10\.000 %\)\n")

    def test_round_trip_and_rates_are_shown(self):
        output = self.flitwave("resolve", self.job(BROADCAST), "--set",
                             "channel={latency: 2 cycle, buffer: 3 flit, vcs: 2}").stdout

        self.assertIn("R = 4 cycle; peak rate of a virtual channel 0.75, of a channel 1 flit/cycle",
                      output)


    def test_an_experiment_resolves_to_itself(self):
        for file in sorted((SOURCE / "configs/experiments").glob("*.yaml")):
            with self.subTest(file.name):
                once = self.flitwave("resolve", file).stdout
                self.job(once, "once.yaml")
                self.assertEqual(self.flitwave("resolve", "once.yaml").stdout, once)


class Checked(ProgramTest):
    def test_check_prints_figures_without_simulating(self):
        output = self.flitwave("check", self.job(BROADCAST)).stdout

        self.assertIn("network: mesh, 16 nodes, 48 channels\n"
                      "  diameter 6, mean distance 2.67, connectivity 2, bisection 8\n", output)
        self.assertIn("\n  acyclic\n", output)
        self.assertIn("15 transfers in 3 steps", output)
        self.assertIn("no contention within a step", output)
        self.assertIn("round trip of a buffer slot: 2 cycles", output)
        self.assertEqual(self.names(), ["job.yaml"])

    def test_check_counts_no_flits_where_no_network_is_simulated(self):
        job = self.job("scenario: large\n"
                       "topology: {kind: mesh, shape: [64, 64]}\n"
                       "evaluation: untimed\n"
                       "operation:\n"
                       "  kind: array_assignment\n"
                       "  source: {section: [0:999999999, 0:999999999], block: [31250000, 31250000]}\n"
                       "  destination: {section: [3:1000000002, 5:1000000004], block: [15900001, 16900001]}\n"
                       "algorithm: {kind: block_transfer}\n")
        output = self.flitwave("check", job).stdout

        self.assertIn("  lower bound: 126 steps of one-to-one messages", output)
        self.assertIn("no contention within a step", output)
        self.assertNotIn("flits", output)

    def test_check_prints_buffers_only_where_a_router_has_them(self):
        output = self.flitwave("check", self.job("scenario: circuits\n"
                                               "topology: {kind: mesh, shape: [4, 4]}\n"
                                               "channel: {handshake: acknowledge}\n"
                                               "router: {kind: circuit}\n"
                                               "traffic: {rate: 0.02 flit/node/cycle}\n")).stdout

        self.assertIn("closed form:\n  peak rate: 1 flit/cycle of a virtual channel", output)
        self.assertNotIn("buffer", output)

    def test_check_prints_the_greatest_rate_and_warns_above_it(self):
        job = self.job("scenario: transposed\n"
                       "topology: {kind: mesh, shape: [8, 8]}\n"
                       "router: {kind: wormhole}\n"
                       "traffic: {pattern: transpose, rate: 0.145 flit/node/cycle}\n")

        output = self.flitwave("check", job).stdout

        self.assertIn("load: channel 0_0_to_0_1 is the busiest, with 7 flit/cycle for each flit/cycle that a node "
                      "offers\n  greatest rate that it carries: 0.1429 flit/node/cycle\n", output)
        self.assertIn("warning: traffic.rate: 0.145 flit/node/cycle is more than the 0.1429 at which",
                      output)
        below = self.flitwave("check", job, "--set", "traffic.rate=0.14 flit/node/cycle").stdout
        self.assertNotIn("warning", below)

    def test_check_reports_requests_that_wait_for_replies_as_cyclic(self):
        output = self.flitwave("check", self.job(SHARED_CLASSES)).stdout

        self.assertIn("\n  cyclic between requests and replies: 0_0_to_1_0 -> interface of 1_0 -> ",
                      output)
        self.assertIn("\n  acyclic for either alone\n", output)
        self.assertNotIn("\n  acyclic\n", output)
        apart = self.flitwave("check", "job.yaml", "--set", "requests.message_classes=2", "--set",
                              "channel.vcs=2").stdout
        self.assertIn("\n  acyclic\n", apart)

    def test_check_and_run_reject_a_wave_whose_list_of_signals_exceeds_its_limit(self):
        job = self.job(BROADCAST + "wave: {file: w.vcd, limit: 4 KiB}\n")
        for scheduling in "batched", "per_module":
            problems = {self.flitwave(command, job, "--set", f"clock.scheduling={scheduling}",
                                      code=2).stderr.partition("job.yaml")[2]
                        for command in ("check", "run")}
            self.assertEqual(len(problems), 1, problems)
            self.assertRegex(problems.pop(), r"wave\.limit: the list of signals alone takes \d+ B; ")
        self.flitwave("check", job, "--set", "wave.limit=1 MiB")

    def test_check_rejects_what_only_a_later_draw_shows(self):
        job = self.job("scenario: draws\ndraws: 2\ntopology: {kind: hypercube, dimensions: 2}\n"
                       "node: {at: [{nodes: [1], kind: tlm, registers: true}]}\n"
                       "operation: {kind: multicasts, destinations: [1, 2], message: 1 B, count: 1}\n")
        for command in ("check", "run"):
            error = self.flitwave(command, job, code=2).stderr
            self.assertIn("job.yaml:4:13: node.at[0]: node 1_0 begins its part of the collective",
                          error)
            self.assertIn("(at draw 2 of 2)", error)
        self.assertIn("nodes", self.flitwave("check", job, "--set", "draws=1").stdout)

    def test_check_omits_figures_of_simulations_for_an_untimed_job(self):
        job = self.job(BROADCAST.replace("observe: [{kind: latency}, {kind: steps}]",
                                         "evaluation: untimed\nchannel: {buffer: 1 flit}"))

        output = self.flitwave("check", job).stdout

        self.assertIn("15 transfers in 3 steps", output)
        for word in ("closed form", "buffer", "zero load"):
            self.assertNotIn(word, output)

    def test_one_step_and_one_contention_are_printed_in_the_singular(self):
        def output(transfers):
            return self.flitwave("check", self.job(BROADCAST), "--set", "algorithm.kind=separate",
                                 "--set", f"operation={{kind: unicasts, transfers: [{transfers}]}}"
                                 ).stdout

        one = "{from: [0, 0], to: [1, 0], message: 8 B}"
        far = "{from: [0, 0], to: [2, 0], message: 8 B}"
        self.assertIn("1 transfer in 1 step, 1 channel each on average\n", output(one))
        self.assertIn("zero load: ", output(one))
        self.assertIn("\n  once two transfers of a step need one channel\n", output(f"{one}, {far}"))
        self.assertIn("\n  2 times two transfers of a step need one channel\n",
                      output(f"{one}, {far}, {one}"))

    def test_check_reads_every_point_of_an_experiment(self):
        output = self.flitwave("check", SOURCE / "configs/experiments/quickstart.yaml").stdout

        self.assertIn("quickstart: 224 points, each can run\n", output)

    def test_check_warns_of_a_buffer_below_the_round_trip(self):
        output = self.flitwave("check", self.job(BROADCAST), "--set", "channel.buffer=1 flit").stdout

        self.assertIn("warning: channel.buffer: ", output)
        self.assertIn("2 flit is the least depth for full rate", output)

    def test_check_warns_of_coarse_rounding(self):
        output = self.flitwave("check", self.job(BROADCAST), "--set", "clock.period=300 ns").stdout

        self.assertIn("warning: node.send_overhead: 1 us is 3.333 cycles and is rounded to 3", output)

    def test_check_names_the_cycle_of_a_routing_that_may_deadlock(self):
        settings = ["--set", "topology.kind=torus", "--set", "algorithm.kind=separate", "--set",
                    "routing={kind: dimension_order, vc_rule: none}"]

        error = self.flitwave("check", self.job(BROADCAST), *settings, code=2).stderr
        output = self.flitwave("check", self.job(BROADCAST), *settings, "--set",
                             "allow_deadlock=true").stdout

        self.assertIn("possible deadlock: channel dependencies are cyclic: ", error)
        self.assertIn("\n  cyclic: ", output)


if __name__ == "__main__":
    unittest.main()
