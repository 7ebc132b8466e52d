#!/usr/bin/env python3
# testbenches/tests/cli/timeline_test.py: flitwave timeline: trace events follow from the tables.
# SPDX-License-Identifier: Apache-2.0
import collections
import csv
import json
import os
import subprocess
import unittest

from program import INSTRUMENTED, PROGRAM, ProgramTest

JOB = """\
scenario: small
clock: {period: 2 ns}
topology: {kind: mesh, shape: [4, 4]}
channel: {vcs: 2}
node: {ports: 2, send_overhead: 10 cycle, receive_overhead: 10 cycle}
operation: {kind: broadcast, root: [1, 1], message: 64 B}
algorithm: {kind: recursive_doubling}
traffic: {rate: 0.2 flit/node/cycle, packet: 3 flit, warmup: 20 cycle, measure: 300 cycle}
observe: [{kind: latency, packets: true}, {kind: flit_log}]
"""
PERIOD = 0.002  # us
TRANSACTIONS = """\
scenario: accesses
clock: {period: 2 ns, reset: 3 cycle}
topology: {kind: mesh, shape: [3, 3]}
node:
  at:
    - {nodes: [[0, 0]], kind: tlm, initiator: {program: accesses.txt}}
    - {nodes: [[2, 1]], kind: tlm, memory: {size: 64 B, wait: 3500 ps}}
transactions: {map: [{base: 0, size: 64 B, node: [2, 1]}]}
observe: [{kind: transactions}]
"""
KEYS = {"M": {"name", "pid", "args"}, "B": {"name", "pid", "tid", "ts"}, "E": {"name", "pid", "tid", "ts"},
        "s": {"name", "cat", "id", "pid", "tid", "ts"},
        "f": {"name", "cat", "id", "pid", "tid", "ts", "bp"}}


