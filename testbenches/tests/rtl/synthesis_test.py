# testbenches/tests/rtl/synthesis_test.py: yosys synthesizes a router.
# SPDX-License-Identifier: Apache-2.0
"""Usage: synthesis_test.py YOSYS FOLDER NAME TOP [PARAMETER=VALUE ...].

TOP is a module of FOLDER, below the root of the project. Fails on latches, combinational loops, nets
without a driver or with several, cells that are not gates, no flip-flops, and unless docs/rtl.md has a
row for NAME whose number of cells differs by at most a tenth.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[3]
TOLERANCE = 0.1  # versions of yosys differ


def synthesize(yosys, folder, top, parameters):
    """Text of the statistics."""
    commands = ["read_verilog -sv " + " ".join(sorted(map(str, (ROOT / folder).glob("*.sv"))))]
    commands += [f"chparam -set {' '.join(entry.split('='))} {top}" for entry in parameters]
    commands += [f"synth -flatten -top {top}",
                 "select -assert-none t:$dlatch t:$adlatch t:$_DLATCH*",
                 "check -assert", "stat"]
    done = subprocess.run([yosys, "-p", "; ".join(commands)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:] + done.stderr)
    return done.stdout[done.stdout.rindex("Number of wires"):]


def main():
    yosys, folder, name, top, *parameters = sys.argv[1:]
    statistics = synthesize(yosys, folder, top, parameters)
    cells = int(re.search(r"Number of cells: *(\d+)", statistics)[1])
    foreign = [cell for cell in re.findall(r"^ +(\$?\w+) +\d+$", statistics, re.MULTILINE)
               if not cell.startswith("$_")]
    registers = sum(int(number) for number in re.findall(r"DFF\w* +(\d+)", statistics))
    print(f"{name}: {cells} cells, {registers} of them flip-flops")
    if foreign or registers == 0:
        sys.exit(f"cells that are not gates, or no flip-flops: {foreign}")
    page = (ROOT / "docs/rtl.md").read_text()
    row = re.search(rf"\| `{name}` \|.*\| ([\d,]+) \| [\d,]+ \|", page)
    if not row:
        sys.exit(f"docs/rtl.md has no row for `{name}`: add its parameters and {cells} cells")
    stated = int(row[1].replace(",", ""))
    if abs(cells - stated) > TOLERANCE * stated:
        sys.exit(f"docs/rtl.md states {stated} cells for `{name}`: correct the table")


main()
