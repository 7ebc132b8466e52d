# testbenches/tests/cli/timeline_case.py: what tests of `flitwave timeline` have in common.
# SPDX-License-Identifier: Apache-2.0
import collections
import csv
import json

from program import ProgramTest

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


class TimelineCase(ProgramTest):
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

    def changes(self, name):
        """The changes of a VCD file by the full name of a variable: (time, value)."""
        scopes, names, changes, now = [], {}, collections.defaultdict(list), 0
        for line in (self.folder / "out" / name).read_text(encoding="utf-8").splitlines():
            words = line.split()
            if not words:
                continue
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

    def signals(self, name):
        """The same with values as numbers are written: without zeros in front."""
        return {signal: [(time, value.lstrip("0") or "0") for time, value in changes]
                for signal, changes in self.changes(name).items()}

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
