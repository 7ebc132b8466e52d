#!/usr/bin/env python3
# testbenches/bench/instructions.py: counts the instructions of fixed runs: per flit and hop, and of waves.
# SPDX-License-Identifier: Apache-2.0
"""Counts, under callgrind, the instructions that a simulated flit takes per switch that it crosses.

The instructions for its creation, injection and ejection are included; those of the plain loop are
counted in the same way. Each run is counted at two lengths, whose difference excludes start-up and
elaboration. Times vary with the machine and its load; instruction counts hardly do. With --waves, counts those of
whole runs with waves, relative to the run without one.
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
TOLERANCE = 0.01  # upwards; lower counts are recorded
MOST_OF_LOOP = 700  # instructions; beyond, the loop is no fair comparison
PACKET = 4  # flits
LENGTHS = (1000, 4000)  # cycles of the measurement

JOB = """scenario: {name}
topology: {{kind: {topology}}}
channel: {{vcs: {vcs}, buffer: 4 flit, handshake: {handshake}}}
router: {{kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, switch_delay: 1 cycle, traversal_delay: 0 cycle}}
traffic: {{rate: {rate} flit/node/cycle, packet: {packet} flit, warmup: {warmup} cycle, measure: {length} cycle}}
observe: [{{kind: latency}}]
"""
RUNS = {
    "mesh": {"topology": "mesh, shape: [8, 8]", "vcs": 1, "handshake": "credit", "rate": 0.1},
    "mesh_light": {"topology": "mesh, shape: [8, 8]", "vcs": 1, "handshake": "credit", "rate": 0.01},
    "mesh_4_vcs": {"topology": "mesh, shape: [8, 8]", "vcs": 4, "handshake": "credit", "rate": 0.1},
    "torus_ready_valid": {"topology": "torus, shape: [4, 4, 4]", "vcs": 2, "handshake": "ready_valid", "rate": 0.1},
}


# A wave, and the most instructions that a run of 20,000 cycles with it takes, relative to one without.
WAVES = {
    "flits and credits": ("clock: false, states: false, buffers: false", 1.7),
    "all": ("", 3),
}


def job_of(folder, name, length):
    job = folder / f"{name}_{length}.yaml"
    job.write_text(JOB.format(name=name, length=length, packet=PACKET, warmup=500, **RUNS[name]), encoding="utf-8")
    return job


def instructions_of(folder, *command):
    """Returns: instructions of the command, and its output."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1)), done.stdout


def count_network(program, folder, name, length):
    """Returns: instructions of one run, and its number of switch traversals of flits."""
    out = folder / f"{name}_{length}"
    instructions, _ = instructions_of(folder, program, "run", "--in-process", "--quiet", "--out", out,
                                      job_of(folder, name, length))
    metrics = json.loads((out / "results.json").read_text(encoding="utf-8"))["metrics"]
    # All channels of a flit except its injection channel follow a switch.
    return instructions, metrics["transits"]["value"] - PACKET * metrics["packets"]["value"]


def count_loop(program, folder, name, length):
    """The same for the plain loop."""
    instructions, printed = instructions_of(folder, program, "--alone", job_of(folder, name, length))
    return instructions, int(re.search(r"(\d+) flits crossed a switch", printed).group(1))


def measure(count, program, name):
    """Returns: instructions per flit and switch."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = (count(program, pathlib.Path(folder), name, length) for length in LENGTHS)
    return (long[0] - short[0]) / (long[1] - short[1])


def check_waves(program):
    """Returns: whether all are within their limits."""
    def count(name, wave):
        job = folder / f"{name}.yaml"
        text = JOB.format(name="waves", length=20_000, packet=PACKET, warmup=0, **RUNS["mesh"])
        job.write_text(text + wave, encoding="utf-8")
        return instructions_of(folder, program, "run", "--in-process", "--quiet", "--out", folder / name, job)[0]

    within = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        without = count("none", "")
        for shown, (settings, most) in WAVES.items():
            ratio = count("wave", f"wave: {{{settings}}}\n") / without
            within = within and ratio <= most
            print(f"wave, {shown:20} {ratio:5.2f} times the instructions, at most {most}")
    return within


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="the program flitwave")
    parser.add_argument("loop", help="the program behind tools/fuzz, which has the plain loop")
    parser.add_argument("--recorded", type=pathlib.Path, default=HERE / "instructions.csv")
    parser.add_argument("--write", action="store_true", help="record the measurement instead of comparing")
    parser.add_argument("--waves", action="store_true", help="count runs with waves only")
    options = parser.parse_args()
    if options.waves:
        return 0 if check_waves(options.program) else 1

    measured = {name: measure(count_network, options.program, name) for name in RUNS}
    if options.write:
        with options.recorded.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["run", "instructions_per_flit_hop"])
            table.writerows([name, round(value)] for name, value in measured.items())
    with options.recorded.open(encoding="utf-8") as file:
        recorded = {row["run"]: float(row["instructions_per_flit_hop"]) for row in csv.DictReader(file)}

    failed = False
    for name, value in measured.items():
        change = value / recorded[name] - 1
        verdict = "ok"
        if change > TOLERANCE:
            failed = True
            verdict = "more than recorded"
        elif change < -TOLERANCE:
            verdict = "less than recorded: record it with --write"
        print(f"{name:20} {value:7.1f} instructions per flit-hop, {change:+.1%}: {verdict}")
    loop = measure(count_loop, options.loop, "mesh")
    fair = loop <= MOST_OF_LOOP
    print(f"{'plain loop, mesh':20} {loop:7.1f} instructions per flit-hop, at most {MOST_OF_LOOP}: "
          f"{'ok' if fair else 'not a fair comparison'}")
    return 0 if fair and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
