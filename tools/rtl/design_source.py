# tools/rtl/design_source.py: the C++ source that registers a design.
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re

from port_map import DELAYS

TEMPLATE = pathlib.Path(__file__).with_name("design.cpp.in")


def bits(pins, selection):
    """PinBits; `pins`: name of a pin -> its index."""
    return f"{{{pins[selection.pin]}, {selection.lsb}, {selection.width}}}"


def flag(value):
    return "true" if value else "false"


def member(selection):
    """The member of Verilator's class; its arrays begin at 0."""
    shape, text = selection.port.shape, selection.port.name
    for index in selection.indices:
        text += f"[{index - min(shape.range)}]"
        shape = shape.element
    return text


def pin_list(found):
    return [f'      {{"{pin.pin}", {pin.width}, {flag(pin.port.direction == "input")}}},' for pin in found]


def bindings(router, found):
    return [f"    top_->{member(pin)}(clock);" if pin.pin == router.clock.pin else
            f"    bind({number}, top_->{member(pin)});" for number, pin in enumerate(found)]


def field_list(router):
    return [f"      {{FlitField::{field.name}, {field.dimension}, {field.offset}, {field.width}}},"
            for field in router.fields]


def direction(name, port, pins, number):
    """Assignments of the members of FlitPins."""
    for attribute in ("valid", "flit", "ready", "pulse", "vc", "per_vc"):
        if selection := getattr(port, attribute):
            path = f"credit.{attribute}" if attribute in ("pulse", "vc", "per_vc") else attribute
            yield f"  design.{name}[{number}].{path} = {bits(pins, selection)};"
    if port.fields:
        yield f"  design.{name}[{number}].fields = {{{', '.join(bits(pins, field) for field in port.fields)}}};"


def directions(router, pins):
    return [line for name in ("inputs", "outputs") for number, port in enumerate(getattr(router, name))
            for line in direction(name, port, pins, number)]


def constant_list(router, pins):
    return [f"      {{ConstantPins::Value::{kind}, {dimension}, {number}u, {bits(pins, selection)}}},"
            for kind, dimension, number, selection in router.constants]


def timing(router):
    if router.timing is None:
        return []
    if router.timing == "single_cycle":
        return ["  design.timing.emplace();", "  design.timing->preset = Preset::single_cycle;"]
    return ["  design.timing.emplace();"] + [f"  design.timing->{name} = Cycles{{{delay}}};"
                                            for name, delay in zip(DELAYS, router.timing)]


def routing(router):
    return [f'  design.routing = "{quoted(router.routing)}";'] if router.routing else []


def quoted(text):
    return str(text).replace("\\", "\\\\").replace('"', '\\"')


def source_of(router, name, model, port_map, includes):
    """`model`: the classes of Verilator's models without their suffixes, _cc and _sc. `includes`: begin of the paths of
    our headers."""
    found = router.pins()
    pins = {pin.pin: number for number, pin in enumerate(found)}
    values = {
        "NAME": name, "SOURCE": quoted(port_map), "MODEL": model, "INCLUDES": includes, "PINS": len(found),
        "DATA": ", ".join(f"&top_->{member(pin)}" for pin in found),
        "BINDINGS": "\n".join(bindings(router, found)), "PIN_LIST": "\n".join(pin_list(found)),
        "CLOCK": bits(pins, router.clock),
        "RESET": f"{bits(pins, router.reset)}, {flag(router.active_low)}, {flag(router.asynchronous)}",
        "FLIT_WIDTH": router.flit_width, "FIELDS": "\n".join(field_list(router)), "HANDSHAKE": router.handshake,
        "ACKNOWLEDGES": "true" if router.handshake_name == "request_acknowledge" else "false",
        "VCS": router.vcs, "DEPTH": router.depth, "NETWORK_PORTS": router.network_ports,
        "LOCAL_PORTS": router.local_ports, "PORTS": router.network_ports + router.local_ports,
        "DIRECTIONS": "\n".join(directions(router, pins)), "CONSTANTS": "\n".join(constant_list(router, pins)),
        "TORUS": flag(router.torus), "TIMING": "\n".join(timing(router) + routing(router)),
    }
    return re.sub(r"@([A-Z_]+)@", lambda found: str(values[found[1]]), TEMPLATE.read_text(encoding="utf-8"))
