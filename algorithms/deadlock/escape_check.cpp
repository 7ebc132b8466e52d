// algorithms/deadlock/escape_check.cpp: see escape_check.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/deadlock/escape_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

EscapeCheck::EscapeCheck(const Topology& topology, const RoutingFunction& routing,
                         const DependencyGraph& graph, const HeadStates& states, bool mirrored)
    : topology_(topology),
      routing_(routing),
      graph_(graph),
      states_(states),
      mirrored_(mirrored),
      held_(index(graph.vertices())),
      escapes_(index(graph.vertices())) {}

/// Where mirrored, the virtual channel of the same dimension and class that leaves `node`.
int EscapeCheck::image(int vertex, NodeId node) const {
  if (!mirrored_) return vertex;
  const VirtualChannel held = graph_.virtual_channel(vertex);
  const int dimension = Grid::port_dimension(topology_.channel(held.channel).from_port);
  return graph_.vertex(cube_channel(topology_, node, dimension), held.vc_class);
}

void EscapeCheck::add(const LaneWalk& walked) {
  layers_.push_back(walked.headers());
  for (const int vertex : walked.held_vertices()) {
    std::vector<Lanes>& held = held_[index(vertex)];
    held.resize(layers_.size());
    held.back() = walked.held(vertex);
  }
  mark_escapes(walked);
  if (gap_.empty()) find_gap(walked);
}

void EscapeCheck::mark_escapes(const LaneWalk& walked) {
  for (const int state : walked.reached_states())
    walked.visit_wants(state, [&](const LaneWalk::Want& want) {
      if (want.escapes != 0) escapes_[index(image(want.vertex, NodeId(0)))] = true;
    });
}

/// Names the first destination that escapes do not reach, and the first node from which they do
/// not.
void EscapeCheck::find_gap(const LaneWalk& walked) {
  const std::vector<Lanes> arriving = walked.arriving(true);
  int lane = most_lanes;
  NodeId from;
  for (const int state : walked.reached_states()) {
    const Lanes lost = walked.reached(state) & ~arriving[index(state)];
    if (lost == 0 || first_lane(lost) > lane) continue;
    const NodeId node = states_.node(state);
    if (first_lane(lost) == lane && from < node) continue;
    lane = first_lane(lost);
    from = node;
  }
  if (lane == most_lanes) return;
  const NodeId to = walked.headers()[index(lane)].destination;
  gap_ = fmt::format("no escape leads from node {} to node {}", topology_.label(from),
                     topology_.label(to));
}

/// Searches for a cycle in a graph that is larger than the one of extended dependencies, and has a
/// cycle through an escape channel whenever that one has: besides the escape channels it has the
/// states of heads, once for each layer, as intermediate vertices between two escapes of a packet.
class EscapeCheck::Search {
 public:
  explicit Search(const EscapeCheck& owner)
      : owner_(owner),
        channels_(owner.escapes_.size()),
        states_(index(owner.states_.count())),
        images_(owner.mirrored_ ? owner.topology_.nodes() : 1),
        open_(channels_ + owner.layers_.size() * most_lanes * states_),
        done_(open_.size()) {}

  /// Depth first. Returns: a cycle, not the shortest; empty when there is none.
  std::vector<Vertex> cycle() {
    for (std::size_t channel = 0; channel < channels_; ++channel)
      if (owner_.escapes_[channel]) {
        std::vector<Vertex> found = cycle_from({static_cast<int>(channel), -1, any});
        if (!found.empty()) return found;
      }
    return {};
  }

  /// Breadth first. Returns: the shortest cycle through a vertex that is on a cycle.
  std::vector<Vertex> shortest(const Vertex& start) {
    std::vector<bool> seen(open_.size());
    std::vector<std::pair<Vertex, std::size_t>> queue{
        {start, 0}};  // vertex, its predecessor in the queue
    for (std::size_t i = 0; i < queue.size(); ++i) {
      next_.clear();
      const Vertex from = queue[i].first;
      for (int part = 0; part < parts(from); ++part) successors(from, part);
      for (const Vertex& to : next_) {
        if (seen[place(to)]) continue;
        seen[place(to)] = true;
        if (place(to) == place(start)) return way_to(i, queue);
        queue.emplace_back(to, i);
      }
    }
    return {};
  }

 private:
  struct Frame {
    Vertex vertex;
    int part;           // the part whose successors are followed next
    std::size_t first;  // its index in `next_`
  };

  std::size_t place(const Vertex& vertex) const {
    if (vertex.layer == any) return index(vertex.channel);
    return channels_ + index(vertex.layer) * states_ + index(vertex.state);
  }

