# testbenches/tests/rtl/port_map_test.py: port maps of routers in Verilog, right and wrong.
# SPDX-License-Identifier: Apache-2.0
"""Usage: port_map_test.py VERILATOR. The errors of wrong maps have what docs/rtl.md promises: line, key, port and
remedy."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tools" / "rtl"))
from elaboration import Elaboration, ElaborationError  # pylint: disable=wrong-import-position
from port_map import PortMap  # pylint: disable=wrong-import-position

DESIGNS = ROOT / "testbenches" / "tests" / "rtl" / "designs"
TIMING = "timing: {route_delay: 0, vc_delay: 0, switch_delay: 0, traversal_delay: 1}\n"
STAGED = [DESIGNS / "staged_flit.sv", DESIGNS / "staged_router.sv"]

# Shapes of pins that the routers of the tree do not have. They hold one flit or none.
ARRAYS = """
module arrays #(parameter int PORTS = 5, parameter int VCS = 2, parameter int WIDTH = 70) (
  input logic clk, input logic reset,
  // verilator lint_off LITENDIAN
  input logic [0:PORTS-1] in_valid, input logic [WIDTH-1:0] in_flit [PORTS],
  // verilator lint_on LITENDIAN
  output logic [VCS-1:0] in_ready [PORTS],
  output logic [PORTS-1:0] out_valid, output logic [PORTS-1:0][WIDTH-1:0] out_flit,
  input logic [PORTS*VCS-1:0] out_ready, input logic [7:0] here [2:1], input logic [2:0] mode);
  always_ff @(posedge clk) begin
    for (int p = 0; p < PORTS; p++) begin
      in_ready[p] <= {VCS{!reset}};
      out_valid[p] <= in_valid[p] && out_ready[p * VCS];
      out_flit[p] <= in_flit[p] ^ WIDTH'(here[1]) ^ WIDTH'(here[2]) ^ WIDTH'(mode);
    end
  end
endmodule
"""
ARRAYS_MAP = """
clock: clk
reset: reset
handshake: ready_valid
vcs: VCS
depth: 2*VCS
torus: true
ports: {network: 4, local: 1, numbers: [1, 2, 3, 4, 0]}
flit:
  width: WIDTH
  fields: {kind: 69:68, vc: 67, destination: 66:59, tag: 15:0}
inputs:
  valid: in_valid
  flit: in_flit
  ready: in_ready
outputs:
  valid: out_valid
  flit: out_flit
  ready: out_ready
constants:
  here: [node, network_ports]
  mode: 5
"""
FLAT = """
module flat (
  input logic clk, input logic reset,
  input logic in_request [2], input logic [1:0] in_head, input logic [1:0] in_tail,
  input logic [3:0] in_to_0, input logic [3:0] in_to_1, input logic [15:0] in_data [2],
  output logic [1:0] in_acknowledge,
  output logic out_request [2], output logic [1:0] out_head, output logic [1:0] out_tail,
  output logic [3:0] out_to_0, output logic [3:0] out_to_1, output logic [15:0] out_data [2],
  input logic [1:0] out_acknowledge, inout wire unused_bus);
  always_ff @(posedge clk) begin
    in_acknowledge <= out_acknowledge & {2{!reset}};
    out_request <= in_request;
    {out_head, out_tail, out_to_0, out_to_1} <= {in_head, in_tail, in_to_0, in_to_1};
    out_data <= in_data;
  end
endmodule
"""
FLAT_MAP = """
clock: clk
reset: reset
ports: {network: 1, local: 1}
handshake: request_acknowledge
depth: 1
flit:
  fields: {tag: 7:0}
inputs:
  request: in_request
  flit: in_data
  fields:
    head: in_head
    tail: in_tail
    coordinates: [in_to_<port>, "in_data[<port>][11:8]"]
  acknowledge: in_acknowledge
outputs:
  request: out_request
  flit: out_data
  fields:
    head: out_head
    tail: out_tail
    coordinates: [out_to_<port>, "out_data[<port>][11:8]"]
  acknowledge: out_acknowledge
