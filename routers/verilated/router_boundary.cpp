// routers/verilated/router_boundary.cpp: see router_boundary.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/router_boundary.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "modules/signals/bits.hpp"

namespace flitwave {

RouterBoundary::RouterBoundary(const RouterDesign& design, const RouterSite& site, std::string name)
    : design_(design),
      site_(site),
      name_(std::move(name)),
      coder_(design, site),
      table_(design.ports(), coder_.tag_width(), design.ports() * design.vcs * design.depth,
             coder_.words()),
      depth_(site.channel().depth()),
      class_masks_(class_masks(site.routing, design.vcs)),
      message_masks_(message_masks(site.routing, design.vcs)),
      inputs_(index(design.ports())),
      outputs_(index(design.ports())) {
  for (Input& input : inputs_) {
    input.queues.resize(index(design.vcs));
    input.ready = first_bits(design.vcs);
  }
  for (Output& output : outputs_) {
    output.vcs.resize(index(design.vcs));
    for (Held& vc : output.vcs) vc.credits = depth_;
  }
  for (int port = 0; port < site.ports(); ++port) {
    const std::size_t at = index(design_port(design, site, port));
    inputs_[at].attached = site.inputs[index(port)] != nullptr;
    outputs_[at].attached = site.outputs[index(port)] != nullptr;
  }
}

std::string RouterBoundary::input_name(int port) const {
  return "input " + port_label(port, design_.network_ports);
}

std::string RouterBoundary::output_name(int port) const {
  return "output " + port_label(port, design_.network_ports);
}

DesignError RouterBoundary::error(Cycle cycle, std::string port, std::string field,
                                  std::string expected, std::string found,
                                  std::string subject) const {
  return DesignError({cycle, fmt::format("{} ({})", name_, design_.name), std::move(port),
                      std::move(field), std::move(expected), std::move(found), std::move(subject)});
}

bool RouterBoundary::is_local(int port) const { return port >= design_.network_ports; }

RouterBoundary::Queue& RouterBoundary::queue(const FlitTable::Entry& entry) {
  return inputs_[index(entry.input)].queues[index(entry.flit.vc())];
}

const RouterBoundary::Queue& RouterBoundary::queue(const FlitTable::Entry& entry) const {
  return inputs_[index(entry.input)].queues[index(entry.flit.vc())];
}

Flit RouterBoundary::send(int output, const std::uint64_t* bits, Cycle cycle) {
  if (!outputs_[index(output)].attached)
    throw error(cycle, output_name(output), "valid", "0, since no channel leaves by this port",
                "1");
  const Tag tag = coder_.tag(bits);
  const FlitTable::Entry& entry = find(output, tag, cycle);
  if (const auto differs = coder_.difference(entry.bits.data(), bits))
    throw error(cycle, output_name(output), differs->field, differs->expected, differs->found,
                coder_.text(entry.flit));
  const int vc = coder_.vc(bits);
  if (vc >= design_.vcs)
    throw error(cycle, output_name(output), "vc", fmt::format("less than {}", design_.vcs),
                std::to_string(vc), coder_.text(entry.flit));
  check_offer(output, entry, tag, vc, cycle);
  check_order(output, entry, tag, vc, cycle);
  if (entry.flit.head())
    check_head(output, entry, vc, cycle);
  else
    check_body(output, entry, vc, cycle);
  check_credit(output, entry, vc, cycle);
  const Flit flit = entry.flit.on_vc(vc);
  Output& port = outputs_[index(output)];
  port.sent = cycle;
  if (design_.handshake == Handshake::credit) {
    leave(output, vc, tag, cycle);
  } else {
    port.vcs[index(vc)].offer = tag;
    port.offered_vc = vc;
    table_.offer(tag, {output, vc});
  }
  return flit;
}

std::optional<Flit> RouterBoundary::look(int output, const std::uint64_t* bits) const {
  const FlitTable::Entry* entry = table_.find(coder_.tag(bits));
  const int vc = coder_.vc(bits);
  if (!entry || !entry->inside || vc >= design_.vcs || !outputs_[index(output)].attached)
    return std::nullopt;
  return entry->flit.on_vc(vc);
}

/// The entry of a flit that is inside.
const FlitTable::Entry& RouterBoundary::find(int output, Tag tag, Cycle cycle) const {
  const FlitTable::Entry* entry = table_.find(tag);
  if (entry && entry->inside) return *entry;
  std::string found = std::to_string(tag);
  if (entry && entry->left >= 0)
    found += fmt::format(", of a flit that left in cycle {} by {}", entry->left,
                         output_name(entry->output));
  throw error(cycle, output_name(output), "tag", "that of a flit inside", std::move(found));
}

/// Null unless its head has left.
const RouterBoundary::Path* RouterBoundary::path_of(const Queue& queue, std::uint64_t packet) {
  const auto found = std::find_if(queue.paths.begin(), queue.paths.end(),
                                  [packet](const Path& path) { return path.packet == packet; });
  return found == queue.paths.end() ? nullptr : &*found;
}

/// Whether the flit, which is inside, can leave by one virtual channel of one output only.
bool RouterBoundary::leaves_only_by(const FlitTable::Entry& entry,
                                    const FlitTable::Place& place) const {
  if (entry.offer) return *entry.offer == place;
  if (const Path* path = path_of(queue(entry), entry.flit.packet_bits()))
    return path->output == place.output && path->vc == place.vc;
  Route route;
  coder_.route(entry.flit, entry.input, entry.flit.vc(), route);
  for (const Candidate& candidate : route.candidates()) {
    const bool here = candidate.local() ? is_local(place.output) && site_.local_ports() == 1
                                        : candidate.port.value() == place.output;
    if (!here || vcs_of(candidate) != word_bit(place.vc)) return false;
  }
  return true;
}

/// Flits of one virtual channel leave in the order in which they entered. Under ready_valid the end
/// of a packet may wait at its output until the next packet has left by another.
void RouterBoundary::check_order(int output, const FlitTable::Entry& entry, Tag tag, int vc,
                                 Cycle cycle) const {
  for (const Tag earlier : queue(entry).tags) {
    if (earlier == tag) return;
    const FlitTable::Entry& expected = *table_.find(earlier);
    if (design_.handshake == Handshake::ready_valid &&
        expected.flit.packet_bits() != entry.flit.packet_bits() &&
        !leaves_only_by(expected, {output, vc}))
      continue;
    throw error(
        cycle, output_name(output), "order",
        fmt::format("{}, which entered by {} on vc {} in cycle {}", coder_.text(expected.flit),
                    input_name(expected.input), expected.flit.vc(), expected.entered),
        coder_.text(entry.flit));
  }
}

std::uint64_t RouterBoundary::vcs_of(const Candidate& candidate) const {
  const auto& masks = candidate.local() ? message_masks_ : class_masks_;
  return masks[index(candidate.vc_class)];
}

/// "output 2 (vc 0, 1) or output 4 (vc 2)"
std::string RouterBoundary::permitted(const Route& route) const {
  std::vector<std::string> texts;
  for (const Candidate& candidate : route.candidates()) {
    std::vector<int> vcs;
    for_each_bit(vcs_of(candidate), [&vcs](int vc) { vcs.push_back(vc); });
    const std::string port =
        candidate.local() ? "a local output" : output_name(candidate.port.value());
    texts.push_back(fmt::format("{} on vc {}", port, fmt::join(vcs, " or ")));
  }
  return detail::either(texts);
}

void RouterBoundary::check_head(int output, const FlitTable::Entry& entry, int vc,
                                Cycle cycle) const {
  Route route;
  coder_.route(entry.flit, entry.input, entry.flit.vc(), route);
  bool port_fits = false;
  bool fits = false;
  for (const Candidate& candidate : route.candidates()) {
    const bool here = candidate.local() ? is_local(output) : candidate.port.value() == output;
    port_fits = port_fits || here;
    fits = fits || (here && (vcs_of(candidate) & word_bit(vc)) != 0);
  }
  if (!fits)
    throw error(cycle, output_name(output), port_fits ? "vc" : "route", permitted(route),
                port_fits ? std::to_string(vc) : output_name(output), coder_.text(entry.flit));
  const int holder = outputs_[index(output)].vcs[index(vc)].holder;
  if (holder < 0) return;
  throw error(cycle, output_name(output), "vc", "a virtual channel that no other packet holds",
              fmt::format("{}, held by the packet of {} vc {} until its tail", vc,
                          input_name(holder / design_.vcs), holder % design_.vcs),
              coder_.text(entry.flit));
}

void RouterBoundary::check_body(int output, const FlitTable::Entry& entry, int vc,
                                Cycle cycle) const {
  const Path& path = *path_of(queue(entry), entry.flit.packet_bits());
  if (path.output != output)
    throw error(cycle, output_name(output), "route",
                output_name(path.output) + ", by which the head left", output_name(output),
                coder_.text(entry.flit));
  if (path.vc != vc)
    throw error(cycle, output_name(output), "vc",
                fmt::format("{}, on which the head left", path.vc), std::to_string(vc),
                coder_.text(entry.flit));
}

/// Under ready_valid another flit must not be offered in place of one that was not accepted, nor
/// the same one in two places.
void RouterBoundary::check_offer(int output, const FlitTable::Entry& entry, Tag tag, int vc,
                                 Cycle cycle) const {
  if (entry.offer && !(*entry.offer == FlitTable::Place{output, vc}))
    throw error(cycle, output_name(output), "offer",
                fmt::format("{} on vc {}, where the flit is offered until it is accepted",
                            output_name(entry.offer->output), entry.offer->vc),
                fmt::format("{} on vc {}", output_name(output), vc), coder_.text(entry.flit));
  const Held& held = outputs_[index(output)].vcs[index(vc)];
  if (!held.offer || *held.offer == tag) return;
  throw error(cycle, output_name(output), "flit",
              fmt::format("{}, since it was offered on vc {} and ready is low",
                          coder_.text(table_.find(*held.offer)->flit), vc),
              coder_.text(entry.flit));
}

void RouterBoundary::check_credit(int output, const FlitTable::Entry& entry, int vc,
                                  Cycle cycle) const {
  if (design_.handshake != Handshake::credit) return;
  if (outputs_[index(output)].vcs[index(vc)].credits > 0) return;
  throw error(cycle, output_name(output), "valid", fmt::format("0, since vc {} has no credit", vc),
              "1", coder_.text(entry.flit));
}

void RouterBoundary::give_credit(int input, int vc, Cycle cycle) {
  if (!inputs_[index(input)].attached)
    throw error(cycle, input_name(input), "credit", "0, since no channel enters by this port", "1");
  if (vc >= design_.vcs)
    throw error(cycle, input_name(input), "credit vc", fmt::format("less than {}", design_.vcs),
                std::to_string(vc));
  Queue& queue = inputs_[index(input)].queues[index(vc)];
  if (queue.owed == 0)
    throw error(cycle, input_name(input), "credit",
                fmt::format("0, since all {} slots of vc {} are free already", depth_, vc), "1");
  --queue.owed;
  queue.changed = cycle;
}

/// With one virtual channel an offer must stay.
void RouterBoundary::send_nothing(int output, Cycle cycle) {
  Output& port = outputs_[index(output)];
  port.offered_vc.reset();
  if (design_.vcs > 1 || !port.vcs.front().offer) return;
  throw error(cycle, output_name(output), "valid", "1, since the flit was offered and ready is low",
              "0", coder_.text(table_.find(*port.vcs.front().offer)->flit));
}

void RouterBoundary::give_ready(int input, std::uint64_t ready, bool in_reset, Cycle cycle) {
  Input& port = inputs_[index(input)];
  if (!port.attached || port.ready == ready) return;
  const std::uint64_t fallen = port.ready & ~ready & ~port.accepted;
  if (fallen != 0 && !in_reset)
    throw error(cycle, input_name(input), fmt::format("ready[{}]", lowest_of(fallen)),
                "1, since no flit was accepted", "0");
  port.ready = ready;
  port.ready_changed = cycle;
}

void RouterBoundary::leave(int output, int vc, Tag tag, Cycle cycle) {
  const FlitTable::Entry& entry = *table_.find(tag);
  Held& held = outputs_[index(output)].vcs[index(vc)];
  Queue& from = queue(entry);
  from.tags.erase(std::find(from.tags.begin(), from.tags.end(), tag));
  from.changed = cycle;
  from.movable_since = -1;
  const std::uint64_t packet = entry.flit.packet_bits();
  if (entry.flit.tail())
    from.paths.erase(std::remove_if(from.paths.begin(), from.paths.end(),
                                    [packet](const Path& path) { return path.packet == packet; }),
                     from.paths.end());
  else if (entry.flit.head())
    from.paths.push_back({packet, output, vc});
  held.holder = entry.flit.tail() ? -1 : entry.input * design_.vcs + entry.flit.vc();
  if (design_.handshake == Handshake::credit) --held.credits;
  table_.leave(tag, output, cycle);
}

void RouterBoundary::take(const Ports& read, Cycle cycle) {
  for (int port = 0; port < ports(); ++port) {
    const PortWires& wires = read[index(port)];
    Output& output = outputs_[index(port)];
    output.ready = wires.ready;
    if (wires.credit) return_credit(port, wires.credit_vc);
    if (output.offered_vc && (wires.ready >> *output.offered_vc & 1) != 0) {
      const int vc = *output.offered_vc;
      leave(port, vc, *output.vcs[index(vc)].offer, cycle);
      output.vcs[index(vc)].offer.reset();
    }
    Input& input = inputs_[index(port)];
    input.accepted = 0;
    if (!wires.valid) continue;
    if (design_.handshake == Handshake::credit || (input.ready >> wires.flit.vc() & 1) != 0)
      accept(port, wires.flit, cycle);
    else if (Queue& queue = input.queues[index(wires.flit.vc())]; queue.waiting_since < 0)
      queue.waiting_since = cycle;
  }
  constexpr Cycle interval = 64;
  if (cycle % interval == 0) check_progress(cycle);
}

/// The network returns no more credits than there are slots.
void RouterBoundary::return_credit(int output, int vc) {
  ++outputs_[index(output)].vcs[index(vc)].credits;
}

const std::uint64_t* RouterBoundary::present(int input, Flit flit) {
  FlitTable::Entry& entry = table_.reserved(input);
  if (entry.flit != flit || entry.input != input) {
    entry.flit = flit;
    entry.input = input;
    coder_.encode(flit, input, table_.next(input), entry.bits.data());
  }
  return entry.bits.data();
}

/// The flit has been presented.
void RouterBoundary::accept(int input, Flit flit, Cycle cycle) {
  Input& port = inputs_[index(input)];
  Queue& queue = port.queues[index(flit.vc())];
  const Tag tag = table_.next(input);
  if (!table_.enter(input, cycle))
    throw error(cycle, input_name(input), "tag", "a free one",
                fmt::format("{} flits inside", table_.inside()), coder_.text(flit));
  queue.tags.push_back(tag);
  queue.changed = cycle;
  queue.waiting_since = -1;
  if (design_.handshake == Handshake::credit) ++queue.owed;
  port.accepted |= word_bit(flit.vc());
}

void RouterBoundary::report(Cycle until, std::vector<OpaquePacket>& packets) const {
  for (int port = 0; port < ports(); ++port)
    for (const Queue& queue : inputs_[index(port)].queues) {
      std::uint64_t last = 0;
      for (const Tag tag : queue.tags) {
        const FlitTable::Entry& entry = *table_.find(tag);
        if (entry.entered > until) break;
        if (tag != queue.tags.front() && entry.flit.packet_bits() == last) continue;
        last = entry.flit.packet_bits();
        packets.push_back({entry.flit, entry.entered, site_port(port)});
      }
    }
  std::stable_sort(
      packets.begin(), packets.end(),
      [](const OpaquePacket& a, const OpaquePacket& b) { return a.entered < b.entered; });
}

PortId RouterBoundary::site_port(int port) const {
  return PortId(is_local(port) ? port - design_.network_ports + site_.network_ports : port);
}

bool RouterBoundary::at_rest() const {
  if (table_.inside() > 0) return false;
  for (int port = 0; port < ports(); ++port) {
    const Input& input = inputs_[index(port)];
    if (input.attached && !design_.acknowledges && input.ready != first_bits(design_.vcs))
      return false;
    for (const Queue& queue : input.queues)
      if (queue.owed > 0) return false;
    for (const Held& held : outputs_[index(port)].vcs)
      if (held.credits != depth_) return false;
  }
  return true;
}

}  // namespace flitwave
