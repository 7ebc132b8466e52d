// algorithms/edn/torus_3d.cpp: 3D tori of 2^d x 2^d x z, plane by plane.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/edn/shapes.hpp"
#include "algorithms/edn/torus_2d.hpp"

namespace flitwave {
namespace {

/// Planes first .. first + count - 1, to be served by a holder in one of them.
struct Zone {
  BlockPoint holder;
  int first;
  int count;
};

/// A part of a zone that another node is to serve, by its plane nearest to the holder.
struct Part {
  int first;
  int count;
  int plane;
  int away;  // distance in planes, negative towards smaller z
};

class Zones {
 public:
  Zones(int width, int depth, const BlockPoint& source)
      : width_(width), depth_(depth), zones_{{source, 0, depth}} {}

  /// One node in every plane: seven zones in the first step, six in the later ones, which use no
  /// wrap channels.
  std::vector<BlockLinks> run() {
    std::vector<BlockLinks> steps;
    while (std::any_of(zones_.begin(), zones_.end(), [](const Zone& z) { return z.count > 1; }))
      steps.push_back(step(steps.empty()));
    return steps;
  }

  std::vector<BlockPoint> holders() const {
    std::vector<BlockPoint> found;
    for (const Zone& zone : zones_) found.push_back(zone.holder);
    return found;
  }

 private:
  BlockLinks step(bool wraps) {
    BlockLinks links;
    std::vector<Zone> fresh;
    for (const Zone& zone : zones_) divide(zone, wraps, links, fresh);
    zones_ = std::move(fresh);
    return links;
  }

  /// Divides a zone into parts of nearly the same size, larger ones first; the holder keeps its
  /// own.
  void divide(const Zone& zone, bool wraps, BlockLinks& links, std::vector<Zone>& fresh) const {
    const int parts = std::min(wraps ? 7 : 6, zone.count);
    std::vector<Part> foreign;
    int first = zone.first;
    for (int part = 0; part < parts; ++part) {
      const int count = zone.count / parts + (part < zone.count % parts ? 1 : 0);
      if (zone.holder[2] >= first && zone.holder[2] < first + count)
        fresh.push_back({zone.holder, first, count});
      else
        foreign.push_back(nearest_plane({first, count, first, 0}, zone.holder[2], wraps));
      first += count;
    }
    hand_out(foreign, zone.holder, links, fresh);
  }

  Part nearest_plane(Part part, int from, bool wraps) const {
    part.away = away(from, part.first, wraps);
    for (int plane = part.first + 1; plane < part.first + part.count; ++plane)
      if (std::abs(away(from, plane, wraps)) < std::abs(part.away)) {
        part.plane = plane;
        part.away = away(from, plane, wraps);
      }
    return part;
  }

  /// The distance in planes from one to another, on a ring in the shorter direction; upwards in a
  /// tie.
  int away(int from, int to, bool wraps) const {
    if (!wraps) return to - from;
    const int up = (to - from + depth_) % depth_;
    return 2 * up <= depth_ ? up : up - depth_;
  }

  /// In either direction, the farthest part is reached along the holder's column, and every other
  /// one along a column one hop aside.
  void hand_out(const std::vector<Part>& parts, const BlockPoint& holder, BlockLinks& links,
                std::vector<Zone>& fresh) const {
    static constexpr std::array<std::array<int, 2>, 4> aside{{{+1, 0}, {-1, 0}, {0, +1}, {0, -1}}};
    int up = 0;
    int down = 0;
    for (const Part& part : parts) {
      up = std::max(up, part.away);
      down = std::min(down, part.away);
    }
    std::size_t column = 0;
    for (const Part& part : parts) {
      BlockPoint target{holder[0], holder[1], part.plane};
      if (part.away != up && part.away != down) {
        for (const std::size_t dimension : {0u, 1u})
          target[dimension] = (target[dimension] + aside[column][dimension] + width_) % width_;
        ++column;
      }
      links.push_back({holder, target});
      fresh.push_back({target, part.first, part.count});
    }
  }

  int width_;
  int depth_;
  std::vector<Zone> zones_;
};

bool torus_3d_covers(const Topology& topology) {
  const std::vector<int> extents = torus_extents(topology);
  return extents.size() == 3 && extents[0] == extents[1] && power_of(2, extents[0], 4);
}

/// Three in a plane; between planes one for each zone except the holder's own.
int torus_3d_ports(const Topology& topology) {
  return std::max(3, std::min(topology.grid()->extent(2), 7) - 1);
}

EdnSteps torus_3d_steps(NodeId source, const CollectiveContext& network) {
  const Grid& grid = *network.topology.grid();
  const int width = grid.extent(0);
  Zones zones(width, grid.extent(2),
              {grid.coordinate(source, 0), grid.coordinate(source, 1), grid.coordinate(source, 2)});
  std::vector<BlockLinks> steps = zones.run();
  const std::size_t planes_from = steps.size();
  for (const BlockPoint& holder : zones.holders()) {
    const std::vector<BlockLinks> plane = torus_plane_steps(width, holder);
    steps.resize(planes_from + plane.size());
    for (std::size_t step = 0; step < plane.size(); ++step)
      steps[planes_from + step].insert(steps[planes_from + step].end(), plane[step].begin(),
                                       plane[step].end());
  }
  return on_grid(steps, grid);
}

}  // namespace

EdnShape edn_on_3d_tori() {
  return {"3D tori of (4 * 2^k) x (4 * 2^k) x any depth", torus_3d_covers, torus_3d_ports,
          torus_3d_steps};
}

}  // namespace flitwave
