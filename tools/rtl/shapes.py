# tools/rtl/shapes.py: shapes of the ports of a module, and selections of their bits.
# SPDX-License-Identifier: Apache-2.0
"""A port has a packed shape (a vector, a packed array or a packed struct) or is an unpacked array of such. Selections
follow SystemVerilog: `port[2]`, `port[7:4]`, `port.member`, in any sequence that the shape permits."""
import dataclasses
import re
import typing


class ShapeError(Exception):
    """A selection that the shape does not permit; the text has no position."""


@dataclasses.dataclass
class Packed:
    """Bits: with a range, a vector of elements; with members, a struct; else an element of one or more bits."""
    width: int
    range: typing.Optional[tuple] = None  # left, right
    element: typing.Optional["Packed"] = None
    members: typing.Optional[dict] = None  # name -> (offset, Packed)
    name: str = ""

    def count(self):
        return abs(self.range[0] - self.range[1]) + 1

    def position(self, index):
        """Of the element with this index, counted from the least significant one."""
        left, right = self.range
        return index - right if left >= right else right - index


@dataclasses.dataclass
class Unpacked:
    range: tuple
    element: typing.Union["Unpacked", Packed]

    def count(self):
        return abs(self.range[0] - self.range[1]) + 1


@dataclasses.dataclass
class Port:
    name: str
    direction: str  # input, output or inout
    shape: typing.Union[Unpacked, Packed]


@dataclasses.dataclass
class Selection:
    """Bits of a port, or elements of an unpacked one."""
    port: Port
    indices: tuple  # of unpacked dimensions, as declared
    lsb: int
    shape: typing.Union[Unpacked, Packed]

    @property
    def pin(self):
        return self.port.name + "".join(f"[{index}]" for index in self.indices)

    @property
    def width(self):
        return self.shape.width

    def text(self):
        if isinstance(self.shape, Unpacked) or whole(self.port, self.indices).width == self.width:
            return self.pin
        return f"{self.pin}, bits {self.lsb + self.width - 1}:{self.lsb}"


def whole(port, indices):
    """Shape of the pin with these unpacked indices."""
    shape = port.shape
    for _ in indices:
        shape = shape.element
    return shape


def pins_of(port):
    """Yields a selection for each pin of a port: the port itself, or each element of an unpacked array, the lowest
    first."""
    def expand(shape, indices):
        if isinstance(shape, Packed):
            yield Selection(port, indices, 0, shape)
            return
        lowest = min(shape.range)
        for index in range(lowest, lowest + shape.count()):
            yield from expand(shape.element, indices + (index,))
    yield from expand(port.shape, ())


def index_of(selection, index):
    shape = selection.shape
    bounds = getattr(shape, "range", None)
    if bounds is None:
        raise ShapeError(f"{selection.pin} has no index: it has {describe(shape)}")
    if not min(bounds) <= index <= max(bounds):
        raise ShapeError(f"index {index} is outside {selection.pin}[{bounds[0]}:{bounds[1]}]")
    if isinstance(shape, Unpacked):
        return Selection(selection.port, selection.indices + (index,), 0, shape.element)
    lsb = selection.lsb + shape.position(index) * shape.element.width
    return Selection(selection.port, selection.indices, lsb, shape.element)


def part_of(selection, left, right):
    shape = selection.shape
    if isinstance(shape, Unpacked) or shape.range is None:
        raise ShapeError(f"{selection.pin} has no part [{left}:{right}]: it has {describe(shape)}")
    low, high = sorted((shape.position(left), shape.position(right)))
    if low < 0 or high >= shape.count() or shape.position(left) < shape.position(right):
        raise ShapeError(f"[{left}:{right}] is not a part of {selection.pin}[{shape.range[0]}:{shape.range[1]}]")
    width = (high - low + 1) * shape.element.width
    bits = Packed(width, (width - 1, 0), Packed(1))
    return Selection(selection.port, selection.indices, selection.lsb + low * shape.element.width, bits)


def member_of(selection, name):
    members = getattr(selection.shape, "members", None)
    if not members:
        raise ShapeError(f"{selection.pin} is no struct: it has {describe(selection.shape)}")
    if name not in members:
        raise ShapeError(f"no member `{name}`; the members are {', '.join(members)}")
    offset, shape = members[name]
    return Selection(selection.port, selection.indices, selection.lsb + offset, shape)


SELECTOR = re.compile(r"\s*(?:\.\s*(\w+)|\[([^\[\]]*)\])")


def select(selection, text, number):
    """Applies `[i]`, `[m:l]` and `.member`. `number` evaluates an index."""
    at = 0
    while at < len(text):
        found = SELECTOR.match(text, at)
        if not found:
            raise ShapeError(f"`{text[at:]}` is no selection; write [index], [left:right] or .member")
        if found[1]:
            selection = member_of(selection, found[1])
        elif "+:" in found[2]:
            low, width = (number(part) for part in found[2].split("+:"))
            selection = part_of(selection, *ends_of(selection, low, width))
        elif ":" in found[2]:
            selection = part_of(selection, *(number(part) for part in found[2].split(":")))
        else:
            selection = index_of(selection, number(found[2]))
        at = found.end()
    return selection


def ends_of(selection, low, width):
    """Left and right index of `[low +: width]`."""
    bounds = getattr(selection.shape, "range", None)
    descending = bounds is None or bounds[0] >= bounds[1]
    return (low + width - 1, low) if descending else (low, low + width - 1)


def split(selection, ports):
    """Of each of so many ports, in order: an element of an array, or an equal part of a vector from bit 0."""
    shape = selection.shape
    if getattr(shape, "range", None) and shape.count() == ports:
        lowest = min(shape.range)
        return [index_of(selection, lowest + port) for port in range(ports)]
    if isinstance(shape, Unpacked):
        raise ShapeError(f"{selection.pin} is an array of {shape.count()} elements, and there are {ports} ports")
    if shape.members or shape.width % ports or shape.width == 0:
        raise ShapeError(f"{selection.pin} has {describe(shape)}, which are not equal parts for {ports} ports")
    if shape.range and shape.range[0] < shape.range[1]:
        raise ShapeError(f"{selection.pin}[{shape.range[0]}:{shape.range[1]}] counts its bits upward; "
                         "list the part of each port")
    width = shape.width // ports
    bits = Packed(width, (width - 1, 0), Packed(1))
    return [Selection(selection.port, selection.indices, selection.lsb + port * width, bits) for port in range(ports)]


def describe(shape):
    if isinstance(shape, Unpacked):
        return f"an array of {shape.count()} elements"
    bits = "1 bit" if shape.width == 1 else f"{shape.width} bits"
    return f"{bits} ({shape.name})" if shape.name else bits