"""


class MapTest(unittest.TestCase):
    """Elaborates modules once, and reads maps of them."""
    modules = {}

    @classmethod
    def elaborated(cls, top, sources=None, text=None):
        """By files, or by the text of one."""
        if (top, text) not in cls.modules:
            with tempfile.TemporaryDirectory() as folder:
                if text:
                    sources = [pathlib.Path(folder) / f"{top}.sv"]
                    sources[0].write_text(text, encoding="utf-8")
                cls.modules[top, text] = Elaboration(VERILATOR, top, sources)
        return cls.modules[top, text]

    def read(self, module, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "map.yaml"
            path.write_text(text, encoding="utf-8")
            return PortMap(path, module)

    def staged(self, *changes):
        """The map of staged_router with lines changed: (old, new)."""
        text = (DESIGNS / "staged_router.yaml").read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        return text

    def errors(self, *changes):
        """The errors of a changed map, as the user sees them."""
        router = self.read(self.elaborated("staged_router", STAGED), self.staged(*changes))
        return [f"{error.line}: {error.key}: {error.text}" for error in router.errors]

    def only_error(self, *changes):
        found = self.errors(*changes)
        self.assertEqual(len(found), 1, found)
        return found[0]

    def line_of(self, text, *changes):
        return 1 + self.staged(*changes)[:self.staged(*changes).index(text)].count("\n")


class RightMaps(MapTest):
    def test_pins_per_port_and_a_struct(self):
        router = self.read(self.elaborated("staged_router", STAGED), self.staged())
        self.assertEqual(router.errors, [])
        self.assertEqual([port.valid.pin for port in router.inputs],
                         [f"{name}_in_valid" for name in ("east", "west", "north", "south", "local")])
        self.assertEqual(router.outputs[4].per_vc.pin, "local_out_credit")
        self.assertEqual((router.vcs, router.depth, router.flit_width), (2, 4, 42))
        # As packed by hand: tag 41:32, head 31, y 30:27, x 26:23, payload 22:2, vc 1, tail 0.
        self.assertEqual({(field.name, field.dimension): (field.offset, field.width) for field in router.fields},
                         {("tag", 0): (32, 10), ("head", 0): (31, 1), ("coordinate", 1): (27, 4),
                          ("coordinate", 0): (23, 4), ("payload", 0): (2, 21), ("vc", 0): (1, 1), ("tail", 0): (0, 1)})
        self.assertTrue(router.active_low)
        self.assertTrue(router.asynchronous)
        self.assertEqual(router.timing, [0, 0, 0, 1])

    def test_a_struct_by_name_and_flat_bits_are_the_same_fields(self):
        named = self.read(self.elaborated("staged_router", STAGED),
                          self.staged(("flit:\n", "flit:\n  struct: flit_t\n")))
        flat = self.read(self.elaborated("staged_router", STAGED),
                         self.staged(("head: head", "head: 31"), ("tail: tail", "tail: 0"), ("vc: vc", "vc: 1:1"),
                                     ("[to.x, to.y]", "[26:23, 27+:4]"), ("payload: payload", "payload: 22:2"),
                                     ("tag: tag", "tag: 41:32")))
        self.assertEqual(named.errors + flat.errors, [])
        self.assertEqual(*([(field.name, field.offset, field.width) for field in router.fields]
                           for router in (named, flat)))

    def test_a_part_of_a_member_is_a_field(self):
        router = self.read(self.elaborated("staged_router", STAGED),
                           self.staged(("payload: payload", "payload: payload[20:12]"),
                                       ("tag: tag", "tag: payload[11:0]")))
        self.assertEqual(router.errors, [])
        self.assertEqual([(field.offset, field.width) for field in router.fields if field.name in ("payload", "tag")],
                         [(14, 9), (2, 12)])

    def test_arrays_and_vectors_over_ports_follow_the_numbers_of_the_module(self):
        router = self.read(self.elaborated("arrays", text=ARRAYS), ARRAYS_MAP)
        self.assertEqual(router.errors, [])
        self.assertEqual([port.flit.pin for port in router.inputs], [f"in_flit[{p}]" for p in (1, 2, 3, 4, 0)])
        # in_valid[0:4] has its first bit on the left.
        self.assertEqual([port.valid.lsb for port in router.inputs], [3, 2, 1, 0, 4])
        self.assertEqual([port.flit.lsb for port in router.outputs], [70, 140, 210, 280, 0])
        self.assertEqual([(port.ready.lsb, port.ready.width) for port in router.outputs],
                         [(2, 2), (4, 2), (6, 2), (8, 2), (0, 2)])
        self.assertEqual(router.inputs[0].ready.pin, "in_ready[1]")
        self.assertEqual([(kind, number, selection.pin) for kind, _, number, selection in router.constants],
                         [("node", 0, "here[1]"), ("network_ports", 0, "here[2]"), ("number", 5, "mode")])
        self.assertEqual((router.depth, router.torus, router.handshake), (4, True, "ready_valid"))

    def test_fields_may_have_pins_of_their_own_beside_a_word(self):
        flat = FLAT.replace(", inout wire unused_bus", "")
        text = FLAT_MAP.replace(', "in_data[<port>][11:8]"', "").replace(', "out_data[<port>][11:8]"', "")
        router = self.read(self.elaborated("flat", text=flat), text)
        self.assertEqual([str(error) for error in router.errors], [])
        self.assertEqual([(field.name, field.offset, field.width) for field in router.fields],
                         [("tag", 0, 8), ("head", 16, 1), ("tail", 17, 1), ("coordinate", 18, 4)])
        self.assertEqual([(bits.pin, bits.lsb, bits.width) for bits in router.outputs[1].fields],
                         [("out_data[1]", 0, 8), ("out_head", 1, 1), ("out_tail", 1, 1), ("out_to_1", 0, 4)])
        # Bits of the word that are no field are tied to 0.
        self.assertEqual([(bits.pin, bits.lsb, bits.width) for _, _, _, bits in router.constants],
                         [("in_data[0]", 8, 8), ("in_data[1]", 8, 8)])
        self.assertEqual(router.handshake, "ready_valid")


class WrongMaps(MapTest):
    def test_a_missing_port_is_named_with_the_nearest_and_all_others(self):
        found = self.only_error(("valid: <name>_in_valid", "valid: <name>_in_vlid"))
        line = self.line_of("  valid: <name>_in_valid")
        self.assertIn(f"{line}: inputs.valid: staged_router has no port `east_in_vlid` (did you mean `east_in_valid`?); "
                      "its inputs are clk, rst_n, my_x", found)

    def test_every_error_is_reported_not_only_the_first(self):
        found = self.errors(("clock: clk", "clock: clock"), ("{coordinate: 1}", "{coordinat: 1}"),
                            ("{per_vc: <name>_out_credit}", "{per_vc: <name>_in_valid}"))
        self.assertEqual(len(found), 3, found)

    def test_a_wrong_direction(self):
        found = self.only_error(("valid: <name>_in_valid", "valid: <name>_out_valid"))
        self.assertIn("inputs.valid: `east_out_valid` is an output of staged_router, and this is for an input; map "
                      "another port, or change its direction", found)

    def test_a_wrong_width(self):
        found = self.only_error(("{per_vc: <name>_in_credit}", "{per_vc: <name>_out_valid}"))
        self.assertIn("inputs.credit.per_vc: `east_out_valid` has 1 bit, and a bit for each virtual channel has 2; "
                      "change the width of the port, or the map", found)

    def test_a_wrong_width_of_the_flit(self):
        found = self.only_error(("flit:\n", "flit:\n  width: 40\n"))
        self.assertIn("inputs.flit: `east_in_flit` has 42 bits (staged_flit::flit_t), and the flit has 40", found)

    def test_an_input_to_which_nothing_is_mapped(self):
        found = self.only_error(("  my_y: {coordinate: 1}\n", ""))
        self.assertIn("nothing is mapped to the input `my_y` of staged_router; map it, or add `my_y: 0` under "
                      "`constants` to tie it to 0", found)

    def test_bits_of_an_input_to_which_nothing_is_mapped(self):
        found = self.only_error(("my_y: {coordinate: 1}", "my_y[2:0]: {coordinate: 1}"))
        self.assertIn("the input bits 3:3 of `my_y`", found)
        self.assertIn("add `my_y[3:3]: 0`", found)

    def test_overlapping_fields(self):
        found = self.only_error(("payload: payload", "payload: 30:2"), ("[to.x, to.y]", "[to.x]"))
        line = self.line_of("    payload:")
        self.assertIn(f"{line - 1}: flit.fields.coordinates[0]: bits 26:23 overlap those of flit.fields.payload in "
                      f"line {line}, 30:2", found)

    def test_a_field_outside_the_flit(self):
        found = self.only_error(("tag: tag", "tag: 45:32"))
        self.assertIn("flit.fields.tag: bit 45 is outside the flit, which has 42 bits, 41:0", found)

    def test_a_missing_member(self):
        found = self.only_error(("[to.x, to.y]", "[to.x, to.z]"))
        self.assertIn("flit.fields.coordinates[1]: no member `z`; the members are y, x", found)
        found = self.only_error(("payload: payload", "payload: paylod"))
        self.assertIn("flit.fields.payload: the flit has no member `paylod` (did you mean `payload`?); its members are "
                      "tag, head, to, payload, vc, tail", found)

    def test_a_missing_struct(self):
        found = self.only_error(("flit:\n", "flit:\n  struct: flit\n"))
        self.assertIn("flit.struct: the sources have no packed struct `flit`", found)

    def test_bits_that_are_used_twice(self):
        found = self.only_error(("my_y: {coordinate: 1}", "my_y: {coordinate: 1}\n  my_x[0]: 1"))
        line = self.line_of("  my_x:")
        self.assertIn(f"{line + 2}: constants.my_x[0]: `my_x, bits 0:0` is used by constants.my_x in line {line}, too; "
                      "map each bit once", found)
        found = self.only_error(("my_x: {coordinate: 0}\n", "my_x: {coordinate: 0}\n  my_x: 1\n"))
        self.assertIn(f"constants.my_x: the key was already given in line {line}", found)

    def test_fields_that_are_needed(self):
        self.assertIn("no `tag`: bits that the router passes on and does not use",
                      self.only_error(("    tag: tag\n", "")))
        self.assertIn("flit: no `vc`: the router has 2 virtual channels", self.only_error(("    vc: vc\n", "")))

    def test_too_few_bits_of_tag(self):
        found = self.only_error(("tag: tag", "tag: payload[4:0]"), ("payload: payload", "payload: payload[20:5]"))
        # 5 ports with 2 virtual channels of 4 slots, a flit that crosses to each output, and one about to enter at each.
        self.assertIn("flit.fields.tag: 5 bits number 32 flits, and 50 can be inside or about to enter; 6 are needed",
                      found)

    def test_too_few_bits_of_tag_without_a_declared_timing(self):
        found = self.only_error(("tag: tag", "tag: payload[5:0]"), ("payload: payload", "payload: payload[20:6]"),
                                (TIMING, ""))
        self.assertIn("flit.fields.tag: 6 bits number 64 flits, and 65 can be inside or about to enter; 7 are needed",
                      found)

    def test_too_few_bits_of_route(self):
        found = self.only_error(("payload: payload", "route: payload[1:0]"))
        self.assertIn("flit.fields.route: 2 bits cannot number 5 ports; 3 are needed", found)

    def test_values_that_are_no_values(self):
        self.assertIn("constants.my_x: the list is empty; write a constant for each part of the port",
                      self.only_error(("my_x: {coordinate: 0}", "my_x: []")))
        self.assertIn("a key is one name, without lists and braces",
                      self.only_error(("my_x: {coordinate: 0}", "? [my_x]\n  : 0")))
        self.assertIn("an alias (*name) is inside the value that it names",
                      self.only_error(("valid: <name>_in_valid", "valid: &a [*a]")))

    def test_fields_of_a_wrong_width(self):
        self.assertIn("flit.fields.head: head has 1 bit, not 2", self.only_error(("head: head", "head: payload[1:0]"),
                                                                                ("    payload: payload\n", "")))
        self.assertIn("flit.fields.kind: kind has 2 bits, not 3",
                      self.only_error(("head: head", "kind: payload[2:0]"), ("    payload: payload\n", "")))

    def test_unknown_and_missing_keys(self):
        self.assertIn("clok: unknown key `clok` (did you mean `clock`?); the keys are clock, reset,",
                      self.errors(("clock: clk", "clok: clk"))[0])
        self.assertIn("the key `clock` is missing: the name of the clock's port", self.only_error(("clock: clk\n", "")))
        self.assertIn("the key `depth` is missing", self.only_error(("depth: DEPTH\n", "")))
        self.assertIn("inputs: the key `valid` is missing: the bit that marks a flit",
                      self.only_error(("  valid: <name>_in_valid\n", "")))

    def test_a_handshake_and_its_pins(self):
        self.assertIn("handshake: `acredit` is no handshake; the handshakes are credit, ready_valid, "
                      "request_acknowledge",
                      self.only_error(("handshake: credit", "handshake: acredit")))
        self.assertIn("inputs: the key `ready` is missing",
                      self.errors(("handshake: credit", "handshake: ready_valid"))[0])
        self.assertIn("request and acknowledge carry one virtual channel, and the router has 2; use ready_valid",
                      self.only_error(("handshake: credit", "handshake: request_acknowledge")))
        self.assertIn("inputs.credit: a pulse alone is a credit of one virtual channel, and the router has 2",
                      self.errors(("{per_vc: <name>_in_credit}", "<name>_in_credit"))[0])
        self.assertIn("inputs.ready: the handshake is credit; remove one of the two",
                      self.only_error(("inputs:\n", "inputs:\n  ready: <name>_in_credit\n")))

    def test_numbers(self):
        self.assertIn("depth: `DEPHT` is no number and no parameter of the module (did you mean `DEPTH`?)",
                      self.only_error(("depth: DEPTH", "depth: DEPHT")))
        self.assertIn("vcs: 0 is too small; the least is 1", self.only_error(("vcs: VCS", "vcs: 0")))
        self.assertIn("depth: DEPTH-4 (= 0) is too small", self.only_error(("depth: DEPTH", "depth: DEPTH-4")))
        self.assertIn("constants.my_y: 16 has more than the 4 bits of `my_y`",
                      self.only_error(("{coordinate: 1}", "16")))

    def test_lists_of_ports(self):
        self.assertIn("ports.names: this should be a list of 5", self.only_error((", south, local]", ", south]")))
        self.assertIn("inputs.valid: the list has 2 names, and the router has 5 ports; name one port of the module for "
                      "each",
                      self.only_error(("valid: <name>_in_valid", "valid: [east_in_valid, west_in_valid]")))
        self.assertIn("<number> is unknown; <port> is the number of the port, <name> its name",
                      self.only_error(("valid: <name>_in_valid", "valid: <number>_in_valid")))
        self.assertIn("inputs.valid: east_in_valid has 1 bit, which are not equal parts for 5 ports; write a vector",
                      self.only_error(("valid: <name>_in_valid", "valid: east_in_valid")))
        numbers = self.read(self.elaborated("arrays", text=ARRAYS),
                            ARRAYS_MAP.replace("[1, 2, 3, 4, 0]", "[1, 2, 3, 4, 4]"))
        self.assertIn("these should be the numbers 0 to 4, each once", numbers.errors[0].text)

    def test_arrays_of_another_size(self):
        router = self.read(self.elaborated("arrays", text=ARRAYS),
                           ARRAYS_MAP.replace("local: 1, numbers: [1, 2, 3, 4, 0]", "local: 2"))
        self.assertIn("in_flit is an array of 5 elements, and there are 6 ports",
                      "\n".join(error.text for error in router.errors))

    def test_a_port_of_both_directions(self):
        text = FLAT_MAP.replace(', "in_data[<port>][11:8]"', "").replace(', "out_data[<port>][11:8]"', "")
        router = self.read(self.elaborated("flat", text=FLAT), text)
        self.assertIn("the port `unused_bus` of flat is inout", router.errors[0].text)

    def test_a_field_that_overlaps_the_word_that_another_is_in(self):
        router = self.read(self.elaborated("flat", text=FLAT), FLAT_MAP)
        self.assertIn("`in_data[0], bits 11:8` is used by inputs.flit in line", router.errors[0].text)

    def test_text_that_is_no_yaml(self):
        self.assertIn("this is no YAML", self.only_error(("valid: <name>_in_valid", "valid: [bus[3:0]]")))
        self.assertIn("need quotes", self.only_error(("valid: <name>_in_valid", "valid: [bus[3:0]]")))

    def test_the_reset(self):
        self.assertIn("reset.active: `lo` is no polarity; write high or low",
                      self.errors(("active: low", "active: lo"))[0])
        self.assertIn("timing: `fast` is no preset", self.only_error(
            ("timing: {route_delay: 0, vc_delay: 0, switch_delay: 0, traversal_delay: 1}", "timing: fast")))


class Configuration(unittest.TestCase):
    """flitwave_add_rtl in a project: without building anything."""

    PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Own LANGUAGES CXX)
add_library(flitwave::routers INTERFACE IMPORTED)
add_library(SystemC::systemc INTERFACE IMPORTED)
include("%s/tools/cmake/FlitwaveAddRtl.cmake")
flitwave_add_rtl(NAME own TOP staged_router PORTS own.yaml SOURCES "%s" "%s")
"""

    def configure(self, folder, text):
        (folder / "CMakeLists.txt").write_text(self.PROJECT % (ROOT, *STAGED), encoding="utf-8")
        if not (folder / "own.yaml").is_file() or (folder / "own.yaml").read_text(encoding="utf-8") != text:
            (folder / "own.yaml").write_text(text, encoding="utf-8")
        return subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build"], capture_output=True,
                              text=True, check=False)

    def test_a_wrong_map_ends_it_with_file_line_and_key_and_a_right_one_does_not(self):
        text = (DESIGNS / "staged_router.yaml").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            wrong = self.configure(folder, text.replace("clock: clk", "clock: clock"))
            self.assertNotEqual(wrong.returncode, 0)
            self.assertRegex(wrong.stderr, r"\n *own.yaml:4: clock: staged_router has no port `clock`.*; its inputs are clk, "
                                           r"rst_n, my_x, .*, local_out_credit\n")
            right = self.configure(folder, text)
            self.assertEqual(right.returncode, 0, right.stderr)
            self.assertTrue((folder / "build" / "rtl" / "own" / "own_design.cpp").is_file())
            # A model is not written again while nothing changes.
            before = (folder / "build" / "rtl" / "own" / "state.txt").stat().st_mtime_ns
            self.configure(folder, text)
            self.assertEqual((folder / "build" / "rtl" / "own" / "state.txt").stat().st_mtime_ns, before)

    def test_verilog_that_verilator_rejects_is_reported_as_verilator_does(self):
        with self.assertRaisesRegex(ElaborationError, "Cannot find file containing module"):
            Elaboration(VERILATOR, "no_such_module", ["no_such_module.sv"])


if __name__ == "__main__":
    VERILATOR = sys.argv.pop(1)
    unittest.main()
