// algorithms/edn/torus_2d.cpp: Y-, T- and F-patterns on 2D tori of width 2^d.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/torus_2d.hpp"

#include <array>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/edn/shapes.hpp"

namespace flitwave {
namespace {

struct Offset {
  int x;
  int y;
};
using Pattern3 = std::array<Offset, 3>;

/// In units of the spacing. A node's part in a T-pattern is its part in the Y-pattern: the sender,
/// or its first, second or third target.
constexpr Pattern3 y_pattern{{{-1, -1}, {0, +2}, {+2, 0}}};
constexpr Pattern3 f_pattern{{{-1, +1}, {0, +1}, {+1, 0}}};
constexpr std::array<Pattern3, 4> t_patterns{{{{{-1, +1}, {0, +1}, {+1, 0}}},
                                              {{{-1, -1}, {0, +1}, {+2, 0}}},
                                              {{{-1, 0}, {0, +1}, {+1, 0}}},
                                              {{{-1, +1}, {0, -1}, {0, +1}}}}};

/// Nodes that have the message, and their parts in the next T-pattern.
class PlaneBroadcast {
 public:
  PlaneBroadcast(int width, const BlockPoint& source) : width_(width), holders_{{source, 0}} {}

  std::vector<BlockLinks> run() {
    const bool power_of_four = power_of(4, width_, 4).has_value();
    for (int spacing = width_ / 4; spacing >= (power_of_four ? 1 : 2); spacing /= 4) {
      step([](int) { return y_pattern; }, spacing);
      step([](int part) { return t_patterns[index(part)]; }, spacing);
      for (Holder& holder : holders_) holder.part = 0;
    }
    if (!power_of_four) step([](int) { return f_pattern; }, 1);
    return std::move(steps_);
  }

 private:
  struct Holder {
    BlockPoint at;
    int part;
  };

  int wrapped(int at) const { return (at % width_ + width_) % width_; }

  template <class PatternOf>
  void step(PatternOf pattern_of, int spacing) {
    steps_.emplace_back();
    const std::vector<Holder> senders = holders_;
    for (const Holder& sender : senders) {
      int part = 0;
      for (const Offset& offset : pattern_of(sender.part)) {
        const BlockPoint target{wrapped(sender.at[0] + spacing * offset.x),
                                wrapped(sender.at[1] + spacing * offset.y), sender.at[2]};
        steps_.back().push_back({sender.at, target});
        holders_.push_back({target, ++part});
      }
    }
  }

  int width_;
  std::vector<Holder> holders_;
  std::vector<BlockLinks> steps_;
};

bool torus_2d_covers(const Topology& topology) {
  const std::vector<int> extents = torus_extents(topology);
  return extents.size() == 2 && extents[0] == extents[1] && power_of(2, extents[0], 4);
}

int torus_2d_ports(const Topology&) { return 3; }

EdnSteps torus_2d_steps(NodeId source, const CollectiveContext& network) {
  const Grid& grid = *network.topology.grid();
  const BlockPoint at{grid.coordinate(source, 0), grid.coordinate(source, 1), 0};
  return on_grid(torus_plane_steps(grid.extent(0), at), grid);
}

}  // namespace

std::vector<BlockLinks> torus_plane_steps(int width, const BlockPoint& source) {
  return PlaneBroadcast(width, source).run();
}

std::vector<std::vector<EdsLink>> on_grid(const std::vector<BlockLinks>& steps, const Grid& grid) {
  const auto node = [&](const BlockPoint& point) {
    return grid.node({point.begin(), point.begin() + grid.dimensions()});
  };
  std::vector<std::vector<EdsLink>> found;
  for (const BlockLinks& links : steps) {
    found.emplace_back();
    for (const BlockLink& link : links)
      found.back().push_back({node(link.parent), node(link.child)});
  }
  return found;
}

EdnShape edn_on_2d_tori() {
  return {"2D tori of width 4 * 2^k", torus_2d_covers, torus_2d_ports, torus_2d_steps};
}

}  // namespace flitwave
