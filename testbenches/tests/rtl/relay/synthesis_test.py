# testbenches/tests/rtl/relay/synthesis_test.py: yosys synthesizes Lan's router.
# SPDX-License-Identifier: Apache-2.0
"""Usage: synthesis_test.py YOSYS [PARAMETER=VALUE ...].

Fails on latches, combinational loops, nets without a driver or with several, and cells that are not
gates or flip-flops.
"""
import pathlib
import re
import subprocess
import sys

BLOCKS = pathlib.Path(__file__).parents[4] / "routers" / "relay" / "rtl"
TOP = "greedy_multicast_router"


def synthesize(yosys, parameters):
    """Text of the statistics."""
    commands = ["read_verilog -sv " + " ".join(map(str, sorted(BLOCKS.glob("*.sv"))))]
    commands += [f"chparam -set {' '.join(entry.split('='))} {TOP}" for entry in parameters]
    commands += [f"synth -flatten -top {TOP}", "select -assert-none t:$dlatch t:$adlatch t:$_DLATCH*",
                 "check -assert", "stat"]
    done = subprocess.run([yosys, "-p", "; ".join(commands)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:] + done.stderr)
    return done.stdout[done.stdout.rindex("Number of wires"):]


def main():
    yosys, *parameters = sys.argv[1:]
    statistics = synthesize(yosys, parameters)
    cells = {name: int(number)
             for name, number in re.findall(r"^ +(\$?\w+) +(\d+)$", statistics, re.MULTILINE)}
    print(f"{sum(cells.values())} cells: {cells}")
    foreign = [cell for cell in cells if not cell.startswith("$_")]
    if foreign or not any(cell.startswith(("$_DFF", "$_SDFF")) for cell in cells):
        sys.exit(f"cells that are not gates, or no flip-flops: {foreign}")


main()
