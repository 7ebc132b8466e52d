#!/usr/bin/env python3
# tools/check_build.py: what compiling the program costs, against a fixed reference file of the same run.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_build.py FOLDER COSTS: a build folder, and the notes of tools/timed_compiler of that build.

Compiles tools/build_cost/reference.cpp three times for each processor at once, and takes the median of its CPU
seconds as the unit, so that neither a slow machine nor a busy one counts. Exit code 1 when

  - one object of the program costs more than 12 references (those above 8 are listed),
  - the program costs more than a tenth above what tools/build_cost/recorded.json says, in references for each
    1,000 lines; the program is compiled once more then, and the second figure counts, or
  - the whole costs more than 260 CPU seconds on the machine of recorded.json.

--write records what is measured.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERE = ROOT / "tools" / "build_cost"
ROOMS = ("configs", "topologies", "algorithms", "modules", "routers", "testbenches", "tools")
LISTED, MOST = 8, 12  # references for one object
GROWTH = 0.1
MOST_SECONDS = 260


def cpu_seconds(command, folder):
    """CPU seconds of one command, its children included."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = subprocess.run(command, shell=True, cwd=folder, check=False,
                                executable="/bin/bash").returncode
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, f"{used.ru_utime + used.ru_stime}".encode())
        os._exit(min(status, 255))
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"check_build: failed: {command}")
    return float(text)


def all_at_once(commands, folder):
    """CPU seconds of each command; as many run at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda command: cpu_seconds(command, folder), commands))


def reference_seconds():
    command = f"c++ -std=c++17 -O1 -c '{HERE / 'reference.cpp'}' -o /dev/null"
    return statistics.median(all_at_once([command] * 3 * os.cpu_count(), ROOT))


def program_commands(folder):
    """Object -> the command that compiles it, of all objects of the program."""
    listing = subprocess.run(["ninja", "-C", folder, "-t", "commands", "flitwave"], capture_output=True, text=True,
                             check=True).stdout
    commands = {}
    for line in listing.splitlines():
        if " -c " in line and " -o " in line:
            words = line.split()
            commands[words[words.index("-o") + 1]] = line
    return commands


def noted_costs(notes, objects):
    """Object -> CPU seconds, the last note of each."""
    costs = {}
    for line in pathlib.Path(notes).read_text(encoding="utf-8").splitlines():
        name, seconds = line.rsplit(" ", 1)
        if name in objects:
            costs[name] = float(seconds)
    missing = sorted(set(objects) - set(costs))
    if missing:
        sys.exit(f"check_build: {notes} does not note {', '.join(missing)}: build the folder from nothing")
    return costs


def lines_of_program():
    """Lines of all sources and headers that the program is made of, tests not counted."""
    count = 0
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.[ch]pp"):
            inner = path.relative_to(ROOT).parts
            if inner[0] == "testbenches" and len(inner) > 2 and inner[1] != "observers":
                continue
            count += len(path.read_text(encoding="utf-8").splitlines())
    return count


def judge(costs, reference, lines, recorded):
    """Returns: what is to be said, and what is too much: names of objects, "growth", "whole"."""
    whole = sum(costs.values())
    rate = whole / reference / lines * 1000
    nominal = whole / reference * recorded["reference_seconds"]
    said, faults = [], []
    for name, seconds in sorted(costs.items(), key=lambda item: -item[1]):
        if seconds > LISTED * reference:
            said.append(f"{seconds / reference:5.1f} references: {name}")
        if seconds > MOST * reference:
            faults.append(name)
    said.append(f"whole program: {whole:.0f} CPU s, {whole / reference:.1f} references of {reference:.2f} s; "
                f"{nominal:.0f} s on the recorded machine, at most {MOST_SECONDS}")
    said.append(f"each 1,000 lines: {rate:.3f} references, recorded {recorded['references_per_1000_lines']:.3f}")
    if rate > recorded["references_per_1000_lines"] * (1 + GROWTH):
        faults.append("growth")
    if nominal > MOST_SECONDS:
        faults.append("whole")
    return said, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", help="build folder, whose program was built from nothing")
    parser.add_argument("costs", help="notes of tools/timed_compiler")
    parser.add_argument("--write", action="store_true", help="record what is measured")
    options = parser.parse_args()
    recorded = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))

    commands = program_commands(options.folder)
    costs = noted_costs(options.costs, commands)
    reference, lines = reference_seconds(), lines_of_program()
    if options.write:
        recorded["references_per_1000_lines"] = round(sum(costs.values()) / reference / lines * 1000, 3)
        (HERE / "recorded.json").write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    said, faults = judge(costs, reference, lines, recorded)
    if faults and not options.write:
        print("\n".join(said) + "\nonce more, with the machine as it is now:")
        before = reference_seconds()
        costs = dict(zip(commands, all_at_once(commands.values(), options.folder)))
        said, faults = judge(costs, statistics.mean([before, reference_seconds()]), lines, recorded)
    print("\n".join(said))
    for fault in faults:
        print({"growth": f"too much: more than {GROWTH:.0%} above what is recorded",
               "whole": f"too much: more than {MOST_SECONDS} s"}.get(
                   fault, f"too much: {fault}, more than {MOST} references"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
