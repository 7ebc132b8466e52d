// algorithms/deadlock.cpp: the channel dependency graph, walked destination by destination.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/deadlock.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

/// Which virtual channel waits for which; all that a channel can wait for leave one node.
class DependencyGraph {
 public:
  DependencyGraph(const Topology& topology, int classes)
      : topology_(topology),
        classes_(classes),
        words_((static_cast<std::size_t>(topology.port_limit() * classes) + 63) / 64),
        waits_(static_cast<std::size_t>(topology.channels() * classes) * words_, 0) {}

  int vertices() const { return topology_.channels() * classes_; }
  int vertex(ChannelId channel, int vc_class) const {
    return channel.value() * classes_ + vc_class;
  }
  VirtualChannel virtual_channel(int vertex) const {
    return {ChannelId(vertex / classes_), vertex % classes_};
  }

  /// A packet in `held` waits for a class of the channel that leaves by `port`.
  void add(int held, PortId port, int vc_class) {
    const auto bit = static_cast<std::size_t>(port.value() * classes_ + vc_class);
    waits_[static_cast<std::size_t>(held) * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }

  std::vector<int> successors(int held) const {
    std::vector<int> found;
    const NodeId node = topology_.channel(virtual_channel(held).channel).to;
    for (int bit = 0; bit < topology_.port_limit() * classes_; ++bit) {
      const auto at = static_cast<std::size_t>(bit);
      if ((waits_[static_cast<std::size_t>(held) * words_ + at / 64] >> at % 64 & 1) != 0)
        found.push_back(
            vertex(topology_.channel_out(node, PortId(bit / classes_)), bit % classes_));
    }
    return found;
  }

  std::int64_t edges() const {
    std::int64_t count = 0;
    for (std::uint64_t word : waits_)
      count += static_cast<std::int64_t>(std::bitset<64>(word).count());
    return count;
  }

 private:
  const Topology& topology_;
  int classes_;
  std::size_t words_;
  std::vector<std::uint64_t> waits_;  // bits: port * classes + class. Shape: [vertices][words]
};

/// Follows packets to one destination after another through the states they can be in. A state is
/// opened once per destination.
class Walk {
 public:
  Walk(const Topology& topology, const RoutingFunction& routing, DependencyGraph& graph)
      : topology_(topology),
        routing_(routing),
        graph_(graph),
        classes_(routing.vc_classes()),
        states_(static_cast<std::size_t>(graph.vertices())) {
    for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
      const VirtualChannel held = graph.virtual_channel(vertex);
      const ChannelEnds& ends = topology.channel(held.channel);
      State& state = states_[static_cast<std::size_t>(vertex)];
      state.here = ends.to;
      state.arrival = {ends.to_port, held.vc_class};
    }
  }

  /// Follows the packets that carry `choice`, to every destination.
  /// Throws: ConfigError when a packet can get to where no way leads to the destination.
  void all(std::uint32_t choice) {
    std::vector<NodeId> sources;
    for (int node = 0; node < topology_.nodes(); ++node)
      if (routing_.may_choose(NodeId(node), choice)) sources.push_back(NodeId(node));
    for (int node = 0; node < topology_.nodes(); ++node) to(NodeId(node), choice, sources);
  }

  std::int64_t visited() const { return visited_; }

 private:
  /// A head that has just crossed a virtual channel.
  struct State {
    NodeId here;
    Arrival arrival;
    std::uint32_t round = 0;  ///< The last destination for which the state was opened.
    bool arrives = false;     ///< In that round: some way from here leads to the destination.
  };

  /// A state whose candidates are being followed: next .. end of `candidates_`.
  struct Frame {
    int vertex;
    std::size_t first;
    std::size_t next;
    std::size_t end;
    bool arrives;
  };

  static constexpr int injected = -1;

  void to(NodeId destination, std::uint32_t choice, const std::vector<NodeId>& sources) {
    ++round_;
    lost_.clear();
    for (NodeId source : sources) {
      if (source == destination) continue;
      header_ = {source, destination, choice};
      if (!follow(source)) refuse(source);
    }
    settle_lost();
  }

