// topologies/faults/random_faults.cpp: random sets, until one is valid.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/faults/random_faults.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

using LinkEnds = std::pair<NodeId, NodeId>;

constexpr int most_draws = 100000;

/// The nodes and links that may be faulty, found once.
class FaultDraw {
 public:
  FaultDraw(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted)
      : topology_(topology), listed_(listed), wanted_(wanted) {
    for (int i = 0; i < topology.nodes(); ++i) {
      const NodeId node(i);
      const bool spared =
          std::find(wanted.spared.begin(), wanted.spared.end(), node) != wanted.spared.end();
      if (!spared && listed.onset(node) == FaultSet::never) nodes_.push_back(node);
    }
    for (int i = 0; i < topology.channels(); ++i) {
      const ChannelEnds& ends = topology.channel(ChannelId(i));
      if (listed.onset(ChannelId(i)) == FaultSet::never)
        links_.push_back(std::minmax(ends.from, ends.to));
    }
    std::sort(links_.begin(), links_.end());
    links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
    require("nodes", wanted.nodes, nodes_.size());
  }

  FaultSet draw(Random& random) const {
    FaultSet faults = listed_;
    for (int place : random.sample(static_cast<int>(nodes_.size()), wanted_.nodes))
      faults.break_node(topology_, nodes_[index(place)]);
    if (wanted_.links == 0) return faults;
    std::vector<LinkEnds> links;
    for (const LinkEnds& link : links_)
      if (!faults.broken(link.first) && !faults.broken(link.second)) links.push_back(link);
    require("links", wanted_.links, links.size());
    for (int place : random.sample(static_cast<int>(links.size()), wanted_.links)) {
      const LinkEnds& link = links[index(place)];
      faults.break_link(topology_, link.first, link.second);
    }
    return faults;
  }

  bool valid(const FaultSet& faults) const {
    return static_cast<int>(faults.nodes().size()) < topology_.nodes() &&
           fault_violations(topology_, faults).empty();
  }

 private:
  static void require(const char* what, int requested, std::size_t possible) {
    if (index(requested) > possible)
      throw ConfigError(fmt::format("faults.random.{}", what),
                        fmt::format("{} faulty {} are requested; at most {} are possible",
                                    requested, what, possible),
                        fmt::format("use {} or fewer", possible));
  }

  const Topology& topology_;
  const FaultSet& listed_;
  const RandomFaults& wanted_;
  std::vector<NodeId> nodes_;    // ascending
  std::vector<LinkEnds> links_;  // ascending
};

}  // namespace

FaultSet draw_faults(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                     Random& random) {
  const FaultDraw sets(topology, listed, wanted);
  for (int draw = 0; draw < most_draws; ++draw) {
    FaultSet faults = sets.draw(random);
    if (!wanted.valid || sets.valid(faults)) return faults;
  }
  throw ConfigError("faults.random",
                    fmt::format("none of {} random sets of {} nodes and {} links is valid",
                                most_draws, wanted.nodes, wanted.links),
                    "use fewer, list them, or set faults.condition: warn");
}

int count_valid_draws(const Topology& topology, const FaultSet& listed, const RandomFaults& wanted,
                      int draws, Random& random) {
  const FaultDraw sets(topology, listed, wanted);
  int valid = 0;
  for (int draw = 0; draw < draws; ++draw)
    if (sets.valid(sets.draw(random))) ++valid;
  return valid;
}

}  // namespace flitwave
