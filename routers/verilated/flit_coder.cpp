// routers/verilated/flit_coder.cpp: see flit_coder.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/flit_coder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "routers/verilated/pin_frame.hpp"

namespace flitwave {

FlitCoder::FlitCoder(const RouterDesign& design, const RouterSite& site)
    : design_(design), site_(site), words_(words_of(design.flit.width)) {
  vc_.width = 0;
  for (const BitField& field : design.flit.fields) {
    if (field.field == FlitField::tag) tag_ = field;
    if (field.field == FlitField::vc) vc_ = field;
  }
}

std::uint64_t FlitCoder::number(const BitField& field, const std::uint64_t* words) const {
  return bits_in(words, field.offset, field.width);
}

std::uint64_t FlitCoder::value(const BitField& field, Flit flit, const Packet& packet,
                               int port) const {
  const auto unsigned_of = [](int number) { return static_cast<std::uint64_t>(number); };
  const Header& header = packet.header;
  switch (field.field) {
    case FlitField::kind:
      return (flit.head() ? 1U : 0U) | (flit.tail() ? 2U : 0U);
    case FlitField::head:
      return flit.head() ? 1 : 0;
    case FlitField::tail:
      return flit.tail() ? 1 : 0;
    case FlitField::vc:
      return unsigned_of(flit.vc());
    case FlitField::destination:
      return unsigned_of(header.destination.value());
    case FlitField::coordinate:
      return unsigned_of(site_.topology->grid()->coordinate(header.destination, field.dimension));
    case FlitField::source:
      return unsigned_of(header.source.value());
    case FlitField::message_class:
      return unsigned_of(header.message_class);
    case FlitField::route:
      return unsigned_of(first_output(flit, port));
    case FlitField::payload:
    case FlitField::tag:
      break;  // written by `encode`
  }
  return 0;
}

void FlitCoder::encode(Flit flit, int port, std::uint64_t tag, std::uint64_t* bits) const {
  const Packet& packet = site_.packets.packet(flit);
  std::fill_n(bits, words_, 0);
  for (const BitField& field : design_.flit.fields) {
    if (field.field == FlitField::tag) {
      set_bits_in(bits, field.offset, field.width, tag);
    } else if (field.field != FlitField::payload) {
      set_bits_in(bits, field.offset, field.width, value(field, flit, packet, port));
    } else {
      const std::uint64_t key = packet.key + static_cast<std::uint64_t>(flit.sequence());
      for (int done = 0; done < field.width; done += 64)
        set_bits_in(bits, field.offset + done, std::min(64, field.width - done),
                    mix(key ^ mix(static_cast<std::uint64_t>(field.offset + done))));
    }
  }
}

void FlitCoder::route(Flit flit, int port, int vc, Route& route) const {
  Arrival arrival;
  if (port < design_.network_ports)
    arrival = {PortId(port), site_.routing.class_of_vc(vc, design_.vcs)};
  route.clear();
  site_.routing.route(site_.node, arrival, site_.packets.packet(flit).header, route);
}

/// The port of the design by which the packet leaves if it takes the first candidate.
int FlitCoder::first_output(Flit flit, int port) const {
  Route found;
  route(flit, port, flit.vc(), found);
  const Candidate& first = found.candidates().front();
  return first.local() ? design_.network_ports : first.port.value();
}

std::optional<FlitCoder::Difference> FlitCoder::difference(const std::uint64_t* entered,
                                                           const std::uint64_t* leaving) const {
  for (const BitField& field : design_.flit.fields) {
    if (field.field == FlitField::vc || field.field == FlitField::route ||
        field.field == FlitField::tag)
      continue;
    for (int done = 0; done < field.width; done += 64) {
      const int part = std::min(64, field.width - done);
      if (bits_in(entered, field.offset + done, part) !=
          bits_in(leaving, field.offset + done, part))
        return Difference{name_of(field), text_of(field, entered), text_of(field, leaving)};
    }
  }
  return std::nullopt;
}

/// Payloads in hexadecimal digits.
std::string FlitCoder::text_of(const BitField& field, const std::uint64_t* words) const {
  if (field.field != FlitField::payload) return std::to_string(number(field, words));
  std::string text;
  for (int done = 0; done < field.width; done += 64) {
    const int part = std::min(64, field.width - done);
    text = fmt::format("{:0{}x}", bits_in(words, field.offset + done, part), (part + 3) / 4) + text;
  }
  return "0x" + text;
}

std::string text_of(Flit flit, const RouterSite& site) {
  const Packet* packet = site.packets.find(flit);
  if (!packet) return "a flit of no packet in the network";
  const auto name = [&site](NodeId node) {
    return site.topology ? site.topology->label(node) : std::to_string(node.value());
  };
  return fmt::format("packet {} from {} to {}, flit {} of {}", packet->number,
                     name(packet->header.source), name(packet->header.destination), flit.sequence(),
                     packet->length);
}

}  // namespace flitwave