  /// Opens all states that a packet from `source` can reach. False when it has nowhere to go.
  bool follow(NodeId source) {
    open(injected, source, {});
    const bool moves = frames_.back().first != frames_.back().end;
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (top.next == top.end) {
        close();
        continue;
      }
      const int next = candidates_[top.next++];
      const State& state = states_[static_cast<std::size_t>(next)];
      if (state.round == round_)
        top.arrives = top.arrives || state.arrives;
      else
        enter(next);
    }
    return moves;
  }

  void enter(int vertex) {
    State& state = states_[static_cast<std::size_t>(vertex)];
    state.round = round_;
    state.arrives = false;
    ++visited_;
    open(vertex, state.here, state.arrival);
  }

  void open(int vertex, NodeId here, const Arrival& arrival) {
    const std::size_t first = candidates_.size();
    bool arrives = false;
    route_.clear();
    routing_.route(here, arrival, header_, route_);
    for (const Candidate& candidate : route_.candidates()) {
      if (candidate.local()) {
        check(here == header_.destination, "delivers", here);
        arrives = true;
        continue;
      }
      const bool has_port = candidate.port.value() < topology_.port_limit();
      const ChannelId channel =
          has_port ? topology_.channel_out(here, candidate.port) : ChannelId();
      check(channel.valid(), "leaves by a port without a channel", here);
      check(candidate.vc_class >= 0 && candidate.vc_class < classes_,
            "uses a class of virtual channels that it does not declare", here);
      if (vertex != injected) graph_.add(vertex, candidate.port, candidate.vc_class);
      candidates_.push_back(graph_.vertex(channel, candidate.vc_class));
    }
    frames_.push_back({vertex, first, first, candidates_.size(), arrives});
  }

  void close() {
    const Frame done = frames_.back();
    frames_.pop_back();
    candidates_.resize(done.first);
    if (done.vertex == injected) return;
    if (done.arrives)
      states_[static_cast<std::size_t>(done.vertex)].arrives = true;
    else
      lost_.emplace_back(done.vertex, header_.source);
    frames_.back().arrives = frames_.back().arrives || done.arrives;
  }

  /// A state closed before the states of a circle behind it may arrive after all.
  void settle_lost() {
    std::size_t before = lost_.size() + 1;
    while (!lost_.empty() && lost_.size() < before) {
      before = lost_.size();
      std::vector<std::pair<int, NodeId>> still;
      for (const auto& [vertex, source] : lost_)
        if (!leads_to_arriving(vertex)) still.emplace_back(vertex, source);
      lost_ = std::move(still);
    }
    if (!lost_.empty()) refuse(lost_.front().second);
  }

  bool leads_to_arriving(int vertex) {
    enter(vertex);
    --visited_;
    const Frame frame = frames_.back();
    frames_.pop_back();
    bool arrives = frame.arrives;
    for (std::size_t i = frame.first; i < frame.end; ++i)
      arrives = arrives || states_[static_cast<std::size_t>(candidates_[i])].arrives;
    candidates_.resize(frame.first);
    states_[static_cast<std::size_t>(vertex)].arrives = arrives;
    return arrives;
  }

  [[noreturn]] void refuse(NodeId source) const {
    throw ConfigError("routing",
                      fmt::format("packets from node {} can miss node {} for ever",
                                  topology_.label(source), topology_.label(header_.destination)),
                      "use a routing that reaches every node, e.g. kind: shortest_path");
  }

  void check(bool holds, const char* fault, NodeId here) const {
    if (holds) return;
    throw ModelError(fmt::format("the routing function {} at node {}, for a packet to node {}",
                                 fault, topology_.label(here),
                                 topology_.label(header_.destination)));
  }

  const Topology& topology_;
  const RoutingFunction& routing_;
  DependencyGraph& graph_;
  int classes_;
  Header header_;
  Route route_;
  std::uint32_t round_ = 0;
  std::int64_t visited_ = 0;
  std::vector<State> states_;                 // Shape: [vertices]
  std::vector<Frame> frames_;                 // the states on the way to the current one
  std::vector<int> candidates_;               // theirs, one frame's after the other's
  std::vector<std::pair<int, NodeId>> lost_;  // state, and the source that led there
};

/// A vertex on a circle, or -1.
int vertex_on_circle(const DependencyGraph& graph) {
  enum class Mark : char { fresh, open, done };
  std::vector<Mark> marks(static_cast<std::size_t>(graph.vertices()), Mark::fresh);
  std::vector<std::pair<int, std::vector<int>>> stack;  // vertex, successors left
  for (int root = 0; root < graph.vertices(); ++root) {
    if (marks[static_cast<std::size_t>(root)] != Mark::fresh) continue;
    marks[static_cast<std::size_t>(root)] = Mark::open;
    stack.emplace_back(root, graph.successors(root));
    while (!stack.empty()) {
      auto& [vertex, left] = stack.back();
      if (left.empty()) {
        marks[static_cast<std::size_t>(vertex)] = Mark::done;
        stack.pop_back();
        continue;
      }
      const int next = left.back();
      left.pop_back();
      Mark& mark = marks[static_cast<std::size_t>(next)];
      if (mark == Mark::open) return next;
      if (mark == Mark::done) continue;
      mark = Mark::open;
      stack.emplace_back(next, graph.successors(next));
    }
  }
  return -1;
}

/// The shortest circle through a vertex that lies on one.
std::vector<VirtualChannel> shortest_circle(const DependencyGraph& graph, int start) {
  std::vector<int> before(static_cast<std::size_t>(graph.vertices()), -1);
  std::vector<int> queue{start};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (int next : graph.successors(queue[i])) {
      if (before[static_cast<std::size_t>(next)] >= 0) continue;
      before[static_cast<std::size_t>(next)] = queue[i];
      if (next != start) {
        queue.push_back(next);
        continue;
      }
      std::vector<VirtualChannel> circle{graph.virtual_channel(start)};
      for (int at = queue[i]; at != start; at = before[static_cast<std::size_t>(at)])
        circle.push_back(graph.virtual_channel(at));
      std::reverse(circle.begin() + 1, circle.end());
      return circle;
    }
  throw ModelError("no circle of dependencies runs through the vertex");
}

}  // namespace

std::string to_string(DependencyVerdict verdict) {
  return verdict == DependencyVerdict::acyclic ? "acyclic" : "cyclic";
}

std::string DependencyReport::text(const Topology& topology) const {
  std::string text = to_string(verdict);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    text += fmt::format("{}{} class {}", i == 0 ? ": " : " -> ", topology.label(cycle[i].channel),
                        cycle[i].vc_class);
  return text;
}

DependencyReport check_dependencies(const Topology& topology, const RoutingFunction& routing) {
  DependencyGraph graph(topology, routing.vc_classes());
  Walk walk(topology, routing, graph);
  for (std::uint32_t choice : routing.all_choices()) walk.all(choice);

  DependencyReport report;
  report.dependencies = graph.edges();
  report.visited = walk.visited();
  const int start = vertex_on_circle(graph);
  if (start >= 0) {
    report.verdict = DependencyVerdict::cyclic;
    report.cycle = shortest_circle(graph, start);
  }
  return report;
}

}  // namespace flitwave
