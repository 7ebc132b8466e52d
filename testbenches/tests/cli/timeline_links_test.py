#!/usr/bin/env python3
# testbenches/tests/cli/timeline_links_test.py: flitwave timeline: what a slice waited for, and what it served.
# SPDX-License-Identifier: Apache-2.0
import collections
import csv
import unittest

from timeline_case import JOB, PERIOD, TRANSACTIONS, TimelineCase

MULTICAST = """\
scenario: copied
clock: {period: 2 ns}
topology: {kind: hypercube, dimensions: 4}
operation: {kind: multicast, source: 0, destinations: [1, 2, 7, 12], message: 24 B}
algorithm: {kind: hardware_multicast}
channel: {handshake: request, buffer: 64 flit}
router: {kind: greedy_multicast}
observe: [{kind: latency, packets: true}]
"""
PLATFORM = TRANSACTIONS.replace("  at:\n", """  at:
    - {nodes: [[2, 2]], kind: tlm, initiator: {program: control.txt}}
    - {nodes: [[0, 2]], kind: tlm, registers: true}
""").replace("transactions: {map: [", "transactions: {map: [{base: 0x1000, size: 12 KiB, node: [0, 2]}, ").replace(
    "{kind: transactions}", "{kind: transactions}, {kind: latency, packets: true}")