class Timeline(ProgramTest):
    def events(self, job=JOB, code=0):
        self.flitwave("run", self.job(job), "--out", "out", "--quiet", code=code)
        printed = self.flitwave("timeline", "out").stdout
        self.assertEqual(printed, "out/timeline.json\n")
        text = (self.folder / "out/timeline.json").read_text(encoding="utf-8")
        self.groups, self.tracks = {}, {}
        events = json.loads(text)["traceEvents"]
        for event in events:
            if event["name"] == "process_name":
                self.groups[event["pid"]] = event["args"]["name"]
            if event["name"] == "thread_name":
                self.tracks[event["pid"], event["tid"]] = event["args"]["name"]
        return events

    def table(self, name):
        with open(self.folder / "out" / f"{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def closed(self, events):
        """The slices as viewers find them: (begin, end), and what begins or ends in the slice around it."""
        closed, around, begun = [], [], collections.defaultdict(list)
        for event in sorted((event for event in events if event["ph"] != "M"), key=lambda event: event["ts"]):
            track = begun[event["pid"], event["tid"]]
            if event["ph"] == "B":
                track.append(event)
            elif event["ph"] == "E":
                self.assertEqual(track[-1]["name"], event["name"])
                closed.append((track.pop(), event))
            else:
                around.append((track[-1], event))
        self.assertEqual([track for track in begun.values() if track], [])
        return closed, around

    def slices(self, events, group):
        """Counts (track without its number, name, begin, end in cycles)."""
        found = collections.Counter()
        for begin, end in self.closed(events)[0]:
            if self.groups[begin["pid"]] == group:
                track = self.tracks[begin["pid"], begin["tid"]].split(" (")[0]
                found[track, begin["name"], round(begin["ts"] / PERIOD), round(end["ts"] / PERIOD)] += 1
        return found

    def test_every_event_has_the_keys_of_its_phase_and_a_named_track(self):
        events = self.events()
        self.assertEqual(set(self.groups.values()), {"steps", "messages", "packets", "channels"})
        for event in events:
            optional = {"M": {"tid"}, "B": {"args"}}.get(event["ph"], set())
            self.assertEqual(set(event) - {"ph"} - optional, KEYS[event["ph"]] - optional, event)
            self.assertIn(event["pid"], self.groups)
            if event["ph"] != "M":
                self.assertIn((event["pid"], event["tid"]), self.tracks)
                self.assertGreaterEqual(event["ts"], 0)

    def test_slices_of_a_track_are_one_after_another_or_one_in_another(self):
        tracks = collections.defaultdict(list)
        for begin, end in self.closed(self.events())[0]:
            tracks[begin["pid"], begin["tid"]].append((begin["ts"], -end["ts"]))
        for slices in tracks.values():
            ends = []
            for begin, end in sorted(slices):
                self.assertLessEqual(begin, -end)
                while ends and ends[-1] <= begin:
                    ends.pop()
                self.assertTrue(not ends or -end <= ends[-1])
                ends.append(-end)

    def test_packets_and_transfers_have_the_times_of_their_tables(self):
        events = self.events()
        packets = collections.Counter()
        for row in self.table("packets"):
            name = f"{row['source']}#{row['number']}"
            times = [int(row[key]) for key in ("created", "injected", "head_ejected", "ejected")]
            packets[row["source"], name, times[0], times[3]] += 1
            packets[row["source"], "source queue", times[0], times[1]] += 1
            packets[row["source"], "head in the network", times[1], times[2]] += 1
            packets[row["source"], "tail", times[2], times[3]] += 1
        self.assertGreater(len(packets), 400)
        self.assertEqual(self.slices(events, "packets"), packets)
        messages = collections.Counter(
            (row["from"], f"message {row['message']} to {row['to']}", int(row["ready_cycle"]),
             int(row["done_cycle"])) for row in self.table("transfers"))
        self.assertEqual(sum(messages.values()), 15)
        self.assertEqual(self.slices(events, "messages"), messages)

    def test_a_packet_that_has_not_arrived_lasts_until_the_end_of_the_run(self):
        load = JOB[:JOB.index("node:")] + (
            "traffic: {rate: 0.4 flit/node/cycle, packet: 6 flit, measure: 300 cycle, warmup: 0 cycle}\n"
            "stop: {limit: 150 cycle}\nobserve: [{kind: latency, packets: true}, {kind: flit_log}]\n")
        self.flitwave("run", self.job(load), "--out", "out", "--quiet", code=4)
        self.flitwave("timeline", "out")
        heads, tails = {}, set()
        for row in self.table("flit_log"):
            packet, cycle = f"{row['source']}#{row['packet']}", int(row["cycle"])
            at = row["channel"].split("_")[0], row["sequence"]
            if at[1] == "0":
                heads[at[0], packet] = cycle
            if at == ("ejection", "5"):
                tails.add(packet)
        self.assertEqual(max(int(row["cycle"]) for row in self.table("flit_log")), 150)
        rows = self.table("undelivered")
        expected = {}
        for packet in {packet for at, packet in heads if at == "injection"} - tails:
            ejected = heads.get(("ejection", packet))
            expected[packet] = heads["injection", packet], None if ejected is None else ejected + 1
        self.assertGreater(len(expected), 15)
        found = {f"{row['source']}#{row['number']}": (int(row["injected"]), int(row["head_ejected"] or 0) or None)
                 for row in rows if row["injected"]}
        self.assertEqual(found, expected)
        text = (self.folder / "out/timeline.json").read_text(encoding="utf-8")
        events = json.loads(text)["traceEvents"]
        names = {event["name"] for event in events if event["ph"] == "B"}
        self.assertEqual({name[:-16] for name in names if name.endswith(" (not delivered)")},
                         {f"{row['source']}#{row['number']}" for row in rows})
        ends = {event["name"]: event["ts"] for event in events if event["ph"] == "E"}
        for row in rows:
            self.assertAlmostEqual(ends[f"{row['source']}#{row['number']} (not delivered)"], 150 * PERIOD)
        stages = collections.Counter(event["name"] for event in events if event["ph"] == "E"
                                     and abs(event["ts"] - 150 * PERIOD) < 1e-9 and "#" not in event["name"])
        self.assertEqual(stages["source queue"], sum(not row["injected"] for row in rows))
        self.assertEqual(stages["head in the network"],
                         sum(bool(row["injected"]) and int(row["head_ejected"] or 150) >= 150 for row in rows))

    def test_a_transfer_that_is_not_done_lasts_until_the_end_of_the_run_and_brings_no_data(self):
        job = JOB[:JOB.index("traffic:")] + "stop: {limit: 60 cycle}\nobserve: [{kind: latency, packets: true}]\n"
        self.flitwave("run", self.job(job), "--out", "out", "--quiet", code=4)
        self.flitwave("timeline", "out")
        events = json.loads((self.folder / "out/timeline.json").read_text(encoding="utf-8"))["traceEvents"]
        rows = [row for row in self.table("transfers") if int(row["ready_cycle"]) >= 0]
        self.assertGreater(sum(row["done_cycle"] == "-1" for row in rows), 3)
        expected = collections.Counter()
        for row in rows:
            done = row["done_cycle"] != "-1"
            self.assertEqual(row["done_us"] and round(float(row["done_us"]) / PERIOD),
                             int(row["done_cycle"]) if done else "")
            name = f"message {row['message']} to {row['to']}" + ("" if done else " (not delivered)")
            expected[name, round(int(row["done_cycle"]) if done else 60)] += 1
        found = collections.Counter((event["name"], round(event["ts"] / PERIOD)) for event in events
                                    if event["ph"] == "E" and event["name"].startswith("message"))
        self.assertEqual(found, expected)
        causes = sum(event["ph"] == "f" for event in events)
        self.assertEqual(causes, sum(row["from"] != "1_1" for row in rows))

    def steps(self, cycles):
        """By step: (first ready, last done or the end of the run, whether all are done)."""
        rows = collections.defaultdict(list)
        for row in self.table("transfers"):
            rows[row["step"]].append((int(row["ready_cycle"]), int(row["done_cycle"])))
        steps = {}
        for step, times in rows.items():
            begun = [ready for ready, _ in times if ready >= 0]
            whole = all(done >= 0 for _, done in times)
            if begun:
                steps[step] = min(begun), max(done for _, done in times) if whole else cycles, whole
        return steps

    def test_a_step_lasts_from_its_first_transfer_to_its_last_receipt_or_the_end_of_the_run(self):
        alone = JOB[:JOB.index("traffic:")]
        skewed = ("scenario: skewed\nclock: {period: 2 ns}\ntopology: {kind: mesh, shape: [4, 4]}\nnode: {start_skew: 500 cycle}\n"
                  "operation: {kind: all_reduce, message: 16 B}\nalgorithm: {kind: recursive_doubling}\n")
        partly_begun = 0
        for job, limit in ((JOB, None), (alone, 60), (skewed, 240), (skewed, None)):
            limited = job if limit is None else job + f"stop: {{limit: {limit} cycle}}\n"
            events = self.events(limited, 0 if limit is None else 4)
            steps = self.steps(limit)
            self.assertGreater(len(steps), 1)
            expected = collections.Counter(
                ("collective", f"step {step}" + ("" if whole else " (not delivered)"), begin, end)
                for step, (begin, end, whole) in steps.items())
            self.assertEqual(self.slices(events, "steps"), expected)
            rows = self.table("transfers")
            counts = collections.Counter(row["step"] for row in rows)
            self.assertEqual({event["name"].split()[1]: event["args"]["transfers"] for event in events
                              if event["ph"] == "B" and event["name"].startswith("step ")},
                             {step: str(counts[step]) for step in steps})
            partly_begun += sum(row["ready_cycle"] == "-1" and row["step"] in steps for row in rows)
        self.assertGreater(partly_begun, 3)

    def test_steps_of_messages_of_a_barrier_are_named_so(self):
        events = self.events(JOB[:JOB.index("traffic:")] + "pace: stepped\nbarrier: messages\n")
        named = {event["name"] for event in events if event["ph"] == "B" and event["name"].startswith("step ")}
        barriers = {row["step"] for row in self.table("transfers") if row["kind"] == "barrier"}
        others = {row["step"] for row in self.table("transfers") if row["kind"] == "data"}
        self.assertGreater(len(barriers), 8)
        self.assertEqual(len(others), 4)  # 16 nodes
        self.assertEqual(named, {f"step {step} (barrier)" for step in barriers} | {f"step {step}" for step in others})

    def test_transfers_that_combine_messages_name_the_one_for_which_they_waited_last(self):
        for operation, algorithm in (("scatter", "recursive_doubling"), ("gather", "recursive_doubling"),
                                     ("all_gather", "exchange"), ("reduce_scatter", "exchange"),
                                     ("complete_exchange", "exchange")):
            root = ", root: [1, 1]" if operation in ("scatter", "gather") else ""
            events = self.events("scenario: combined\nclock: {period: 2 ns}\ntopology: {kind: mesh, shape: [4, 4]}\n"
                                 f"operation: {{kind: {operation}{root}, message: 64 B}}\n"
                                 f"algorithm: {{kind: {algorithm}}}\n")
            rows = self.table("transfers")
            expected = []
            for row in rows:
                before = [(int(other["done_cycle"]), number) for number, other in enumerate(rows)
                          if other["to"] == row["from"] and int(other["step"]) < int(row["step"])]
                expected.append(str(max(before)[1]) if before else "")
            self.assertEqual([row["after"] for row in rows], expected, operation)
            self.assertGreater(sum(after != "" for after in expected), 6)
            self.assertEqual(sum(event["ph"] == "f" for event in events), sum(after != "" for after in expected))

    def test_transfers_without_times_or_of_an_earlier_version_are_an_error(self):
        self.flitwave("run", self.job(JOB[:JOB.index("traffic:")] + "evaluation: {kind: untimed}\n"), "--out", "out",
                      "--quiet")
        self.assertIn("out/transfers.csv is of an evaluation without a clock, or of an earlier version; run the job "
                      "again, with `evaluation: timed`", self.flitwave("timeline", "out", code=5).stderr)

    def test_a_transfer_that_waited_for_a_row_that_does_not_exist_is_an_error(self):
        self.flitwave("run", self.job(JOB), "--out", "out", "--quiet")
        path = self.folder / "out/transfers.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        last = lines[-1].rsplit(",", 1)
        path.write_text("\n".join([*lines[:-1], f"{last[0]},15"]) + "\n", encoding="utf-8")
        self.assertIn("out/transfers.csv: row 15, column `after`: there is no row 15; run the job again",
                      self.flitwave("timeline", "out", code=5).stderr)

    def test_deliveries_that_count_their_own_steps_have_no_common_steps(self):
        events = self.events("scenario: independent\ntopology: {kind: mesh, shape: [4, 4]}\n"
                             "operation: {kind: multicasts, destinations: 3, message: 16 B, gap: 800 cycle, measure: 1000 cycle}\n"
                             "algorithm: {kind: separate}\n")
        self.assertEqual(set(self.groups.values()), {"messages"})
        self.assertGreater(len({row["release_cycle"] for row in self.table("transfers")}), 10)
        begun = [row for row in self.table("transfers") if int(row["ready_cycle"]) >= 0]
        self.assertEqual(sum(event["ph"] == "B" for event in events), len(begun))

    def test_results_without_the_number_of_cycles_are_an_error(self):
        self.flitwave("run", self.job(JOB), "--out", "out", "--quiet")
        results = self.folder / "out/results.json"
        results.write_text(results.read_text(encoding="utf-8").replace('"cycles"', '"cycle"'), encoding="utf-8")
        self.assertIn("out/results.json has no number of cycles; run the job again",
                      self.flitwave("timeline", "out", code=5).stderr)

    def test_a_packet_on_a_channel_lasts_from_its_first_to_its_last_flit(self):
        events = self.events()
        flits = collections.defaultdict(list)
        for row in self.table("flit_log"):
            key = f"{row['channel']} vc {row['vc']}", f"{row['source']}#{row['packet']}"
            flits[key].append(int(row["cycle"]))
        expected = collections.Counter(
            (*key, min(cycles), max(cycles) + 1) for key, cycles in flits.items())
        self.assertGreater(len(expected), 500)
        self.assertEqual(self.slices(events, "channels"), expected)

    def test_an_arrow_leads_to_each_transfer_from_the_one_that_brought_its_data(self):
        events = self.events()
        ends = {}
        for event in events:
            if event["ph"] in "sf":
                ends.setdefault(event["id"], {})[event["ph"]] = event
        senders = [row for row in self.table("transfers") if row["from"] != "1_1"]
        self.assertEqual(len(ends), len(senders))
        transfers = {(row["from"], int(row["ready_cycle"])) for row in senders}
        arrived = {(row["from"], int(row["done_cycle"])) for row in self.table("transfers")}
        for around, event in self.closed(events)[1]:
            self.assertRegex(around["name"], "^message ")
            if event["ph"] == "f":
                self.assertEqual(around["ts"], event["ts"])
        for pair in ends.values():
            self.assertEqual(set(pair), {"s", "f"})
            at = {phase: (self.tracks[event["pid"], event["tid"]].split(" (")[0],
                          round(event["ts"] / PERIOD)) for phase, event in pair.items()}
            self.assertIn(at["s"], arrived)
            self.assertIn(at["f"], transfers)
            self.assertLessEqual(at["s"][1], at["f"][1])

    def test_a_pipe_takes_the_text_and_remains(self):
        self.events()
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", str(pipe), str(self.folder / "copy")]):
            self.flitwave("timeline", "out", "--out", "pipe")
        self.assertEqual((self.folder / "copy").read_bytes(), (self.folder / "out/timeline.json").read_bytes())
        self.assertTrue(pipe.is_fifo())

    def test_transactions_have_the_stages_of_their_table(self):
        (self.folder / "accesses.txt").write_text(
            "at 3 store 0x10 8 1\nafter 0 load 0x12 4\nafter 2 load 0x9000 4\n", encoding="utf-8")
        events = self.events(TRANSACTIONS)
        found = [(begin["name"], round(begin["ts"] * 1000, 3), round(end["ts"] * 1000, 3))
                 for begin, end in self.closed(events)[0] if self.groups[begin["pid"]] == "transactions"]
        expected = []
        for row in self.table("transactions"):
            times = [float(row[f"{stage}_ns"] or "nan") - 4 for stage in
                     ("begun", "requested", "arrived", "answered", "replied", "ended")]  # cycle 0 is at 4 ns
            expected.append((f"{row['command']} {row['address']}", times[0], times[5]))
            names = ("waits for a clock edge", "request", "target", "waits for a clock edge", "reply")
            if row["target"]:
                expected += list(zip(names, times, times[1:]))
        self.assertEqual(len(expected), 13)
        self.assertEqual(sorted(found), sorted(expected))

    def test_transactions_under_way_at_the_end_have_the_stages_that_they_have_reached(self):
        stages = [f"{stage}_ns" for stage in ("begun", "requested", "arrived", "answered", "replied", "ended")]
        (self.folder / "accesses.txt").write_text(
            "at 3 store 0x10 8 1\nat 5 load 0x18 4\nafter 2 store 0x20 4 7\n", encoding="utf-8")
        reached = set()
        for style in ("loosely_timed", "approximately_timed"):
            job = TRANSACTIONS.replace("initiator: {", f"initiator: {{style: {style}, ")
            self.flitwave("run", self.job(job), "--out", "out", "--quiet")
            whole = self.table("transactions")
            last = max(float(row["ended_ns"]) for row in whole)
            for limit in range(10, int(last / 2) - 4, 10 if INSTRUMENTED else 1):
                now = 2 * limit + 4  # cycle 0 is at 4 ns
                events = self.events(job + f"stop: {{limit: {limit} cycle}}\n", code=4)
                found = {row["number"]: row for row in self.table("transactions")}
                # The memory annotates its delay, or waits before its response.
                known = {"answered_ns": "arrived_ns"} if style == "loosely_timed" else {}
                expected = {row["number"]: {key: value if key not in stages or float(row[known.get(key, key)]) <= now
                                            else "" for key, value in row.items()}
                            for row in whole if float(row["begun_ns"]) <= now}
                for number, row in expected.items():
                    if not row["ended_ns"]:
                        row["status"] = "TLM_INCOMPLETE_RESPONSE"
                        reached.add((style, sum(row[stage] != "" for stage in stages)))
                self.assertEqual(found, expected)
                shown = [begin["name"].endswith(" (not ended)") for begin, end in self.closed(events)[0]
                         if begin["name"].split()[0] in ("load", "store")]
                self.assertEqual(shown.count(True), [row["ended_ns"] for row in found.values()].count(""))
                results = json.loads((self.folder / "out/results.json").read_text(encoding="utf-8"))
                self.assertEqual(results["metrics"]["transactions.open"]["value"], shown.count(True))
        self.assertGreater(len(reached), 3 if INSTRUMENTED else 6)

    def changes(self, name):
        """The changes of a VCD file by the full name of a variable: (time, value)."""
        scopes, names, changes, now = [], {}, collections.defaultdict(list), 0
        for line in (self.folder / "out" / name).read_text(encoding="utf-8").splitlines():
            words = line.split()
            if line.startswith("$scope"):
                scopes.append(words[2])
            elif line.startswith("$upscope"):
                scopes.pop()
            elif line.startswith("$var"):
                self.assertNotIn(words[3], names)
                names[words[3]] = ".".join([*scopes, words[4]])
            elif line.startswith("#"):
                self.assertGreater(int(line[1:]), now - (now == 0))
                now = int(line[1:])
            elif line[0] in "bs":
                changes[names[words[1]]].append((now, words[0][1:]))
            elif line[0] in "01x":
                changes[names[line[1:]]].append((now, line[0]))
        return changes

    def write_vcd(self, job):
        self.flitwave("run", self.job(job), "--out", "out", "--quiet")
        printed = self.flitwave("timeline", "out", "--vcd").stdout
        self.assertEqual(printed, "out/timeline.vcd\nout/timeline.gtkw\n")
        return self.changes("timeline.vcd")

    def shown(self, changes, part):
        """Counts (group, track without its lane, text, begin, end in cycles)."""
        shown = collections.Counter()
        for name, values in changes.items():
            scope, group, track, *_, kind = name.split(".")
            self.assertEqual((scope, values[0][0], values[-1][1]), ("timeline", 0, "-"))
            for (begin, value), (end, _) in zip(values, values[1:]):
                if kind == part and value != "-":
                    shown[group, track, value, begin / 2000, end / 2000] += 1
        return shown

    def test_the_tracks_of_a_vcd_file_hold_the_slices_of_the_tables_at_their_times(self):
        changes = self.write_vcd(JOB)
        slices, stages, channels = collections.Counter(), collections.Counter(), {}
        for row in self.table("packets"):
            times = [int(row[key]) for key in ("created", "injected", "head_ejected", "ejected")]
            slices["packets", row["source"], f"{row['source']}#{row['number']}", times[0], times[3]] += 1
            for name, begin, end in zip(("source_queue", "head_in_the_network", "tail"), times, times[1:]):
                stages["packets", row["source"], name, begin, end] += begin < end
        for step, (begin, end, _) in self.steps(None).items():
            slices["steps", "collective", f"step_{step}", begin, end] += 1
        for row in self.table("transfers"):
            slices["messages", row["from"], f"message_{row['message']}_to_{row['to']}",
                   int(row["ready_cycle"]), int(row["done_cycle"])] += 1
        for row in self.table("flit_log"):
            key = f"{row['channel']}_vc_{row['vc']}", f"{row['source']}#{row['packet']}"
            first, _ = channels.setdefault(key, (int(row["cycle"]), 0))
            channels[key] = first, int(row["cycle"]) + 1
        for key, times in channels.items():
            slices["channels", *key, *times] += 1
        self.assertGreater(len(slices), 500)
        self.assertEqual(self.shown(changes, "slice"), slices)
        self.assertEqual(self.shown(changes, "stage"), +stages)

    def test_a_transfer_names_the_one_that_brought_its_data(self):
        changes = self.write_vcd(JOB)
        arrivals = {row["to"]: f"{row['from']}_message_0_to_{row['to']}" for row in self.table("transfers")}
        expected = collections.Counter(
            ("messages", row["from"], arrivals[row["from"]], int(row["ready_cycle"]), int(row["done_cycle"]))
            for row in self.table("transfers") if row["from"] != "1_1")
        self.assertGreater(len(expected), 10)
        self.assertEqual(self.shown(changes, "after"), expected)

    def test_the_times_of_a_vcd_file_begin_before_the_reset(self):
        (self.folder / "accesses.txt").write_text("at 3 store 0x10 8 1\nafter 0 load 0x12 4\n", encoding="utf-8")
        shown = self.shown(self.write_vcd(TRANSACTIONS), "slice")
        expected = collections.Counter(
            ("transactions", f"{row['initiator']}_socket_{row['socket']}", f"{row['command']}_{row['address']}",
             float(row["begun_ns"]) / 2, float(row["ended_ns"]) / 2) for row in self.table("transactions"))
        self.assertEqual(len(expected), 2)
        self.assertEqual(shown, expected)

    def test_names_of_nodes_that_look_like_those_of_lanes_are_told_apart(self):
        nodes = ["x", "x_stage", "x_lane_2", "lane_2"]
        channels = "\n".join(f'<edge source="{a}" target="{b}"/>' for a in nodes for b in nodes if a != b)
        (self.folder / "net.graphml").write_text(
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
            + "".join(f'<node id="{node}"/>' for node in nodes) + channels + "</graph></graphml>", encoding="utf-8")
        changes = self.write_vcd("scenario: names\ntopology: {kind: custom, file: net.graphml}\n"
                                 "traffic: {rate: 0.5 flit/node/cycle, measure: 100 cycle}\n"
                                 "observe: [{kind: latency, packets: true}]\n")
        expected = collections.Counter(row["source"] for row in self.table("packets"))
        found = collections.Counter()
        for (_, track, _, _, _), count in self.shown(changes, "slice").items():
            found[track] += count
        self.assertEqual(found, expected)

    def test_a_vcd_file_has_the_signals_of_the_wave_unchanged_and_ends_with_it(self):
        changes = self.write_vcd(JOB + "wave: {until: 100 cycle}\n")
        wave = self.changes("wave.vcd")
        self.assertGreater(len(wave), 300)
        self.assertEqual({name: changes[name] for name in wave}, dict(wave))
        tracks = {name: values for name, values in changes.items() if name not in wave}
        self.assertGreater(len(tracks), 30)
        self.assertEqual({name.split(".")[0] for name in tracks}, {"timeline"})
        self.assertLessEqual(max(values[-1][0] for values in tracks.values()), 200000)
        view = (self.folder / "out/timeline.gtkw").read_text(encoding="utf-8")
        for name in tracks:
            self.assertIn(f" {name}\n", view)
        self.assertIn('[dumpfile] "timeline.vcd"', view)
        self.assertIn("testbench.clock.clk", view)

    def test_the_window_of_a_wave_begins_with_the_slices_that_have_begun_before(self):
        self.events()
        late = next(row for row in self.table("packets") if int(row["created"]) >= 200)
        changes = self.write_vcd(
            JOB + f"wave: {{window: 30 cycle, trigger: {{packet: {late['source']}#{late['number']}}}}}\n")
        begin = min(time for values in changes.values() for time, _ in values)
        self.assertGreater(begin, 2000 * 150)
        names = [value for track, values in changes.items() for time, value in values
                 if track.startswith("timeline.packets.") and time == begin and "#" in value]
        expected = [f"{row['source']}#{row['number']}" for row in self.table("packets")
                    if int(row["created"]) * 2000 <= begin < int(row["ejected"]) * 2000]
        self.assertGreater(len(expected), 5)
        self.assertEqual(sorted(names), sorted(expected))

    def test_the_signals_of_an_fst_file_are_those_of_a_vcd_file(self):
        def signals(name):
            return {signal: [(time, value.lstrip("0") or "0") for time, value in changes]
                    for signal, changes in self.changes(name).items()}
        rows = {}
        for file in ("wave.vcd", "wave.fst"):
            wave = f"wave: {{format: {file[-3:]}, select: [channel_*, injection_1_1*], until: 90 cycle}}\n"
            self.flitwave("run", self.job(JOB + wave), "--out", "out", "--quiet")
            self.assertEqual(self.flitwave("timeline", "out", "--vcd", "--out", f"out/{file[-3:]}.vcd").stderr, "")
            view = (self.folder / f"out/{file[-3:]}.gtkw").read_text(encoding="utf-8")
            rows[file] = [line for line in view.splitlines() if not line.startswith("[")]
            self.assertTrue((self.folder / "out" / file).exists())
            if file == "wave.vcd":
                expected = signals("vcd.vcd")
        found = signals("fst.vcd")
        self.assertGreater(len(found), 300)
        self.assertTrue({"testbench", "timeline"} <= {name.split(".")[0] for name in found})
        self.assertEqual(found, expected)
        self.assertEqual(rows["wave.fst"], rows["wave.vcd"])
        self.assertEqual([path.name for path in (self.folder / "out").iterdir() if ".signals" in path.name], [])

    def test_an_fst_file_that_is_damaged_is_named(self):
        self.flitwave("run", self.job(JOB + "wave: {format: fst}\n"), "--out", "out", "--quiet")
        wave = self.folder / "out/wave.fst"
        whole = wave.read_bytes()
        middle = len(whole) // 2
        # What the reader makes of this depends on its memory: it finds values, or ends its process.
        wave.write_bytes(whole[:middle] + bytes(4096) + whole[middle + 4096:])
        done = subprocess.run([PROGRAM, "timeline", "out", "--vcd"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertIn(done.returncode, (0, 5))
        for path in (self.folder / "out").glob("*timeline*"):
            self.assertEqual((done.returncode, path.stem), (0, "timeline"))
            path.unlink()
        for damaged in (b"no wave", whole[:middle]):
            wave.write_bytes(damaged)
            self.assertRegex(self.flitwave("timeline", "out", "--vcd", code=5).stderr,
                             r"^flitwave: out/wave.fst is no FST file of a run.*; run the job again\n$")
            self.assertEqual([path.name for path in (self.folder / "out").iterdir() if "timeline" in path.name], [])

    def test_files_of_the_run_are_not_replaced(self):
        for wave, out, options in (("wave", "results.json", []), ("wave", "wave.vcd", ["--vcd"]),
                                   ("timeline", None, ["--vcd"])):
            self.flitwave("run", self.job(JOB + f"wave: {{format: fst, file: {wave}.fst}}\n"), "--out", "out", "--quiet")
            before = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}
            arguments = ["timeline", "out", *options, *(["--out", f"out/{out}"] if out else [])]
            self.assertIn(f"--out: out/{'results.json' if not options else wave + '.gtkw'} is a file of the run",
                          self.flitwave(*arguments, code=2).stderr)
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}, before)
        self.flitwave("timeline", "out")
        self.flitwave("timeline", "out")

    def test_the_view_has_the_signals_of_the_wave_beside_it_only(self):
        self.flitwave("run", self.job(JOB + "wave: {}\n"), "--out", "out", "--quiet")
        self.flitwave("timeline", "out", "--vcd", "--out", "out/more.vcd")
        self.flitwave("timeline", "out", "--vcd", "--out", "more.vcd")
        for file, has_signals in (("out/more", True), ("more", False)):
            view = (self.folder / f"{file}.gtkw").read_text(encoding="utf-8")
            self.assertIn('[dumpfile] "more.vcd"', view)
            self.assertEqual("testbench.clock.clk" in view, has_signals)
        (self.folder / "out/wave.vcd").unlink()
        self.assertIn("note: out/wave.vcd does not exist", self.flitwave("timeline", "out", "--vcd").stderr)
        view = (self.folder / "out/timeline.gtkw").read_text(encoding="utf-8")
        self.assertNotIn("testbench", view)

    def test_files_that_are_no_vcd_or_the_wave_are_not_written(self):
        self.flitwave("run", self.job(JOB + "wave: {file: timeline.vcd}\n"), "--out", "out", "--quiet")
        wave = (self.folder / "out/timeline.vcd").read_bytes()
        self.assertIn("--out: out/timeline.vcd is a file of the run",
                      self.flitwave("timeline", "out", "--vcd", code=2).stderr)
        self.assertEqual((self.folder / "out/timeline.vcd").read_bytes(), wave)
        self.assertIn("--out: more.gtkw does not end in .vcd",
                      self.flitwave("timeline", "out", "--vcd", "--out", "more.gtkw", code=2).stderr)
        self.assertFalse((self.folder / "more.gtkw").exists())

    def test_a_table_without_rows_is_no_group(self):
        idle = JOB[:JOB.index("node:")] + (
            "traffic: {rate: 0.00001 flit/node/cycle, measure: 100 cycle}\n"
            "observe: [{kind: latency, packets: true}]\n")
        self.flitwave("run", self.job(idle), "--out", "out", "--quiet")
        self.assertEqual(self.table("packets"), [])
        self.assertIn("out has no transfers, packets, flits or transactions to show",
                      self.flitwave("timeline", "out", "--vcd", code=2).stderr)

    def test_a_table_in_which_a_packet_ends_before_it_begins_is_an_error(self):
        self.flitwave("run", self.job(JOB), "--out", "out", "--quiet")
        path = self.folder / "out/packets.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        row = dict(zip(lines[0].split(","), lines[-1].split(",")), ejected="0", created="7")
        path.write_text("\n".join([*lines[:-1], ",".join(row.values())]) + "\n", encoding="utf-8")
        self.assertIn(f"out/packets.csv: {row['source']}#{row['number']} of {row['source']} ends before it begins",
                      self.flitwave("timeline", "out", code=5).stderr)

    def test_a_damaged_wave_is_an_error(self):
        self.flitwave("run", self.job(JOB + "wave: {}\n"), "--out", "out", "--quiet")
        (self.folder / "out/wave.vcd").write_text("no wave\n", encoding="utf-8")
        self.assertIn("the wave is no VCD file of a run",
                      self.flitwave("timeline", "out", "--vcd", code=5).stderr)
        self.assertEqual(list((self.folder / "out").glob("timeline*")), [])

    def test_a_later_run_into_the_folder_removes_the_timelines_of_the_run_before(self):
        self.write_vcd(JOB)
        self.flitwave("timeline", "out")
        names = {file.name for file in (self.folder / "out").glob("timeline*")}
        self.assertEqual(names, {"timeline.gtkw", "timeline.json", "timeline.vcd"})
        self.flitwave("run", self.job(JOB), "--out", "out", "--quiet")
        self.assertEqual(list((self.folder / "out").glob("timeline*")), [])

    def test_a_folder_without_such_tables_is_an_error(self):
        plain = JOB[:JOB.index("operation")] + JOB[JOB.index("traffic"):JOB.index("observe")]
        self.flitwave("run", self.job(plain), "--out", "out", "--quiet")
        self.assertIn("observe: out has no transfers, packets, flits or transactions to show",
                      self.flitwave("timeline", "out", code=2).stderr)
        self.assertIn("contains no results", self.flitwave("timeline", ".", code=5).stderr)


if __name__ == "__main__":
    unittest.main()
