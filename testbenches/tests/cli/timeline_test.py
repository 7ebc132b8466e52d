#!/usr/bin/env python3
# testbenches/tests/cli/timeline_test.py: flitwave timeline: trace events follow from the tables.
# SPDX-License-Identifier: Apache-2.0
import collections
import json
import os
import subprocess
import unittest

from program import INSTRUMENTED, SOURCE
from timeline_case import JOB, KEYS, PERIOD, TRANSACTIONS, TimelineCase


class Timeline(TimelineCase):
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

    def require_schema(self, name, valid=True):
        """Whether a file in the folder of the results fulfils the schema of trace events; `valid` is expected."""
        schema = SOURCE / "testbenches/tests/cli/trace_events.json"
        # That of Debian, which has the package python3-jsonschema.
        done = subprocess.run(["/usr/bin/python3", "-m", "jsonschema", "-i", self.folder / "out" / name, schema],
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode == 0, valid, done.stderr[-2000:])
        self.assertNotIn("Traceback", done.stderr)

    def test_trace_events_fulfil_their_schema(self):
        short = JOB.replace("measure: 300 cycle", "measure: 60 cycle")
        transactions = TRANSACTIONS.replace("observe: [", "observe: [{kind: latency, packets: true}, ")
        for job in (short, transactions):
            (self.folder / "accesses.txt").write_text("at 9 store 0x8 4 0x11223344\nafter 0 load 0x8 4\n",
                                                      encoding="utf-8")
            self.events(job)
            self.require_schema("timeline.json")
        events = self.events(short)
        places = [next(i for i, event in enumerate(events) if event["ph"] == phase) for phase in "BEMsf"]
        for place, key, value in zip(places, ("ts", "name", "pid", "id", "ts"), ("1", 7, None, 1.5, -1)):
            wrong = [dict(event) for event in events]
            wrong[place][key] = value
            (self.folder / "out/wrong.json").write_text(json.dumps({"traceEvents": wrong}), encoding="utf-8")
            self.require_schema("wrong.json", valid=False)

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
        causes = sum(event["ph"] == "f" and event["name"] == "data" for event in events)
        self.assertEqual(causes, sum(row["from"] != "1_1" for row in rows))

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
            times = [float(row[f"{stage}_ns"] or "nan") for stage in
                     ("begun", "requested", "arrived", "answered", "replied", "ended")]
            expected.append((f"{row['command']} {row['address']} #{row['number']}", times[0], times[5]))
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
