#!/usr/bin/env python3
# testbenches/tests/cli/timeline_vcd_test.py: flitwave timeline --vcd: tracks beside the signals of a wave.
# SPDX-License-Identifier: Apache-2.0
import collections
import subprocess
import unittest

from program import PROGRAM
from timeline_case import JOB, TRANSACTIONS, TimelineCase


class TimelineVcd(TimelineCase):
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

    def test_the_times_of_a_vcd_file_begin_before_the_reset(self):
        (self.folder / "accesses.txt").write_text("at 3 store 0x10 8 1\nafter 0 load 0x12 4\n", encoding="utf-8")
        shown = self.shown(self.write_vcd(TRANSACTIONS), "slice")
        expected = collections.Counter(
            ("transactions", f"{row['initiator']}_socket_{row['socket']}", f"{row['command']}_{row['address']}_#{row['number']}",
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
        rows = {}
        for file in ("wave.vcd", "wave.fst"):
            wave = f"wave: {{format: {file[-3:]}, select: [channel_*, injection_1_1*], until: 90 cycle}}\n"
            self.flitwave("run", self.job(JOB + wave), "--out", "out", "--quiet")
            self.assertEqual(self.flitwave("timeline", "out", "--vcd", "--out", f"out/{file[-3:]}.vcd").stderr, "")
            view = (self.folder / f"out/{file[-3:]}.gtkw").read_text(encoding="utf-8")
            rows[file] = [line for line in view.splitlines() if not line.startswith("[")]
            self.assertTrue((self.folder / "out" / file).exists())
            if file == "wave.vcd":
                expected = self.signals("vcd.vcd")
        found = self.signals("fst.vcd")
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

    def test_a_damaged_wave_is_an_error(self):
        self.flitwave("run", self.job(JOB + "wave: {}\n"), "--out", "out", "--quiet")
        (self.folder / "out/wave.vcd").write_text("no wave\n", encoding="utf-8")
        self.assertIn("the wave is no VCD file of a run",
                      self.flitwave("timeline", "out", "--vcd", code=5).stderr)
        self.assertEqual(list((self.folder / "out").glob("timeline*")), [])


if __name__ == "__main__":
    unittest.main()
