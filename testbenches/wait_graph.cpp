// testbenches/wait_graph.cpp: see wait_graph.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/wait_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace flitwave {

WaitGraph::WaitGraph(const Netlist& netlist) : netlist_(netlist) {
  std::vector<WaitPoint> points;
  for (int i = 0; i < netlist.topology().nodes(); ++i) {
    points.clear();
    netlist.router(NodeId(i)).report_waits(points);
    for (WaitPoint& point : points) vertices_.push_back({NodeId(i), std::move(point), {}, true});
    add_interface(NodeId(i));
  }
  link();
  free_movable();
}

/// A request that an interface does not take waits for the router's buffers that hold up replies.
/// Ejection buffers are numbered after all ports of the router.
void WaitGraph::add_interface(NodeId node) {
  std::vector<RefusedRequest> refused;
  netlist_.interface(node).report_refused(refused);
  for (const RefusedRequest& request : refused) {
    WaitPoint point;
    point.input = ejection(node, request.port);
    point.vc = request.vc;
    point.front = request.front;
    point.free = request.free;
    point.movable = request.reply_can_leave;
    const int limit = netlist_.topology().port_limit();
    for (const RefusedRequest::HoldUp& hold_up : request.held_up_by)
      point.waits_for.push_back({true, PortId(limit + hold_up.port), hold_up.vc, hold_up.room});
    vertices_.push_back({node, std::move(point), {}, true, true});
  }
}

PortId WaitGraph::ejection(NodeId node, int port) const {
  return PortId(netlist_.topology().port_limit() + netlist_.local_ports(node) + port);
}

/// The buffer that an alternative means: in the router itself, in the next one, or beside it.
WaitGraph::Key WaitGraph::key_of(const Vertex& vertex, const WaitPoint::Alternative& wanted) const {
  const Topology& topology = netlist_.topology();
  const Key here{vertex.node.value(), wanted.port.value(), wanted.vc};
  if (vertex.at_interface || !wanted.downstream) return here;
  const int local = wanted.port.value() - topology.port_limit();
  if (local >= 0) return {vertex.node.value(), ejection(vertex.node, local).value(), wanted.vc};
  const ChannelEnds& ends = topology.channel(topology.channel_out(vertex.node, wanted.port));
  return {ends.to.value(), ends.to_port.value(), wanted.vc};
}

/// Turns every alternative into the vertex it means; one that means none sets its vertex free.
void WaitGraph::link() {
  std::map<Key, int> place;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    place[{vertices_[i].node.value(), vertices_[i].point.input.value(), vertices_[i].point.vc}] =
        static_cast<int>(i);
  for (Vertex& vertex : vertices_) {
    for (const WaitPoint::Alternative& wanted : vertex.point.waits_for) {
      // An interface takes what comes, sooner or later, unless it says that it does not.
      const auto found = place.find(key_of(vertex, wanted));
      const bool stuck =
          found != place.end() &&
          (!wanted.downstream ||
           vertices_[static_cast<std::size_t>(found->second)].point.free < wanted.room);
      if (stuck) {
        vertex.waits_for.push_back(found->second);
      } else if (!vertex.point.for_all) {
        vertex.point.movable = true;  // the rest of a worm, or a credit, is on its way
        break;
      }
    }
    if (vertex.waits_for.empty()) vertex.point.movable = true;
  }
}

/// Whether a vertex waits for all of several, and one of them is not free yet.
bool WaitGraph::still_waits(const Vertex& vertex) const {
  return vertex.point.for_all &&
         std::any_of(vertex.waits_for.begin(), vertex.waits_for.end(), [this](int wanted) {
           return vertices_[static_cast<std::size_t>(wanted)].deadlocked;
         });
}

void WaitGraph::free_movable() {
  std::vector<std::vector<int>> waiters(vertices_.size());
  std::vector<int> free;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    for (int wanted : vertices_[i].waits_for)
      waiters[static_cast<std::size_t>(wanted)].push_back(static_cast<int>(i));
    if (vertices_[i].point.movable) free.push_back(static_cast<int>(i));
  }
  deadlocked_ = static_cast<int>(vertices_.size());
  while (!free.empty()) {
    Vertex& vertex = vertices_[static_cast<std::size_t>(free.back())];
    const auto index = static_cast<std::size_t>(free.back());
    free.pop_back();
    if (!vertex.deadlocked) continue;
    vertex.deadlocked = false;
    --deadlocked_;
    for (const int waiter : waiters[index])
      if (!still_waits(vertices_[static_cast<std::size_t>(waiter)])) free.push_back(waiter);
  }
}

std::vector<int> WaitGraph::cycle() const {
  const auto first = std::find_if(vertices_.begin(), vertices_.end(),
                                  [](const Vertex& vertex) { return vertex.deadlocked; });
  if (first == vertices_.end()) return {};
  // A deadlocked buffer waits for one that is deadlocked, so any walk runs into a circle.
  std::vector<int> walk{static_cast<int>(first - vertices_.begin())};
  while (true) {
    const auto& waits = vertices_[static_cast<std::size_t>(walk.back())].waits_for;
    const int next = *std::find_if(waits.begin(), waits.end(), [this](int wanted) {
      return vertices_[static_cast<std::size_t>(wanted)].deadlocked;
    });
    const auto seen = std::find(walk.begin(), walk.end(), next);
    if (seen != walk.end()) return {seen, walk.end()};
    walk.push_back(next);
  }
}

std::string WaitGraph::describe(const Vertex& vertex, const PacketPool& packets) const {
  const Topology& topology = netlist_.topology();
  const Packet& packet = packets.packet(vertex.point.front);
  const bool injected = vertex.point.input.value() >= topology.port_limit();
  const std::string channel =
      vertex.at_interface ? "ejection_" + topology.label(vertex.node)
      : injected
          ? "injection_" + topology.label(vertex.node)
          : "channel_" + topology.label(topology.channel_in(vertex.node, vertex.point.input));
  return fmt::format("packet {} from {} to {} in {} vc {}", packet.number,
                     topology.label(packet.header.source),
                     topology.label(packet.header.destination), channel, vertex.point.vc);
}

std::string WaitGraph::text(const PacketPool& packets) const {
  const std::vector<int> circle = cycle();
  std::string text = fmt::format("deadlock: {} buffers can never move again; a circle of {}:\n",
                                 deadlocked_, circle.size());
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const Vertex& vertex = vertices_[static_cast<std::size_t>(circle[i])];
    const Vertex& next = vertices_[static_cast<std::size_t>(circle[(i + 1) % circle.size()])];
    text +=
        fmt::format("  {}\n    waits for {}\n", describe(vertex, packets), describe(next, packets));
  }
  return text;
}

}  // namespace flitwave
