#!/usr/bin/env python3
# testbenches/tests/stability/carried.py: the greatest loads that networks carry, without the verdict.
# SPDX-License-Identifier: Apache-2.0
"""Usage: carried.py [--jobs N] [NAME ...]: writes configs/measurements/stability/carried.csv, or the
named rows of it.

For each job in that folder, the rate is bisected to 0.5 %. A rate is too much if, in at least 9 of 10
runs of 10^6 cycles with seeds 1 to 10, the number of packets in network and sources grows by more than
1 % of those offered, along the least-squares line. The verdict `saturated` of the runs is not used, and
no run stops early. This takes a few hours of CPU time.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "configs/measurements/stability"
PROGRAM = os.environ.get("FLITWAVE_PROGRAM", str(ROOT / "build/release/tools/flitwave"))
COLUMNS = ["configuration", "carried", "too_much"]
RUNS, NEEDED = 10, 9
GROWTH = 0.01
WIDTH = 0.005  # of the greatest load carried


def growth(job, rate, seed, warmup=20_000, measure=1_000_000):
    """Growth of the number of packets, relative to the packets offered."""
    settings = {"traffic.rate": f"{rate:.9f} flit/node/cycle", "traffic.warmup": f"{warmup} cycle",
                "traffic.measure": f"{measure} cycle", "traffic.drain": "0 cycle", "seed": seed,
                "stop.saturated": "false"}
    with tempfile.TemporaryDirectory() as out:
        command = [PROGRAM, "run", "--quiet", "--out", f"{out}/run", str(job)]
        for path, value in settings.items():
            command += ["--set", f"{path}={value}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        results = json.loads(pathlib.Path(f"{out}/run/results.json").read_text(encoding="utf-8"))
    return results["metrics"]["packets.growth_share"]["value"]


def is_too_much(job, rate):
    """Whether a rate is too much; runs only as many seeds as are needed."""
    grew = 0
    for seed in range(1, RUNS + 1):
        grew += growth(job, rate, seed) > GROWTH
        if grew >= NEEDED:
            return True
        if seed - grew > RUNS - NEEDED:
            return False
    return False


def bracket(job):
    """A carried rate and a rate that is too much, from single short runs."""
    low, high = 0.0, 1.0
    while high - low > 0.05 * high:
        rate = (low + high) / 2
        if growth(job, rate, 1, 5_000, 50_000) > GROWTH:
            high = rate
        else:
            low = rate
    return low * 0.99, high * 1.01


def search(name):
    job = FOLDER / f"{name}.yaml"
    low, high = bracket(job)
    while is_too_much(job, low):
        low, high = 0.95 * low, low
    while not is_too_much(job, high):
        low, high = high, min(1.0, 1.05 * high)
    while high - low > WIDTH * low:
        rate = (low + high) / 2
        if is_too_much(job, rate):
            high = rate
        else:
            low = rate
    return {"configuration": name, "carried": f"{low:.5f}", "too_much": f"{high:.5f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    table = FOLDER / "carried.csv"
    rows = {}
    if table.exists() and options.names:
        with table.open(encoding="utf-8", newline="") as file:
            rows = {row["configuration"]: row for row in csv.DictReader(file)}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(search, options.names or names):
            rows[row["configuration"]] = row
            with table.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows[name] for name in names if name in rows)


if __name__ == "__main__":
    main()
