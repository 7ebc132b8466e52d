// algorithms/escape_check.cpp: see escape_check.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/escape_check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave {

EscapeCheck::EscapeCheck(const Topology& topology, const RoutingFunction& routing,
                         const DependencyGraph& graph, bool mirrored)
    : topology_(topology),
      routing_(routing),
      graph_(graph),
      mirrored_(mirrored),
      held_(static_cast<std::size_t>(graph.vertices())),
      escapes_(static_cast<std::size_t>(graph.vertices())),
      leads_here_(static_cast<std::size_t>(graph.vertices())) {}

NodeId EscapeCheck::end_of(int vertex) const {
  return topology_.channel(graph_.virtual_channel(vertex).channel).to;
}

int EscapeCheck::vertex(NodeId here, const Candidate& candidate) const {
  return graph_.vertex(topology_.channel_out(here, candidate.port), candidate.vc_class);
}

/// Where mirrored, the virtual channel of the same dimension and class that leaves `node`.
int EscapeCheck::image(int vertex, NodeId node) const {
  if (!mirrored_) return vertex;
  const VirtualChannel held = graph_.virtual_channel(vertex);
  const int dimension = Grid::port_dimension(topology_.channel(held.channel).from_port);
  return graph_.vertex(cube_channel(topology_, node, dimension), held.vc_class);
}

void EscapeCheck::route(NodeId here, const Arrival& arrival, const Header& header) const {
  route_.clear();
  routing_.route(here, arrival, header, route_);
}

void EscapeCheck::route(int held, const Header& header) const {
  const VirtualChannel channel = graph_.virtual_channel(held);
  const ChannelEnds& ends = topology_.channel(channel.channel);
  route(ends.to, {ends.to_port, channel.vc_class}, header);
}

void EscapeCheck::add(const Header& header, const std::vector<int>& held,
                      const std::vector<NodeId>& sources) {
  const std::size_t layer = layers_.size();
  layers_.push_back(header);
  for (int vertex : held) {
    std::vector<bool>& by = held_[static_cast<std::size_t>(vertex)];
    if (by.size() <= layer) by.resize(2 * layer + 64);
    by[layer] = true;
  }
  find_gap(header, held, sources);
}

/// Follows the escapes backwards from where packets are delivered; who is not met has none. Marks
/// what is an escape on the way.
void EscapeCheck::find_gap(const Header& header, const std::vector<int>& held,
                           const std::vector<NodeId>& sources) {
  std::vector<int> saved;
  std::vector<bool> seen(escapes_.size());
  for (int vertex : held) leads_here_[static_cast<std::size_t>(vertex)].clear();
  for (int from : held) {
    route(from, header);
    for (const Candidate& candidate : route_.candidates()) {
      if (candidate.local()) {
        saved.push_back(from);
        seen[static_cast<std::size_t>(from)] = true;
      } else if (candidate.escape) {
        const auto next = static_cast<std::size_t>(vertex(end_of(from), candidate));
        escapes_[static_cast<std::size_t>(image(static_cast<int>(next), NodeId(0)))] = true;
        leads_here_[next].push_back(from);
      }
    }
  }
  for (std::size_t i = 0; i < saved.size(); ++i)
    for (int from : leads_here_[static_cast<std::size_t>(saved[i])]) {
      if (seen[static_cast<std::size_t>(from)]) continue;
      seen[static_cast<std::size_t>(from)] = true;
      saved.push_back(from);
    }
  const auto require = [&](bool leads_on, NodeId node) {
    if (!leads_on && gap_.empty())
      gap_ = fmt::format("no escape leads from node {} to node {}", topology_.label(node),
                         topology_.label(header.destination));
  };
  for (int vertex : held) require(seen[static_cast<std::size_t>(vertex)], end_of(vertex));
  for (NodeId source : sources) {
    if (source == header.destination) continue;
    route(source, {}, header);
    bool leads_on = false;
    for (const Candidate& candidate : route_.candidates()) {
      if (!candidate.escape) continue;
      const auto next = static_cast<std::size_t>(vertex(source, candidate));
      escapes_[static_cast<std::size_t>(image(static_cast<int>(next), NodeId(0)))] = true;
      leads_on = leads_on || seen[next];
    }
    require(leads_on, source);
  }
}

/// Looks for a circle in a graph that is larger than the one of extended dependencies, and has a
/// circle through an escape channel whenever that one has: beside the escape channels it has every
/// channel once for each layer, as a stop between two escapes of a packet.
class EscapeCheck::Search {
 public:
  explicit Search(const EscapeCheck& owner)
      : owner_(owner),
        channels_(owner.escapes_.size()),
        layers_(static_cast<int>(owner.layers_.size())),
        images_(owner.mirrored_ ? owner.topology_.nodes() : 1),
        open_((owner.layers_.size() + 1) * channels_),
        done_(open_.size()) {}

