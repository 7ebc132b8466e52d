# tools/rtl/flit_map.py: the fields of a flit, in a word or on pins of their own.
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import re

from map_file import MapError, number, similar
from shapes import Port, Selection, ShapeError, describe, select

FIELDS = ("kind", "head", "tail", "vc", "destination", "coordinates", "source", "message_class", "route", "payload",
          "tag")
WIDTHS = {"kind": 2, "head": 1, "tail": 1}  # of the others the map decides


@dataclasses.dataclass
class Field:
    name: str  # of FIELDS, but `coordinate` for one of `coordinates`
    dimension: int
    offset: int
    width: int
    value: object  # of the map
    on_pins: bool = False


def field_values(section):
    """Yields (name, dimension, value) of a section that maps fields to something."""
    section.only(*FIELDS)
    for name, value in section.content.items():
        if name != "coordinates":
            yield name, 0, value
        elif not value.is_list:
            raise MapError(value, "coordinates are a list, one entry for each dimension")
        else:
            for dimension, item in enumerate(value.content):
                yield "coordinate", dimension, item


class WordLayout:
    """Fields of the word that a flit is, by their bits or by the members of a packed struct."""

    def __init__(self, elaboration, section, word):
        """`word`: a Selection of a flit, whose shape may be a struct."""
        self._parameters = elaboration.parameters
        self._word = Selection(Port("the flit", "", word), (), 0, word)
        self._width = word.width
        self._struct = word if word.members else None
        if name := section.get("struct"):
            self._struct = elaboration.struct(name.text())
            if not self._struct:
                raise MapError(name, f"the sources have no packed struct `{name.text()}`"
                                     f"{similar(name.text(), elaboration.structs())}; it must be a typedef of a "
                                     "package or of the top module")
            if self._struct.width != word.width:
                raise MapError(name, f"`{name.text()}` has {describe(self._struct)}, and the flit on the ports "
                                     f"{describe(word)}")
            self._word = Selection(Port("the flit", "", self._struct), (), 0, self._struct)

    def field(self, name, dimension, value):
        offset, width = self._place(value)
        return Field(name, dimension, offset, width, value)

    def _place(self, value):
        text = value.text()
        first = re.match(r"[A-Za-z_]\w*", text)
        if first and self._struct and first[0] in self._struct.members:
            try:
                found = select(self._word, "." + text, lambda part: number(value, part, self._parameters))
            except ShapeError as error:
                raise MapError(value, str(error)) from error
            return found.lsb, found.width
        if first and first[0] == text and text not in self._parameters:
            members = f"; its members are {', '.join(self._struct.members)}" if self._struct else \
                "; the flit is no packed struct: write its bits, as in 7:4, or `struct: NAME` beside `fields`"
            raise MapError(value, f"the flit has no member `{text}`"
                                  f"{similar(text, self._struct.members) if self._struct else ''}{members}")
        return self._bits(value, text)

    def _bits(self, value, text):
        """Offset and width of `high:low`, `low +: width` or `bit`."""
        if "+:" in text:
            low, width = (number(value, part, self._parameters, 0) for part in text.split("+:", 1))
        elif ":" in text:
            high, low = (number(value, part, self._parameters, 0) for part in text.split(":", 1))
            width = high - low + 1
        else:
            low, width = number(value, text, self._parameters, 0), 1
        if width < 1:
            raise MapError(value, f"`{text}` has {width} bits; write high:low, as in 7:4")
        if low + width > self._width:
            raise MapError(value, f"bit {low + width - 1} is outside the flit, which has {self._width} bits, "
                                  f"{self._width - 1}:0")
        return low, width


def check_numbers(field, count, things):
    """Raises: MapError unless the field has room for the numbers of so many things, from 0 on."""
    needed = (count - 1).bit_length()
    if field.width < needed:
        raise MapError(field.value, f"{field.width} bits cannot number {count} {things}; {needed} are needed")


def check_fields(place, fields, vcs):
    """Raises: MapError unless the fields are complete, of possible widths, and do not overlap."""
    found = {}
    for field in fields:
        found.setdefault(field.name, field)
        needed = WIDTHS.get(field.name)
        if needed and field.width != needed:
            raise MapError(field.value, f"{field.name} has {needed} bit{'s' if needed > 1 else ''}, not {field.width}")
    ordered = sorted((field for field in fields if not field.on_pins), key=lambda field: field.offset)
    for low, high in zip(ordered, ordered[1:]):
        if low.offset + low.width > high.offset:
            raise MapError(high.value, f"bits {high.offset + high.width - 1}:{high.offset} overlap those of "
                                       f"{low.value.key} in line {low.value.line}, {low.offset + low.width - 1}:"
                                       f"{low.offset}")
    if "tag" not in found:
        raise MapError(place, "no `tag`: bits that the router passes on and does not use, by which a flit that leaves "
                              "is identified; map bits of the payload")
    if vcs > 1 and "vc" not in found:
        raise MapError(place, f"no `vc`: the router has {vcs} virtual channels")
    if "vc" in found:
        check_numbers(found["vc"], vcs, "virtual channels")
