# tools/rtl/elaboration.py: ports, parameters and types of a module, as Verilator elaborates it.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree

from shapes import Packed, Port, Unpacked


class ElaborationError(Exception):
    """The message is Verilator's."""


class Elaboration:
    """Attributes: top, its ports (name -> Port, in order), parameters (name -> int), files (that were read)."""

    def __init__(self, verilator, top, arguments):
        """`arguments`: of Verilator, with the sources. Raises: ElaborationError."""
        self.top = top
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([verilator, "--xml-only", "-Mdir", folder, "--prefix", "V", "--top-module", top,
                                   *arguments], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ElaborationError(done.stderr.strip() or f"{verilator} ended with {done.returncode}")
            root = xml.etree.ElementTree.parse(pathlib.Path(folder) / "V.xml").getroot()
        self._types = {entry.get("id"): entry for entry in root.find("netlist/typetable")}
        self._structs = {}
        for entry in root.iter("typedef"):
            self._structs[entry.get("name")] = entry.get("dtype_id")
        for entry in root.iter("structdtype"):
            if entry.get("name"):
                self._structs[entry.get("name")] = entry.get("id")
        module = next(entry for entry in root.iter("module") if entry.get("topModule"))
        self.files = sorted({entry.get("filename") for entry in root.find("files")
                             if not entry.get("filename").startswith("<")})
        self.ports = {}
        self.parameters = {}
        for var in module.findall("var"):
            if var.get("dir"):
                self.ports[var.get("name")] = Port(var.get("name"), var.get("dir"), self._shape(var.get("dtype_id")))
            elif (var.get("param") or var.get("localparam")) and (value := constant_of(var.find("const"))) is not None:
                self.parameters[var.get("name")] = value

    def struct(self, name):
        """The packed struct of that name, with or without its package; None if there is none."""
        for known in sorted(self._structs):
            if known == name or known.endswith("::" + name):
                shape = self._shape(self._structs[known])
                if isinstance(shape, Packed) and shape.members:
                    return shape
        return None

    def structs(self):
        return sorted(name for name in self._structs if self.struct(name))

    def _shape(self, identifier):
        entry = self._types[identifier]
        sub = entry.get("sub_dtype_id")
        kind = entry.tag
        if kind == "basicdtype":
            if entry.get("left") is None:
                return Packed(1)
            left, right = int(entry.get("left")), int(entry.get("right"))
            return Packed(abs(left - right) + 1, (left, right), Packed(1))
        if kind in ("refdtype", "enumdtype", "constdtype"):
            return self._shape(sub)
        if kind in ("structdtype", "uniondtype"):
            return self._struct(entry, overlaid=kind == "uniondtype")
        bounds = tuple(constant_of(end) for end in entry.find("range"))
        element = self._shape(sub)
        if kind == "unpackarraydtype":
            return Unpacked(bounds, element)
        if kind == "packarraydtype":
            return Packed((abs(bounds[0] - bounds[1]) + 1) * element.width, bounds, element)
        raise ElaborationError(f"a port of {self.top} has a type that cannot be mapped: {kind}")

    def _struct(self, entry, overlaid):
        """The first member of a packed struct is the most significant; those of a union begin at bit 0."""
        members, offset = {}, 0
        for member in reversed(entry.findall("memberdtype")):
            shape = self._shape(member.get("sub_dtype_id"))
            members[member.get("name")] = (0 if overlaid else offset, shape)
            offset = max(offset, shape.width) if overlaid else offset + shape.width
        return Packed(offset, members=dict(reversed(members.items())), name=entry.get("name") or "struct")


def constant_of(entry):
    """The value of a number such as 32'sh5; None for others."""
    if entry is None or entry.tag != "const":
        return None
    width, _, digits = entry.get("name").partition("'")
    signed = digits.startswith("s")
    digits = digits[1:] if signed else digits
    if not digits.startswith("h"):
        return None
    try:
        value, bits = int(digits[1:], 16), int(width)
    except ValueError:
        return None
    return value - (1 << bits) if signed and value >> (bits - 1) else value