  /// Depth first. Returns: a circle, not the shortest; empty when there is none.
  std::vector<Vertex> circle() {
    for (std::size_t channel = 0; channel < channels_; ++channel)
      if (owner_.escapes_[channel]) {
        std::vector<Vertex> found = circle_from({static_cast<int>(channel), any});
        if (!found.empty()) return found;
      }
    return {};
  }

  /// Breadth first. Returns: the shortest circle through a vertex that lies on one.
  std::vector<Vertex> shortest(Vertex start) {
    std::vector<bool> seen(open_.size());
    std::vector<std::pair<Vertex, std::size_t>> queue{{start, 0}};  // vertex, whence in the queue
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Vertex from = queue[i].first;
      for (int holder = next_holder(from, any); holder != any; holder = next_holder(from, holder)) {
        next_.clear();
        successors(from, holder);
        for (const Vertex to : next_) {
          if (seen[place(to)]) continue;
          seen[place(to)] = true;
          if (place(to) == place(start)) return way_to(i, queue);
          queue.emplace_back(to, i);
        }
      }
    }
    return {};
  }

 private:
  struct Frame {
    Vertex vertex;
    int holder;         // whose successors are being followed
    std::size_t first;  // of `next_`
  };

  std::size_t place(Vertex vertex) const {
    return static_cast<std::size_t>(vertex.layer + 1) * channels_ +
           static_cast<std::size_t>(vertex.channel);
  }

  /// The channel that packets of a holder hold at a vertex. Holders of an escape are numbered
  /// image * layers + layer.
  int held_by(Vertex vertex, int holder) const {
    if (vertex.layer != any) return vertex.channel;
    return owner_.image(vertex.channel, NodeId(holder / layers_));
  }

  /// The holder after `holder` of a vertex; `any` when there is none left.
  int next_holder(Vertex vertex, int holder) const {
    if (vertex.layer != any) return holder == any ? vertex.layer : any;
    while (++holder < images_ * layers_) {
      const auto layer = static_cast<std::size_t>(holder % layers_);
      const auto channel = static_cast<std::size_t>(held_by(vertex, holder));
      const std::vector<bool>& held = owner_.held_[channel];
      if (layer < held.size() && held[layer]) return holder;
    }
    return any;
  }

  /// Appends to `next_` what packets of a holder may take next.
  void successors(Vertex vertex, int holder) {
    const int channel = held_by(vertex, holder);
    const int layer = holder % layers_;
    owner_.route(channel, owner_.layers_[static_cast<std::size_t>(layer)]);
    for (const Candidate& candidate : owner_.route_.candidates()) {
      if (candidate.local()) continue;
      const int next = owner_.vertex(owner_.end_of(channel), candidate);
      next_.push_back(candidate.escape ? Vertex{owner_.image(next, NodeId(0)), any}
                                       : Vertex{next, layer});
    }
  }

  void enter(Vertex vertex) {
    open_[place(vertex)] = true;
    frames_.push_back({vertex, any, next_.size()});
  }

  std::vector<Vertex> circle_from(Vertex root) {
    if (done_[place(root)]) return {};
    enter(root);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (next_.size() > top.first) {
        const Vertex to = next_.back();
        next_.pop_back();
        if (open_[place(to)]) return way_from(to);
        if (!done_[place(to)]) enter(to);
        continue;
      }
      top.holder = next_holder(top.vertex, top.holder);
      if (top.holder != any) {
        successors(top.vertex, top.holder);
        continue;
      }
      open_[place(top.vertex)] = false;
      done_[place(top.vertex)] = true;
      frames_.pop_back();
    }
    return {};
  }

  /// The vertices of the frames from the one of `start` on.
  std::vector<Vertex> way_from(Vertex start) const {
    std::vector<Vertex> way;
    for (const Frame& frame : frames_)
      if (!way.empty() || place(frame.vertex) == place(start)) way.push_back(frame.vertex);
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
  int layers_;
  int images_;
  std::vector<bool> open_;  // Shape: [layers + 1][vertices]
  std::vector<bool> done_;  // Shape: [layers + 1][vertices]
  std::vector<Frame> frames_;
  std::vector<Vertex> next_;  // successors left to follow, one frame's after the other's
};

std::vector<int> EscapeCheck::circle() const {
  Search search(*this);
  std::vector<Vertex> circle = search.circle();
  const auto escape = std::find_if(circle.begin(), circle.end(),
                                   [](const Vertex& vertex) { return vertex.layer == any; });
  const bool through_escapes = escape != circle.end();
  if (through_escapes) circle = search.shortest(*escape);
  std::vector<int> channels;
  for (const Vertex& vertex : circle)
    if (vertex.layer == any || !through_escapes) channels.push_back(vertex.channel);
  return channels;
}

}  // namespace flitwave
