#!/usr/bin/env python3
# testbenches/bench/instructions.py: counts the instructions of four fixed runs for each flit that moves.
# SPDX-License-Identifier: Apache-2.0
"""Counts, under callgrind, the instructions that a simulated flit takes to cross a channel.

Each run is counted at two lengths, whose difference is free of what starting and building cost. Times differ from
machine to machine and from minute to minute; instructions hardly do.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 0.05
LENGTHS = (1000, 4000)  # cycles of the measurement

JOB = """scenario: {name}
topology: {{kind: {topology}}}
channel: {{vcs: {vcs}, buffer: 4 flit, handshake: {handshake}}}
router: {{kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, switch_delay: 1 cycle, traversal_delay: 0 cycle}}
traffic: {{rate: {rate} flit/node/cycle, packet: 4 flit, warmup: 500 cycle, measure: {length} cycle}}
observe: [{{kind: latency}}]
"""
RUNS = {
    "mesh": {"topology": "mesh, shape: [8, 8]", "vcs": 1, "handshake": "credit", "rate": 0.1},
    "mesh_light": {"topology": "mesh, shape: [8, 8]", "vcs": 1, "handshake": "credit", "rate": 0.01},
    "mesh_4_vcs": {"topology": "mesh, shape: [8, 8]", "vcs": 4, "handshake": "credit", "rate": 0.1},
    "torus_ready_valid": {"topology": "torus, shape: [4, 4, 4]", "vcs": 2, "handshake": "ready_valid", "rate": 0.1},
}


def count(program, folder, name, length):
    """Returns: instructions and transits of one run."""
    job = folder / f"{name}_{length}.yaml"
    job.write_text(JOB.format(name=name, length=length, **RUNS[name]), encoding="utf-8")
    out = folder / f"{name}_{length}"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", program, "run",
               "--in-process", "--quiet", "--out", out, job]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    instructions = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return instructions, results["metrics"]["transits"]["value"]


def measure(program, name):
    """Returns: instructions per transit."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = (count(program, pathlib.Path(folder), name, length) for length in LENGTHS)
    return (long[0] - short[0]) / (long[1] - short[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="the program flitwave")
    parser.add_argument("--recorded", type=pathlib.Path, default=HERE / "instructions.csv")
    parser.add_argument("--write", action="store_true", help="record what is measured, instead of comparing")
    options = parser.parse_args()

    measured = {name: measure(options.program, name) for name in RUNS}
    if options.write:
        with options.recorded.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["run", "instructions_per_transit"])
            table.writerows([name, round(value)] for name, value in measured.items())
    with options.recorded.open(encoding="utf-8") as file:
        recorded = {row["run"]: float(row["instructions_per_transit"]) for row in csv.DictReader(file)}

    failed = False
    for name, value in measured.items():
        change = value / recorded[name] - 1
        verdict = "ok"
        if abs(change) > TOLERANCE:
            failed = True
            verdict = "more than recorded" if change > 0 else "less than recorded: record it with --write"
        print(f"{name:20} {value:7.1f} instructions per transit, {change:+.1%}: {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
