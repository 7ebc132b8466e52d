# tools/rtl/references.py: names of a port map as selected bits of the module's ports.
# SPDX-License-Identifier: Apache-2.0
import re

from map_file import MapError, number, similar
from shapes import Selection, ShapeError, Unpacked, describe, pins_of, select, split

PLACEHOLDER = re.compile(r"<(\w+)>")
REFERENCE = re.compile(r"([A-Za-z_]\w*)\s*(.*)", re.DOTALL)


class References:
    """Resolves names, and keeps account of the bits that they use."""

    def __init__(self, elaboration, ports, numbers, names):
        """`numbers`, `names`: of the module's port for each port of the router. Shape: [ports]"""
        self._module = elaboration
        self._ports = ports
        self._numbers = numbers
        self._names = names
        self._used = {}  # pin -> [(lsb, width, Value)]

    def one(self, value, direction, text=None):
        """The bits that a name selects."""
        text = value.text() if text is None else text
        found = REFERENCE.fullmatch(text)
        if not found:
            raise MapError(value, f"`{text}` is no name of a port")
        ports = self._module.ports
        if found[1] not in ports:
            candidates = [name for name, port in ports.items() if port.direction == direction]
            raise MapError(value, f"{self._module.top} has no port `{found[1]}`{similar(found[1], candidates)}; "
                                  f"its {direction}s are {', '.join(candidates) or 'none'}")
        port = ports[found[1]]
        if port.direction != direction:
            raise MapError(value, f"`{port.name}` is an {port.direction} of {self._module.top}, and this is for an "
                                  f"{direction}; map another port, or change its direction")
        try:
            return select(Selection(port, (), 0, port.shape), found[2],
                          lambda part: number(value, part, self._module.parameters))
        except ShapeError as error:
            raise MapError(value, str(error)) from error

    def each(self, value, direction):
        """The bits of each port of the router: a name with <port> or <name>, a vector over ports, or a list."""
        if value.is_list:
            if len(value.content) != self._ports:
                raise MapError(value, f"the list has {len(value.content)} names, and the router has {self._ports} "
                                      "ports; name one port of the module for each")
            return [self.one(item, direction) for item in value.content]
        text = value.text()
        if PLACEHOLDER.search(text):
            return [self.one(value, direction, self._filled(value, text, port)) for port in range(self._ports)]
        try:
            parts = split(self.one(value, direction), self._ports)
        except ShapeError as error:
            raise MapError(value, f"{error}; write a vector or an array over ports, a name with <port>, or a list "
                                  "with one name for each port") from error
        return [parts[number] for number in self._numbers]

    def bits(self, value, selections, width, meaning, at_least=False):
        """Uses these bits, each of so many, or of any number if that is None. Raises: MapError, as have_width, and for
        bits that are already used."""
        self.have_width(value, selections, width, meaning, at_least)
        for selection in selections:
            self._use(value, selection)
        return selections

    @staticmethod
    def have_width(value, selections, width, meaning, at_least=False):
        """Raises: MapError, for arrays and for another width."""
        for selection in selections:
            if isinstance(selection.shape, Unpacked):
                raise MapError(value, f"`{selection.pin}` is {describe(selection.shape)}, and {meaning} is a vector; "
                                      "select an element")
            if width is not None and not (selection.width >= width if at_least else selection.width == width):
                least = "at least " if at_least else ""
                raise MapError(value, f"`{selection.text()}` has {describe(selection.shape)}, and {meaning} has "
                                      f"{least}{width}; change the width of the port, or the map")

    def unused(self):
        """Yields (pin, lsb, width) of input bits to which nothing is mapped."""
        for port in self._module.ports.values():
            if port.direction != "input":
                continue
            for selection in pins_of(port):
                at = 0
                for lsb, width, _ in sorted(self._used.get(selection.pin, []), key=lambda use: use[:2]):
                    if lsb > at:
                        yield selection, at, lsb - at
                    at = max(at, lsb + width)
                if at < selection.width:
                    yield selection, at, selection.width - at

    def _filled(self, value, text, port):
        def fill(found):
            if found[1] == "port":
                return str(self._numbers[port])
            if found[1] == "name":
                if not self._names:
                    raise MapError(value, "<name> needs the names of the ports: `names` under `ports`")
                return self._names[port]
            raise MapError(value, f"<{found[1]}> is unknown; <port> is the number of the port, <name> its name")
        return PLACEHOLDER.sub(fill, text)

    def _use(self, value, selection):
        uses = self._used.setdefault(selection.pin, [])
        for lsb, width, other in uses:
            if lsb < selection.lsb + selection.width and selection.lsb < lsb + width:
                where = "twice here" if other is value else f"by {other.key} in line {other.line}, too"
                raise MapError(value, f"`{selection.text()}` is used {where}; map each bit once")
        uses.append((selection.lsb, selection.width, value))
