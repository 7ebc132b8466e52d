#!/usr/bin/env python3
# tools/check_build.py: the compile cost of the program, relative to a fixed reference file of the
# same run.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_build.py FOLDER COSTS: a build folder, and the notes of tools/timed_compiler of that build.

Compiles tools/build_cost/reference.cpp three times for each processor at once, and takes the median of its CPU
seconds as the unit, so that neither a slow nor a busy machine has an effect. Exit code 1 when

  - one object of the program costs more than 12 references (those above 8 are listed),
  - the program costs more than a tenth above the value of tools/build_cost/recorded.json, in references for each
    1,000 lines; the program is compiled once more then, and the second figure counts, or
  - the whole costs more than 300 CPU seconds on the machine of recorded.json.

Exit code 2 when it cannot judge. The second compilation is in a temporary folder; the build folder is not
changed.

--write records the cost of 1,000 lines. It keeps the seconds of the reference: they define the machine for which the
limit was set, and change only with that limit, by hand.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

import check_layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERE = ROOT / "tools" / "build_cost"
LISTED, MOST = 8, 12  # references for one object
GROWTH = 0.1
MOST_SECONDS = 300


class CannotJudge(Exception):
    """Data for the judgement are missing."""


def cpu_seconds(command, folder):
    """CPU seconds of one command, a list of words, its children included."""
    with subprocess.Popen(command, cwd=folder) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise CannotJudge(f"failed with status {process.returncode}: {shlex.join(command)}")
    return used.ru_utime + used.ru_stime


def all_at_once(commands, folder):
    """CPU seconds of each command; as many run at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda command: cpu_seconds(command, folder), commands))


def reference_seconds():
    command = ["c++", "-std=c++17", "-O1", "-c", str(HERE / "reference.cpp"), "-o", "/dev/null"]
    return statistics.median(all_at_once([command] * 3 * os.cpu_count(), ROOT))


def program_commands(folder):
    """Object -> the words of the command that compiles it, of all objects of the program."""
    if not (pathlib.Path(folder) / "build.ninja").is_file():
        raise CannotJudge(f"{folder} is not a build folder; build/release is one after a call of tools/flitwave")
    listing = subprocess.run(["ninja", "-C", folder, "-t", "commands", "flitwave"], capture_output=True, text=True,
                             check=False)
    if listing.returncode != 0:
        raise CannotJudge(f"{folder} does not build the program: {(listing.stderr or listing.stdout).strip()}")
    lines = map(shlex.split, listing.stdout.splitlines())
    return {words[words.index("-o") + 1]: words for words in lines if "-c" in words and "-o" in words}


def compiled_elsewhere(words, output):
    """The command without the wrapper that records its cost, writing `output` and the list of headers beside it."""
    words = words[2:] if words[0].endswith("/timed_compiler") else list(words)
    for option, value in ("-o", output), ("-MF", f"{output}.d"):
        if option in words:
            words[words.index(option) + 1] = value
    return words


def compile_again(commands, folder):
    """Object -> CPU seconds."""
    with tempfile.TemporaryDirectory() as elsewhere:
        words = [compiled_elsewhere(command, f"{elsewhere}/{number}")
                 for number, command in enumerate(commands.values())]
        return dict(zip(commands, all_at_once(words, folder)))


def noted_costs(notes, objects):
    """Object -> CPU seconds, the last note of each."""
    remedy = (f"remove it and the build folder, then build anew: FLITWAVE_COSTS={shlex.quote(str(notes))} "
              "tools/flitwave list")
    try:
        lines = pathlib.Path(notes).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotJudge(f"{notes} cannot be read ({error}); {remedy}") from error
    costs = {}
    for number, line in enumerate(lines, 1):
        try:
            name, seconds = line.rsplit(" ", 1)
            costs[name] = float(seconds)
        except ValueError as error:
            raise CannotJudge(f"{notes}:{number}: not an object and its seconds; {remedy}") from error
    missing = sorted(set(objects) - set(costs))
    if missing:
        raise CannotJudge(f"{notes} does not contain {', '.join(missing)}; {remedy}")
    return {name: costs[name] for name in objects}


def lines_of_program():
    """Lines of all sources and headers of the program; neither tests nor the reference."""
    count = 0
    for room in check_layers.ROOMS:
        for path in (ROOT / room).rglob("*.[ch]pp"):
            if path.parent == HERE or re.match(check_layers.OUTSIDE, path.relative_to(ROOT).as_posix()):
                continue
            count += len(path.read_text(encoding="utf-8").splitlines())
    return count


def judge(costs, reference, lines, recorded):
    """Returns: the lines to print, and what exceeds its limit: names of objects, "growth", "whole"."""
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


def check(options):
    recorded = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))

    commands = program_commands(options.folder)
    costs = noted_costs(options.costs, commands)
    reference, lines = reference_seconds(), lines_of_program()
    if options.write:
        recorded["references_per_1000_lines"] = round(sum(costs.values()) / reference / lines * 1000, 3)
        (HERE / "recorded.json").write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
    said, faults = judge(costs, reference, lines, recorded)
    if faults and not options.write:
        print("\n".join(said) + "\nonce more, with the current load of the machine:")
        before = reference_seconds()
        costs = compile_again(commands, options.folder)
        said, faults = judge(costs, statistics.mean([before, reference_seconds()]), lines, recorded)
    print("\n".join(said))
    for fault in faults:
        print({"growth": f"too much: more than {GROWTH:.0%} above the recorded cost",
               "whole": f"too much: more than {MOST_SECONDS} s"}.get(
                   fault, f"too much: {fault}, more than {MOST} references"))
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", help="build folder, whose program was built from scratch")
    parser.add_argument("costs", help="notes of tools/timed_compiler")
    parser.add_argument("--write", action="store_true", help="record the cost of 1,000 lines")
    try:
        return check(parser.parse_args())
    except (CannotJudge, FileNotFoundError) as error:
        print(f"tools/check_build.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