class TimelineLinks(TimelineCase):
    def arrows(self, events, kind):
        """Each as (the slice in which it begins, that in which it ends, its two events)."""
        arrows = collections.defaultdict(dict)
        for around, event in self.closed(events)[1]:
            if event["name"] == kind:
                self.assertEqual(event["cat"], kind)
                self.assertNotIn(event["ph"], arrows[event["id"]])
                arrows[event["id"]][event["ph"]] = around, event
        for ends in arrows.values():
            self.assertEqual(set(ends), {"s", "f"})
            self.assertLessEqual(ends["s"][1]["ts"], ends["f"][1]["ts"])
        return [(ends["s"][0], ends["f"][0], ends["s"][1], ends["f"][1]) for ends in arrows.values()]

    def served(self, events):
        """Of each packet with an arrow: (track and name of what it serves, where that begins)."""
        served = {}
        for begin, end, first, last in self.arrows(events, "serves"):
            self.assertEqual((first["ts"], last["ts"]), (begin["ts"], end["ts"]))
            self.assertEqual(self.groups[last["pid"]], "packets")
            name = f"{self.tracks[begin['pid'], begin['tid']].split(' (')[0]} {begin['name']}"
            self.assertEqual(end["args"]["serves"], name)
            self.assertNotIn(end["name"], served)
            served[end["name"]] = name, round(begin["ts"] / PERIOD)
        return served

    def check_transfers(self, events, tables=("packets",)):
        """Packets of transfers have their ends, and times within theirs. Returns: their number, and that of transfers."""
        transfers, found = self.table("transfers"), {}
        served = self.served(events)
        for table in tables:
            for row in self.table(table):
                self.assertEqual(row["part"] == "collective", row["transfer"] != "")
                self.assertEqual(row["transaction"], "")
                if row["transfer"]:
                    transfer = transfers[int(row["transfer"])]
                    self.assertEqual((row["source"], row["destination"]), (transfer["from"], transfer["to"]))
                    self.assertLessEqual(int(transfer["ready_cycle"]), int(row["created"]))
                    if transfer["done_cycle"] != "-1":
                        self.assertLessEqual(int(row["ejected"]), int(transfer["done_cycle"]) + 1)
                    name = f"message {transfer['message']} to {transfer['to']}"
                    found[f"{row['source']}#{row['number']}" + (" (not delivered)" if table != "packets" else "")] = (
                        f"{transfer['from']} {name}" + (" (not delivered)" if transfer["done_cycle"] == "-1" else ""),
                        int(transfer["ready_cycle"]))
        self.assertEqual(served, found)
        return len(found), len({row["transfer"] for table in tables for row in self.table(table)} - {""})

    def test_a_packet_of_a_collective_serves_the_transfer_between_its_source_and_its_destination(self):
        cut = JOB.replace("{vcs: 2}", "{vcs: 2, width: 4 B}") + "packet_format: {longest: 6 flit, header: 1 flit}\n"
        for fidelity in ("signal", "transaction"):
            job = JOB if fidelity == "signal" else JOB.replace(", {kind: flit_log}", "")
            self.assertEqual(self.check_transfers(self.events(job + f"fidelity: {fidelity}\n")), (15, 15))
            parts = collections.Counter(row["part"] for row in self.table("packets"))
            self.assertEqual(parts["collective"], 15)
            self.assertGreater(parts["background"], 300)
        packets, transfers = self.check_transfers(self.events(cut))
        self.assertEqual((packets, transfers), (15 * 4, 15))  # 16 flits of data, 5 in a packet

    def test_packets_that_the_network_copies_serve_transfers_of_their_own(self):
        self.assertEqual(self.check_transfers(self.events(MULTICAST)), (4, 4))

    def test_a_packet_that_has_not_arrived_serves_its_transfer(self):
        job = JOB[:JOB.index("traffic:")] + "stop: {limit: 100 cycle}\nobserve: [{kind: latency, packets: true}]\n"
        packets, _ = self.check_transfers(self.events(job, code=4), ("packets", "undelivered"))
        self.assertGreater(packets, len(self.table("packets")))

    def write_accesses(self, control="at 1 load 0x1000 4\nafter 3 load 0x10 4\n"):
        (self.folder / "accesses.txt").write_text(
            "at 3 store 0x10 8 1\nafter 0 load 0x12 4\nafter 2 load 0x9000 4\n", encoding="utf-8")
        (self.folder / "control.txt").write_text(control, encoding="utf-8")

    def test_a_packet_of_a_transaction_serves_it_as_its_request_or_its_reply(self):
        self.write_accesses()
        served = self.served(self.events(PLATFORM))
        transactions, expected, parts = self.table("transactions"), {}, collections.Counter()
        for row in self.table("packets"):
            one = transactions[int(row["transaction"])]
            parts[row["transaction"], row["part"]] += 1
            ends = (one["initiator"], one["target"])
            self.assertEqual((row["source"], row["destination"]), ends if row["part"] == "requests" else ends[::-1])
            handed_over = one["requested_ns" if row["part"] == "requests" else "replied_ns"]
            self.assertEqual(2 * int(row["created"]) + 4, float(handed_over))  # cycle 0 is at 4 ns
            self.assertEqual(row["transfer"], "")
            expected[f"{row['source']}#{row['number']}"] = (
                f"{one['initiator']} socket {one['socket']} {one['command']} {one['address']} #{one['number']}",
                round(float(one["begun_ns"]) / 2))
        remote = [str(number) for number, one in enumerate(transactions) if one["target"]]
        self.assertEqual(len(remote), 4)
        self.assertEqual(set(parts), {(row, part) for row in remote for part in ("requests", "replies")})
        self.assertEqual(served, expected)

    def test_packets_name_transactions_only_if_these_are_listed(self):
        self.write_accesses()
        self.events(PLATFORM.replace("{kind: transactions}, ", ""))
        rows = self.table("packets")
        self.assertEqual({row["transaction"] for row in rows}, {""})
        self.assertEqual({row["part"] for row in rows}, {"requests", "replies"})

    def test_a_track_of_packets_in_a_vcd_file_names_what_they_serve(self):
        changes = self.write_vcd(JOB)
        transfers, expected = self.table("transfers"), collections.Counter()
        for row in self.table("packets"):
            if row["transfer"]:
                transfer = transfers[int(row["transfer"])]
                expected["packets", row["source"], f"{transfer['from']}_message_0_to_{transfer['to']}",
                         int(row["created"]), int(row["ejected"])] += 1
        self.assertEqual(sum(expected.values()), 15)
        self.assertEqual(self.shown(changes, "serves"), expected)

    def test_a_track_of_packets_in_a_vcd_file_names_their_transactions(self):
        self.write_accesses()
        changes = self.write_vcd(PLATFORM)
        transactions, expected = self.table("transactions"), collections.Counter()
        for row in self.table("packets"):
            one = transactions[int(row["transaction"])]
            name = f"{one['initiator']}_socket_{one['socket']}_{one['command']}_{one['address']}_#{one['number']}"
            expected["packets", row["source"], name, int(row["created"]) + 2, int(row["ejected"]) + 2] += 1
        self.assertEqual(sum(expected.values()), 8)
        self.assertEqual(self.shown(changes, "serves"), expected)  # cycle 0 is the third

    def test_packets_under_way_at_the_end_serve_their_transactions(self):
        self.write_accesses()
        parts = set()
        for limit in range(5, 40, 4):
            events = self.events(PLATFORM + f"stop: {{limit: {limit} cycle}}\n", code=4)
            served, transactions = self.served(events), self.table("transactions")
            undelivered = self.folder / "out/undelivered.csv"
            for row in self.table("undelivered") if undelivered.exists() else []:
                one = transactions[int(row["transaction"])]
                ends = (one["initiator"], one["target"])
                self.assertEqual((row["source"], row["destination"]), ends if row["part"] == "requests" else ends[::-1])
                self.assertEqual((one["status"], one["ended_ns"]), ("TLM_INCOMPLETE_RESPONSE", ""))
                name, _ = served[f"{row['source']}#{row['number']} (not delivered)"]
                self.assertTrue(name.endswith(f" {one['address']} #{one['number']} (not ended)"), name)
                parts.add(row["part"])
        self.assertEqual(parts, {"requests", "replies"})

    def test_a_message_between_registers_serves_no_transaction(self):
        job = PLATFORM.replace("{nodes: [[0, 2]], kind", "{nodes: [[0, 2], [1, 1]], kind")
        # Node [1, 1] has number 4: its destination, its length, and `send`.
        self.write_accesses("at 1 store 0x1014 4 4\nafter 0 store 0x1018 4 8\nafter 0 store 0x1000 4 1\n")
        served = self.served(self.events(job))
        alone = [row for row in self.table("packets") if (row["source"], row["destination"]) == ("0_2", "1_1")]
        self.assertEqual([(row["part"], row["transfer"], row["transaction"]) for row in alone], [("requests", "", "")])
        self.assertEqual(len(served), len(self.table("packets")) - 1)

    def test_packets_serve_the_same_under_every_scheduling(self):
        self.write_accesses()
        for job in (JOB, MULTICAST, PLATFORM):
            found = set()
            for setting in ("batched", "per_module", "audit"):
                self.flitwave("run", self.job(job), "--set", f"clock.scheduling={setting}", "--set",
                              f"build_order={'forward' if setting == 'batched' else 'reversed'}", "--out", "out",
                              "--quiet")
                found.add((self.folder / "out/packets.csv").read_text(encoding="utf-8"))
            self.assertEqual(len(found), 1)

    def rewrite(self, name, change):
        """`change`: of the list of rows."""
        rows = self.table(name)
        change(rows)
        with open(self.folder / f"out/{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)

    def test_packets_of_an_earlier_version_are_an_error(self):
        cut = JOB[:JOB.index("traffic:")] + "stop: {limit: 100 cycle}\nobserve: [{kind: latency, packets: true}]\n"
        for table in ("packets", "undelivered"):
            for column in ("part", "transfer", "transaction"):
                self.events(cut, code=4)
                self.rewrite(table, lambda rows: [row.pop(column) for row in rows])
                message = f"flitwave: out/{table}.csv is of an earlier version; run the job again\n"
                self.assertEqual(self.flitwave("timeline", "out", code=5).stderr, message)

    def test_a_packet_that_serves_a_row_that_does_not_exist_is_an_error(self):
        self.write_accesses()
        self.events(PLATFORM)
        self.assertEqual(len(self.table("transactions")), 5)
        for job, column, values in ((JOB, "transfer", ("-1", "0.5", "1e300", "4294967296")),
                                    (PLATFORM, "transaction", ("-1", "0.5", "1e300", "5"))):
            self.events(job)
            for value in values:
                self.rewrite("packets", lambda rows: rows[2].update({column: value}))
                self.assertEqual(
                    self.flitwave("timeline", "out", code=5).stderr,
                    f"flitwave: out/packets.csv: row 3, column `{column}`: there is no row {value}; run the job again\n")

    def test_a_packet_that_begins_before_what_it_serves_is_an_error(self):
        self.events()
        last = max(enumerate(self.table("transfers")), key=lambda item: int(item[1]["ready_cycle"]))
        self.rewrite("packets", lambda rows: rows[0].update({"transfer": str(last[0]), "created": "3"}))
        name = f"{last[1]['from']} message 0 to {last[1]['to']}"
        self.assertIn(f"begins before {name}, which it serves; run the job again",
                      self.flitwave("timeline", "out", code=5).stderr)

    def test_an_arrow_leads_to_each_transfer_from_the_one_that_brought_its_data(self):
        events = self.events()
        senders = [row for row in self.table("transfers") if row["from"] != "1_1"]
        transfers = {(row["from"], int(row["ready_cycle"])) for row in senders}
        arrived = {(row["from"], int(row["done_cycle"])) for row in self.table("transfers")}
        arrows = self.arrows(events, "data")
        self.assertEqual(len(arrows), len(senders))
        for cause, effect, *ends in arrows:
            at = [(self.tracks[event["pid"], event["tid"]].split(" (")[0], round(event["ts"] / PERIOD))
                  for event in ends]
            for around in (cause, effect):
                self.assertRegex(around["name"], "^message ")
            self.assertEqual(effect["ts"], ends[1]["ts"])
            self.assertIn(at[0], arrived)
            self.assertIn(at[1], transfers)

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

    def test_a_transfer_names_the_one_that_brought_its_data(self):
        changes = self.write_vcd(JOB)
        arrivals = {row["to"]: f"{row['from']}_message_0_to_{row['to']}" for row in self.table("transfers")}
        expected = collections.Counter(
            ("messages", row["from"], arrivals[row["from"]], int(row["ready_cycle"]), int(row["done_cycle"]))
            for row in self.table("transfers") if row["from"] != "1_1")
        self.assertGreater(len(expected), 10)
        self.assertEqual(self.shown(changes, "after"), expected)


if __name__ == "__main__":
    unittest.main()
