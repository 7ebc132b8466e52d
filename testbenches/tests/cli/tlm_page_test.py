#!/usr/bin/env python3
# testbenches/tests/cli/tlm_page_test.py: docs/tlm.md follows a store through the network as it is simulated.
# SPDX-License-Identifier: Apache-2.0
"""With FLITWAVE_WRITE=1 in the environment, the page is brought up to date instead."""
import csv
import os
import re
import unittest

from program import SOURCE, ProgramTest

PAGE = SOURCE / "docs/tlm.md"
BLOCK = re.compile(r"(<!-- store: begin -->\n).*?(<!-- store: end -->)", re.DOTALL)


class TlmPage(ProgramTest):
    def table(self, name):
        with open(self.folder / "out" / f"{name}.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def journey(self):
        """The lines of the page: the first store of node 0_0."""
        self.flitwave("run", SOURCE / "configs/scenarios/virtual_platform.yaml", "--out", "out",
                      "--set", "observe=[{kind: transactions}, {kind: latency, packets: true}]")
        store = self.table("transactions")[0]
        self.assertEqual((store["initiator"], store["command"], store["bytes"]), ("0_0", "store", "4"))
        there, back = [next(packet for packet in self.table("packets")
                            if (packet["source"], packet["destination"]) == ends and int(packet["created"]) >= since)
                       for ends, since in ((("0_0", "2_3"), 0), (("2_3", "0_0"), int(store["replied_ns"])))]
        lines = ["| ns | where | what |", "|---|---|---|"]

        def line(time, where, what):
            lines.append(f"| {time} | {where} | {what} |")

        line(store["begun_ns"], "initiator at 0_0", f"calls `b_transport`: {store['command']} of {store['bytes']} B at "
             f"`{store['address']}`; the address map names node {store['target']}, device `{store['device']}`")
        line(store["requested_ns"], "bridge of 0_0", "hands the request to the interface, at the next clock edge")
        line(there["injected"], "injection channel of 0_0", f"the head of the request's packet of {there['flits']} flits")
        line(there["head_ejected"], "interface of 2_3", "takes the head")
        line(there["ejected"], "interface of 2_3", "takes the tail; the processor has the message one cycle later")
        line(store["arrived_ns"], "bridge of 2_3", "calls `b_transport` of the memory")
        line(store["answered_ns"], "memory at 2_3", f"has written the data: {store['status']}")
        line(store["replied_ns"], "bridge of 2_3", "hands the reply to the interface, at the next clock edge")
        line(back["injected"], "injection channel of 2_3", f"the head of the reply's packet of {back['flits']} flits")
        line(back["ejected"], "interface of 0_0", "takes the tail; the processor has the message one cycle later")
        line(store["ended_ns"], "bridge of 0_0", "lets `b_transport` return")
        return "\n".join(lines) + "\n"

    def test_a_job_with_devices_only_can_be_checked(self):
        job = self.job("scenario: devices\ntopology: {kind: mesh, shape: [3, 3]}\n"
                       "node: {at: [{nodes: [[1, 1]], kind: tlm, registers: true}]}\n")
        self.assertIn("zero load", self.flitwave("check", job).stdout)

    def test_the_page_follows_the_first_store_as_it_is_simulated(self):
        text = PAGE.read_text(encoding="utf-8")
        journey = self.journey()
        if os.environ.get("FLITWAVE_WRITE"):
            PAGE.write_text(BLOCK.sub(lambda found: found[1] + journey + found[2], text), encoding="utf-8")
            return
        self.assertIn("<!-- store: begin -->\n" + journey + "<!-- store: end -->", text)


if __name__ == "__main__":
    unittest.main()
