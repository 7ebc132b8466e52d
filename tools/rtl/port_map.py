# tools/rtl/port_map.py: a port map, checked against the module that it describes.
# SPDX-License-Identifier: Apache-2.0
from direction_map import DirectionMap
from flit_map import Field, WordLayout, check_fields, check_numbers, field_values
from map_file import MapError, load
from references import References
from shapes import Packed, ShapeError, pins_of, split

KEYS = ("clock", "reset", "ports", "handshake", "vcs", "depth", "torus", "routing", "timing", "flit", "inputs",
        "outputs", "constants")
HANDSHAKES = {"credit": "credit", "ready_valid": "ready_valid", "request_acknowledge": "ready_valid"}
DELAYS = ("route_delay", "vc_delay", "switch_delay", "traversal_delay")
CONSTANTS = ("node", "network_ports")


class PortMap:
    """Everything that RouterDesign declares. Raises: MapErrors, as a list of all that were found."""

    def __init__(self, path, elaboration):
        self.errors = []
        self._module = elaboration
        self._parameters = elaboration.parameters
        try:
            self._root = load(path)
        except MapError as error:
            self.errors.append(error)
            return
        self._attempt(self._root.only, *KEYS)
        self._read_numbers()
        if self.errors:
            return  # widths depend on these
        self.references = References(elaboration, self.network_ports + self.local_ports, self._numbers, self._names)
        self._attempt(self._read_clock)
        self._attempt(self._read_reset)
        self.constants = []
        self._read_flits()
        self._attempt(self._read_constants)
        if not self.errors:
            self._attempt(self._check_unused)

    def _attempt(self, function, *arguments):
        """The result, or None after an error, which is kept."""
        try:
            return function(*arguments)
        except MapError as error:
            if all((error.line, error.text) != (other.line, other.text) for other in self.errors):
                self.errors.append(error)
            return None

    def _optional(self, name, otherwise, least):
        value = self._root.get(name)
        return otherwise if value is None else self._attempt(value.number, self._parameters, least)

    def _read_numbers(self):
        self.vcs = self._optional("vcs", 1, 1)
        self.depth = self._attempt(self._read_depth)
        self.handshake_name = self._attempt(self._read_handshake)
        self.handshake = HANDSHAKES.get(self.handshake_name)
        torus = self._root.get("torus")
        self.torus = self._attempt(torus.flag, self._parameters) if torus else False
        routing = self._root.get("routing")
        self.routing = self._attempt(routing.text) if routing else ""
        self.timing = self._attempt(self._read_timing)
        self.network_ports, self.local_ports, self._numbers, self._names = 4, 1, list(range(5)), []
        self._attempt(self._read_ports)

    def _read_depth(self):
        return self._root.need("depth", "the slots of each virtual channel's buffer at an input, in flits") \
            .number(self._parameters, 1)

    def _read_handshake(self):
        value = self._root.get("handshake")
        if value is None:
            return "credit"
        if value.text() not in HANDSHAKES:
            raise MapError(value, f"`{value.text()}` is no handshake; the handshakes are {', '.join(HANDSHAKES)}")
        if value.text() == "request_acknowledge" and self.vcs and self.vcs > 1:
            raise MapError(value, f"request and acknowledge carry one virtual channel, and the router has {self.vcs}; "
                                  "use ready_valid")
        return value.text()

    def _read_timing(self):
        """None, "single_cycle", or the delays in the order of DELAYS."""
        value = self._root.get("timing")
        if value is None:
            return None
        if value.is_text:
            if value.text() != "single_cycle":
                raise MapError(value, f"`{value.text()}` is no preset; write single_cycle, or {', '.join(DELAYS)}, "
                                      "each in cycles")
            return "single_cycle"
        value.only(*DELAYS)
        return [value.need(name, "the timing has four delays, in cycles").number(self._parameters, 0)
                for name in DELAYS]

    def _read_ports(self):
        section = self._root.get("ports")
        if section is None:
            return
        section.only("network", "local", "numbers", "names")
        for name in ("network", "local"):
            if value := section.get(name):
                setattr(self, f"{name}_ports", value.number(self._parameters, 1))
        ports = self.network_ports + self.local_ports
        self._numbers = list(range(ports))
        if value := section.get("numbers"):
            numbers = [item.number(self._parameters, 0) for item in listed(value, ports)]
            if sorted(numbers) != list(range(ports)):
                raise MapError(value, f"these should be the numbers 0 to {ports - 1}, each once: the module's number "
                                      "of each port of the router")
            self._numbers = numbers
        if value := section.get("names"):
            self._names = [item.text() for item in listed(value, ports)]

    def _read_clock(self):
        value = self._root.need("clock", "the name of the clock's port")
        self.clock, = self.references.bits(value, [self.references.one(value, "input")], 1, "the clock")
        if self.clock.indices or isinstance(self._module.ports[self.clock.port.name].shape, Packed) and \
                self._module.ports[self.clock.port.name].shape.width != 1:
            raise MapError(value, "the clock is a port of its own, of one bit")

    def _read_reset(self):
        value = self._root.need("reset", "the port, or {port: NAME, active: low, asynchronous: true}")
        port, self.active_low, self.asynchronous = value, False, False
        if value.is_map:
            value.only("port", "active", "asynchronous")
            port = value.need("port", "the name of the reset's port")
            if active := value.get("active"):
                if active.text() not in ("high", "low"):
                    raise MapError(active, f"`{active.text()}` is no polarity; write high or low")
                self.active_low = active.text() == "low"
            if asynchronous := value.get("asynchronous"):
                self.asynchronous = asynchronous.flag(self._parameters)
        self.reset, = self.references.bits(port, [self.references.one(port, "input")], 1, "the reset")

    def _read_flits(self):
        self.flit_width, self.fields, self.inputs, self.outputs = 0, [], [], []
        sides = [self._attempt(self._read_side, name) for name in ("inputs", "outputs")]
        if None in sides:
            return
        self._attempt(self._read_layout, *sides)
        self.inputs, self.outputs = (side.ports(self) for side in sides)
        self.constants += sides[0].gaps(self.fields)

    def _read_side(self, name):
        section = self._root.need(name, "valid, flit and credit or ready of each port")
        return DirectionMap(section, name[:-1], self.references, self._attempt)

    def _read_layout(self, inputs, outputs):
        section = self._root.get("flit")
        if section:
            section.only("width", "struct", "fields")
        if bool(inputs.words) != bool(outputs.words):
            side = outputs if inputs.words else inputs
            raise MapError(side.section, "the flit is a word on one side only; map `flit` in inputs and outputs")
        if inputs.words:
            self._read_word(section, inputs, outputs)
        elif section:
            raise MapError(section, "no port carries a flit as one word: map `flit` in inputs and outputs, or remove "
                                    "this")
        self._read_pin_fields(inputs.pins, outputs.pins)
        if not self.errors:
            check_fields(section or inputs.section, self.fields, self.vcs)
            check_tag(self)
            check_route(self)

    def _read_word(self, section, inputs, outputs):
        self._root.need("flit", "the fields of the flit's word")
        self.flit_width = inputs.words[0].width
        if value := section.get("width"):
            self.flit_width = value.number(self._parameters, 1)
        for side in (inputs, outputs):
            self.references.have_width(side.section.get("flit"), side.words, self.flit_width, "the flit")
        layout = WordLayout(self._module, section, inputs.words[0].shape)
        fields = section.need("fields", "the bits or the members that the flit consists of")
        self.fields = [field for found in field_values(fields) if (field := self._attempt(layout.field, *found))]

    def _read_pin_fields(self, inputs, outputs):
        """Fields with pins of their own are numbered after the word."""
        named = {(field.name, field.dimension): field for field in self.fields}
        for key, (value, selections) in inputs.items():
            if key in named:
                raise MapError(value, f"{key[0]} is in the flit's word already, in line {named[key].value.line}")
            width = selections[0].width
            for other, found in (inputs[key], outputs.get(key, inputs[key])):
                self.references.have_width(other, found, width, f"`{key[0]}` at the first input")
            self.fields.append(Field(key[0], key[1], self.flit_width, width, value, on_pins=True))
            self.flit_width += width
        for one, other, name in ((inputs, outputs, "outputs"), (outputs, inputs, "inputs")):
            for key, (value, _) in one.items():
                if key not in other:
                    raise MapError(value, f"{name}.fields has no `{key[0]}`; map the same fields for inputs and "
                                          "outputs")

    def _read_constants(self):
        section = self._root.get("constants")
        if section is None:
            return
        if not section.is_map:
            raise MapError(section, "constants are keys: a port of the module, and what it is")
        for name, value in section.content.items():
            self._attempt(self._read_constant, name, value)

    def _read_constant(self, name, value):
        selection = self.references.one(value, "input", name)
        if not value.is_list:
            self._add_constant(value, selection)
            return
        if not value.content:
            raise MapError(value, "the list is empty; write a constant for each part of the port")
        try:
            parts = split(selection, len(value.content))
        except ShapeError as error:
            raise MapError(value, f"{error}; write one constant, or select bits, as in {name}[3:0]") from error
        for item, part in zip(value.content, parts):
            self._add_constant(item, part)

    def _add_constant(self, value, selection):
        self.references.bits(value, [selection], None, "a constant")
        kind, dimension, constant = "number", 0, 0
        if value.is_map:
            value.only("coordinate", "radix")
            if len(value.content) != 1:
                raise MapError(value, "this is one of {coordinate: DIMENSION} and {radix: DIMENSION}")
            (kind, inner), = value.content.items()
            dimension = inner.number(self._parameters, 0)
        elif value.text() in CONSTANTS:
            kind = value.text()
        else:
            constant = value.number(self._parameters, 0)
            if constant >> selection.width or constant >> 64:
                raise MapError(value, f"{constant} has more than the {selection.width} bits of `{selection.text()}`")
        self.constants.append((kind, dimension, constant, selection))

    def _check_unused(self):
        for port in self._module.ports.values():
            if port.direction not in ("input", "output"):
                raise MapError(self._root, f"the port `{port.name}` of {self._module.top} is {port.direction}; a "
                                           "router has inputs and outputs, so separate the two in a module around it")
        for selection, lsb, width in self.references.unused():
            key, bits = selection.pin, f"`{selection.pin}`"
            if width < selection.width:
                key, bits = f"{key}[{lsb + width - 1}:{lsb}]", f"bits {lsb + width - 1}:{lsb} of {bits}"
            self.errors.append(MapError(self._root, f"nothing is mapped to the input {bits} of {self._module.top}; map "
                                                    f"it, or add `{key}: 0` under `constants` to tie it to 0"))

    def pins(self):
        """The pins of the module, in order."""
        return [pin for port in self._module.ports.values() for pin in pins_of(port)]


def check_tag(router):
    """Raises: MapError unless the flits that can be inside, or about to enter, have different tags."""
    tag = next(field for field in router.fields if field.name == "tag")
    # The same rule as in routers/verilated/design_check.cpp.
    crossing = 4  # cycles, where no timing is declared
    if router.timing:
        crossing = 0 if router.timing == "single_cycle" else router.timing[DELAYS.index("traversal_delay")]
    outside = crossing if router.handshake == "credit" else router.vcs * (1 + crossing)
    most = (router.network_ports + router.local_ports) * (router.vcs * router.depth + outside + 1)
    if most > 1 << tag.width:
        raise MapError(tag.value, f"{tag.width} bits number {1 << tag.width} flits, and {most} can be inside or about "
                                  f"to enter; {(most - 1).bit_length()} are needed")


def check_route(router):
    """Raises: MapError unless the field `route`, if there is one, has room for the number of each port."""
    for field in router.fields:
        if field.name == "route":
            check_numbers(field, router.network_ports + router.local_ports, "ports")


def listed(value, count):
    if not value.is_list or len(value.content) != count:
        raise MapError(value, f"this should be a list of {count}, one for each port, network ports first")
    return value.content
