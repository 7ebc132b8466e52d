// testbenches/run/testbench/wait_graph.cpp: see wait_graph.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/wait_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace flitwave {

WaitGraph::WaitGraph(const Netlist& netlist) : netlist_(netlist) {
  std::vector<WaitPoint> points;
  for (int i = 0; i < netlist.topology().nodes(); ++i) {
    points.clear();
    const Router& router = netlist.router(NodeId(i));
    if (!router.is_opaque()) router.report_waits(points);
    for (WaitPoint& point : points) vertices_.push_back({NodeId(i), std::move(point), {}, true});
    add_interface(NodeId(i));
  }
  link();
  free_movable();
}

/// A request that an interface does not accept waits for the router's buffers that delay replies.
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

/// The buffer that an alternative refers to: in the same router, in the next one, or beside it.
WaitGraph::Key WaitGraph::key_of(const Vertex& vertex, const WaitPoint::Alternative& wanted) const {
  const Topology& topology = netlist_.topology();
  const Key here{vertex.node.value(), wanted.port.value(), wanted.vc};
  if (vertex.at_interface || !wanted.downstream) return here;
  const int local = wanted.port.value() - topology.port_limit();
  if (local >= 0) return {vertex.node.value(), ejection(vertex.node, local).value(), wanted.vc};
  const ChannelEnds& ends = topology.channel(topology.channel_out(vertex.node, wanted.port));
  return {ends.to.value(), ends.to_port.value(), wanted.vc};
}

void WaitGraph::link() {
  std::map<Key, int> place;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    place[{vertices_[i].node.value(), vertices_[i].point.input.value(), vertices_[i].point.vc}] =
        static_cast<int>(i);
  for (Vertex& vertex : vertices_) link(vertex, place);
}

/// Maps every alternative to its vertex; an alternative without a vertex frees its branch, and a
/// vertex without remaining branches is free.
void WaitGraph::link(Vertex& vertex, const std::map<Key, int>& place) const {
  std::map<int, std::vector<int>> branches;
  std::set<int> open;
  for (const WaitPoint::Alternative& wanted : vertex.point.waits_for) {
    // An interface accepts every packet eventually, unless it reports that it does not.
    const auto found = place.find(key_of(vertex, wanted));
    const bool stuck =
        found != place.end() &&
        (!wanted.downstream ||
         vertices_[static_cast<std::size_t>(found->second)].point.free < wanted.room);
    if (stuck)
      branches[wanted.branch].push_back(found->second);
    else
      open.insert(wanted.branch);  // the rest of a worm, or a credit, is in transit
  }
  for (auto& [branch, wanted] : branches)
    if (open.count(branch) == 0) vertex.waits_for.push_back(std::move(wanted));
  if (vertex.waits_for.empty()) vertex.point.movable = true;
}

bool WaitGraph::is_free(const std::vector<int>& branch) const {
  return std::any_of(branch.begin(), branch.end(), [this](int wanted) {
    return !vertices_[static_cast<std::size_t>(wanted)].deadlocked;
  });
}

void WaitGraph::free_movable() {
  std::vector<std::vector<int>> waiters(vertices_.size());
  std::vector<int> free;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    for (const std::vector<int>& branch : vertices_[i].waits_for)
      for (int wanted : branch)
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
    for (int waiter : waiters[index]) {
      const auto& branches = vertices_[static_cast<std::size_t>(waiter)].waits_for;
      if (std::all_of(branches.begin(), branches.end(),
                      [this](const std::vector<int>& branch) { return is_free(branch); }))
        free.push_back(waiter);
    }
  }
}

/// For a deadlocked vertex: an alternative of a branch that is never free.
int WaitGraph::waits_for_whom(const Vertex& vertex) const {
  const auto stuck =
      std::find_if(vertex.waits_for.begin(), vertex.waits_for.end(),
                   [this](const std::vector<int>& branch) { return !is_free(branch); });
  return stuck->front();
}

std::vector<int> WaitGraph::cycle() const {
  const auto first = std::find_if(vertices_.begin(), vertices_.end(),
                                  [](const Vertex& vertex) { return vertex.deadlocked; });
  if (first == vertices_.end()) return {};
  // All alternatives of some branch of a deadlocked buffer are deadlocked, so any walk along such
  // branches leads into a cycle.
  std::vector<int> walk{static_cast<int>(first - vertices_.begin())};
  while (true) {
    const int next = waits_for_whom(vertices_[static_cast<std::size_t>(walk.back())]);
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
  const std::vector<int> waiting = cycle();
  std::string text = fmt::format("deadlock: {} buffers blocked forever; dependency cycle of {}:\n",
                                 deadlocked_, waiting.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const Vertex& vertex = vertices_[static_cast<std::size_t>(waiting[i])];
    const Vertex& next = vertices_[static_cast<std::size_t>(waiting[(i + 1) % waiting.size()])];
    text +=
        fmt::format("  {}\n    waits for {}\n", describe(vertex, packets), describe(next, packets));
  }
  return text;
}

}  // namespace flitwave