  /// Successors of a vertex are found part by part: for an escape, those of one walk's lanes in one
  /// image; for a state, all.
  int parts(const Vertex& vertex) const {
    return vertex.layer == any ? images_ * static_cast<int>(owner_.layers_.size()) : 1;
  }

  /// Appends a part of the successors to `next_`.
  void successors(const Vertex& vertex, int part) {
    if (vertex.layer == any)
      holders(vertex, part);
    else
      candidates(vertex);
  }

  /// The states of packets that hold an escape.
  void holders(const Vertex& vertex, int part) {
    const int walks = static_cast<int>(owner_.layers_.size());
    const auto walk = index(part % walks);
    const int channel = owner_.image(vertex.channel, NodeId(part / walks));
    const std::vector<Lanes>& held = owner_.held_[index(channel)];
    if (walk >= held.size()) return;
    for (Lanes left = held[walk]; left != 0; left &= left - 1)
      append({channel, owner_.states_.after(channel),
              static_cast<int>(walk) * most_lanes + first_lane(left)});
  }

  /// Adds a successor unless it is done, because then it leads to no cycle.
  void append(const Vertex& vertex) {
    if (!done_[place(vertex)]) next_.push_back(vertex);
  }

  /// The next channels of the packets of a layer in a state.
  void candidates(const Vertex& vertex) {
    const NodeId here = owner_.states_.node(vertex.state);
    const auto layer = index(vertex.layer);
    route_.clear();
    owner_.routing_.route(here, owner_.states_.arrival(vertex.state),
                          owner_.layers_[layer / most_lanes][layer % most_lanes], route_);
    for (const Candidate& candidate : route_.candidates()) {
      if (candidate.local()) continue;
      const ChannelId channel = owner_.topology_.channel_out(here, candidate.port);
      const int next = owner_.graph_.vertex(channel, candidate.vc_class);
      append(candidate.escape ? Vertex{owner_.image(next, NodeId(0)), -1, any}
                              : Vertex{next, owner_.states_.after(next), vertex.layer});
    }
  }

  void enter(const Vertex& vertex) {
    open_[place(vertex)] = true;
    frames_.push_back({vertex, 0, next_.size()});
  }

  std::vector<Vertex> cycle_from(const Vertex& root) {
    if (done_[place(root)]) return {};
    enter(root);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (next_.size() > top.first) {
        const Vertex to = next_.back();
        next_.pop_back();
        if (open_[place(to)]) return way_from(to);
        if (!done_[place(to)]) enter(to);
      } else if (top.part < parts(top.vertex)) {
        successors(top.vertex, top.part++);
      } else {
        open_[place(top.vertex)] = false;
        done_[place(top.vertex)] = true;
        frames_.pop_back();
      }
    }
    return {};
  }

  /// The vertices of the frames from the one of `start` on.
  std::vector<Vertex> way_from(const Vertex& start) const {
    std::vector<Vertex> way;
    for (const Frame& frame : frames_)
      if (!way.empty() || place(frame.vertex) == place(start)) way.push_back(frame.vertex);
    way.front() = start;  // by the channel that closes the cycle
    return way;
  }

  static std::vector<Vertex> way_to(std::size_t last,
                                    const std::vector<std::pair<Vertex, std::size_t>>& queue) {
    std::vector<Vertex> way;
    for (std::size_t i = last; i != 0; i = queue[i].second) way.push_back(queue[i].first);
    way.push_back(queue[0].first);
    std::reverse(way.begin(), way.end());
    return way;
  }

  const EscapeCheck& owner_;
  std::size_t channels_;
  std::size_t states_;
  int images_;
  std::vector<bool> open_;  // Shape: [vertices + layers * states]
  std::vector<bool> done_;  // the same
  std::vector<Frame> frames_;
  std::vector<Vertex> next_;  // successors left to follow, frame after frame
  Route route_;               // scratch
};

std::vector<int> EscapeCheck::cycle() const {
  Search search(*this);
  std::vector<Vertex> cycle = search.cycle();
  const auto escape = std::find_if(cycle.begin(), cycle.end(),
                                   [](const Vertex& vertex) { return vertex.layer == any; });
  const bool through_escapes = escape != cycle.end();
  if (through_escapes) cycle = search.shortest(*escape);
  std::vector<int> channels;
  for (const Vertex& vertex : cycle)
    if (vertex.layer == any || !through_escapes) channels.push_back(vertex.channel);
  return channels;
}

}  // namespace flitwave
