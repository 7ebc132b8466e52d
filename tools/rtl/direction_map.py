# tools/rtl/direction_map.py: the pins of the inputs, or of the outputs, of every port of a router.
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import typing

from flit_map import field_values
from map_file import MapError
from shapes import Packed, Selection

OPPOSITE = {"input": "output", "output": "input"}


@dataclasses.dataclass
class FlitPins:
    """One direction of one router port; None: there are no such pins."""
    valid: typing.Optional[Selection] = None
    flit: typing.Optional[Selection] = None
    fields: list = dataclasses.field(default_factory=list)
    pulse: typing.Optional[Selection] = None
    vc: typing.Optional[Selection] = None
    per_vc: typing.Optional[Selection] = None
    ready: typing.Optional[Selection] = None


class DirectionMap:
    """The section `inputs` or `outputs` of a port map.

    Attributes: section; words (the flit of each port, empty if each field has pins of its own); pins ((name, dimension)
    of a field -> its Value and the bits of each port).
    """

    def __init__(self, section, direction, references, attempt):
        section.only("valid", "request", "flit", "fields", "credit", "ready", "acknowledge")
        self.section = section
        self._direction = direction
        self._references = references
        self._attempt = attempt
        flit, fields = section.get("flit"), section.get("fields")
        if flit is None and fields is None:
            raise MapError(section, "the flit is missing: map `flit` to a word, or `fields` to pins for each")
        self.words = self._bits(flit, "the flit") if flit else []
        self.pins = {(name, dimension): (value, self._bits(value, "a field"))
                     for name, dimension, value in (field_values(fields) if fields else ())}

    def _bits(self, value, meaning):
        selections = self._references.each(value, self._direction)
        self._references.have_width(value, selections, None, meaning)
        return selections

    def ports(self, router):
        """FlitPins of each port. `router`: has the handshake, virtual channels and fields."""
        ports = [FlitPins() for _ in range(router.network_ports + router.local_ports)]
        self._map(ports, "valid", self._named("valid", "request", "the bit that marks a flit"), 1, "valid")
        self._attempt(self._assign_flits, router.fields, ports)
        if router.handshake == "credit":
            self._attempt(self._read_credit, router.vcs, ports)
        else:
            ready = self._named("ready", "acknowledge", "a bit for each virtual channel")
            self._map(ports, "ready", ready, router.vcs, "ready", back=True)
            self._reject("credit", f"the handshake is {router.handshake_name}")
        return ports

    def gaps(self, fields):
        """Constants for bits of words that are no field, where fields are given one by one."""
        if self._direction != "input" or not self.pins or not self.words:
            return []
        found, at = [], 0
        for field in sorted((field for field in fields if not field.on_pins), key=lambda field: field.offset):
            found += [(at, field.offset - at)] if field.offset > at else []
            at = field.offset + field.width
        found += [(at, self.words[0].width - at)] if at < self.words[0].width else []
        return [("number", 0, 0, part_of_word(word, lsb, width)) for word in self.words for lsb, width in found]

    def _map(self, ports, attribute, value, width, meaning, back=False, at_least=False):
        """Sets the attribute of each port. `back`: the pins go against the flits."""
        if value is None:
            return
        direction = OPPOSITE[self._direction] if back else self._direction
        selections = self._attempt(self._references.each, value, direction)
        if selections and self._attempt(self._references.bits, value, selections, width, meaning, at_least):
            for port, selection in zip(ports, selections):
                setattr(port, attribute, selection)

    def _named(self, name, other, meaning):
        """The value of a key with two names; None after an error."""
        one, two = self.section.get(name), self.section.get(other)
        if one and two:
            self._reject(other, f"it is another word for `{name}`, which is in line {one.line}")
        return one or two or self._attempt(self.section.need, name, meaning)

    def _reject(self, key, reason):
        def error(value):
            raise MapError(value, f"{reason}; remove one of the two")
        if value := self.section.get(key):
            self._attempt(error, value)

    def _read_credit(self, vcs, ports):
        for name in ("ready", "acknowledge"):
            self._reject(name, "the handshake is credit")
        credit = self.section.need("credit", "{pulse: NAME, vc: NAME}, or {per_vc: NAME} with a bit for each virtual "
                                             "channel")
        if not credit.is_map:
            if vcs > 1:
                raise MapError(credit, f"a pulse alone is a credit of one virtual channel, and the router has {vcs}; "
                                       "write {pulse: NAME, vc: NAME} or {per_vc: NAME}")
            self._map(ports, "pulse", credit, 1, "a credit", back=True)
            return
        credit.only("pulse", "vc", "per_vc")
        pulse, vc, per_vc = (credit.get(name) for name in ("pulse", "vc", "per_vc"))
        if (pulse is None) == (per_vc is None):
            raise MapError(credit, "a credit is {pulse: NAME, vc: NAME}, or {per_vc: NAME}: one of the two")
        if per_vc and vc:
            raise MapError(vc, "a bit for each virtual channel needs no number; remove this")
        if pulse and vcs > 1 and not vc:
            raise MapError(credit, "the key `vc` is missing: the number of the virtual channel, of which there are "
                                   f"{vcs}")
        self._map(ports, "pulse", pulse, 1, "a credit", back=True)
        self._map(ports, "per_vc", per_vc, vcs, "a bit for each virtual channel", back=True)
        self._map(ports, "vc", vc, (vcs - 1).bit_length(), "the number of a virtual channel", back=True, at_least=True)

    def _assign_flits(self, fields, ports):
        if self.words:
            self._references.bits(self.section.get("flit"), self.words, None, "the flit")
        for value, selections in self.pins.values():
            self._references.bits(value, selections, None, "a field")
        for number, port in enumerate(ports):
            if not self.pins:
                port.flit = self.words[number]
                continue
            for field in fields:
                if field.on_pins:
                    port.fields.append(self.pins[field.name, field.dimension][1][number])
                else:
                    port.fields.append(part_of_word(self.words[number], field.offset, field.width))


def part_of_word(word, lsb, width):
    return Selection(word.port, word.indices, word.lsb + lsb, Packed(width))
