# testbenches/tests/rtl/structure_test.py: the structure of the Verilog blocks in Q_3 with four rows.
# SPDX-License-Identifier: Apache-2.0
"""Usage: structure_test.py VERILATOR. Source: Lan 1988, sections 6.5, 6.6 and 7.4."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BLOCKS = pathlib.Path(__file__).parents[3] / "routers" / "relay" / "rtl"


class Design:
    """An elaborated top module with all modules below it."""

    def __init__(self, top, **parameters):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([VERILATOR, "--xml-only", "-Mdir", folder, "-y", BLOCKS,
                            *(f"-G{name}={value}" for name, value in parameters.items()),
                            BLOCKS / f"{top}.sv"], check=True)
            self.root = xml.etree.ElementTree.parse(f"{folder}/V{top}.xml").getroot()
        self.types = {entry.get("id"): entry for entry in self.root.find("netlist/typetable")}

    def cells(self, block):
        """Number of instances of a block, with any parameters."""
        return sum(1 for cell in self.root.iter("cell")
                   if cell.get("submodname").split("__")[0] == block)

    def module(self, block):
        return next(module for module in self.root.iter("module")
                    if module.get("origName") == block)

    def bits(self, node):
        """Width of a variable or an expression. Unit: bit"""
        entry = self.types[node.get("dtype_id")]
        bound = entry.find("range")
        if bound is None:
            return int(entry.get("left", 0)) - int(entry.get("right", 0)) + 1
        left, right = (int(end.get("name").split("h")[1], 16) for end in bound)
        element = self.types[entry.get("sub_dtype_id")]
        return (left - right + 1) * (int(element.get("left", 0)) - int(element.get("right", 0)) + 1)

    def ports(self, block):
        """The width of each port."""
        return {port.get("name"): self.bits(port)
                for port in self.module(block).iter("var") if port.get("dir")}


class Structure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plain = Design("multicaster")
        cls.gated = Design("multicaster", FAULT_TOLERANT="1'b1")

    def test_the_store_has_five_rows_of_three_bits(self):
        ports = Design("store").ports("store")
        self.assertEqual(ports["rows"], 4 * 3)
        self.assertEqual(ports["source"], 3)
        self.assertEqual(ports["row_clear"], 4)

    def test_there_is_a_decr_for_each_dimension_from_four_lines_to_five(self):
        self.assertEqual(self.plain.cells("decr"), 3)
        self.assertEqual(self.plain.ports("decr"), {"column": 4, "lines": 5})

    def test_a_fault_tolerant_multicaster_gates_each_of_them(self):
        self.assertEqual(self.plain.cells("decr_f"), 0)
        self.assertEqual(self.gated.cells("decr_f"), 3)
        self.assertEqual(self.gated.cells("decr"), 3)
        self.assertEqual(self.gated.ports("decr_f"), {"column": 4, "faulty": 1, "lines": 5})

    def test_maxc_has_15_inputs_and_5_outputs(self):
        self.assertEqual(self.plain.ports("maxc"), {"lines": 15, "highest": 5})

    def test_clms_has_30_inputs_of_and_gates_that_compare_and_3_outputs(self):
        self.assertEqual(self.plain.ports("clms"), {"lines": 15, "highest": 5, "selected": 3})
        compared = [node for node in self.plain.module("clms").iter("redor")
                    if node.find("and") is not None]
        self.assertEqual(sum(2 * self.plain.bits(node.find("and")) for node in compared), 30)

    def test_adsc_has_4_outputs(self):
        self.assertEqual(self.plain.ports("adsc"), {"rows": 12, "selected": 3, "sublist": 4})

    def test_a_ones_counter_is_a_tree_of_the_fewest_adders(self):
        # A full adder reduces the number of wires by one, a half adder does not. Each weight with an
        # even number of bits has a half adder.
        for rows in range(1, 16):
            design = Design("decr", ROWS=rows)
            weights = [rows >> b for b in range(rows.bit_length())]
            self.assertEqual(design.ports("decr")["lines"], rows + 1)
            self.assertEqual(design.cells("full_adder"), rows - rows.bit_length())
            self.assertEqual(design.cells("half_adder"), sum(bits % 2 == 0 for bits in weights))


if __name__ == "__main__":
    VERILATOR = sys.argv.pop(1)
    unittest.main()
