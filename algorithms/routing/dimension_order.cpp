// algorithms/routing/dimension_order.cpp: one dimension after the other: XY, e-cube, torus rings.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/grid/axis_order.hpp"
#include "algorithms/grid/grid_walk.hpp"
#include "algorithms/path_multicast/columns.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {
namespace {

enum class Ties { positive, negative, random, source_parity };
std::vector<std::string> names_of(Ties) {
  return {"positive", "negative", "random", "source_parity"};
}

enum class VcRule { remaining_wrap, after_crossing, at_ring_entry, none };
std::vector<std::string> names_of(VcRule) {
  return {"remaining_wrap", "after_crossing", "at_ring_entry", "none"};
}

struct DimensionOrderParams {
  std::vector<int> order;
  Direction direction = Direction::minimal;
  Ties ties = Ties::positive;
  VcRule vc_rule = VcRule::remaining_wrap;
};

/// The directions of packets in one dimension.
struct Axis {
  enum class Way { line, shorter, up, down };  ///< `line` never wraps; up: to greater coordinates.

  int dimension = 0;
  int extent = 1;
  bool wraps = false;
  bool has_up = true;  ///< Channels to greater coordinates, modulo the extent.
  bool has_down = true;
  Way own = Way::line;  ///< For packets that name no direction.

  bool can_tie() const { return wraps && has_up && has_down && extent % 2 == 0; }
  std::uint32_t tie_bit() const { return std::uint32_t{1} << dimension; }

  bool allows(Direction direction) const {
    if (!wraps || direction == Direction::minimal) return true;
    return (direction == Direction::negative || has_up) &&
           (direction == Direction::positive || has_down);
  }
  /// Needs: the axis allows the direction
  Way way(Direction direction) const {
    if (!wraps || direction == Direction::mesh) return Way::line;
    if (direction == Direction::positive || !has_down) return Way::up;
    if (direction == Direction::negative || !has_up) return Way::down;
    return Way::shorter;
  }
};

/// Throws: ConfigError on the key "direction" when some ring has no channels in that direction.
void check_rings(const std::vector<Axis>& axes, Direction direction) {
  for (const Axis& axis : axes)
    if (!axis.allows(direction))
      throw ConfigError("direction",
                        fmt::format("the rings of dimension {} have {} channels only",
                                    axis.dimension, axis.has_up ? "positive" : "negative"),
                        fmt::format("use direction: minimal or direction: {}",
                                    axis.has_up ? "positive" : "negative"));
}

/// Throws: ConfigError on the key "direction" when packets are to move round rings in one
///   direction, and no dimension wraps.
void require_rings(const Grid& grid, Direction direction) {
  if (direction == Direction::mesh || direction == Direction::minimal) return;
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension)
    if (grid.wraps(dimension)) return;
  throw ConfigError("direction",
                    fmt::format("direction {} routes around rings; the topology has no rings",
                                direction == Direction::positive ? "positive" : "negative"),
                    "use direction: minimal, or topology.kind: torus");
}

Axis make_axis(const Topology& topology, int dimension) {
  const Grid& grid = *topology.grid();
  Axis axis{dimension, grid.extent(dimension)};
  axis.has_up = has_channels(topology, dimension, +1);
  axis.has_down = has_channels(topology, dimension, -1);
  axis.wraps = grid.wraps(dimension) && grid.extent(dimension) > 1;
  if (axis.wraps ? !axis.has_up && !axis.has_down : !axis.has_up || !axis.has_down)
    throw ConfigError(
        "kind",
        fmt::format("dimension {} of the topology lacks channels between neighbours", dimension),
        "use kind: shortest_path");
  return axis;
}

/// Corrects one coordinate after the other, in a fixed order of the dimensions.
///
/// Where ties vary by packet, bit `dimension` of Header::choice is 0 for positive, 1 for negative.
/// Source: Dally & Seitz 1987 (rings with two classes of virtual channels); Tsai 1997, sections
///   3.1 and 4.1.
class DimensionOrder final : public RoutingFunction {
 public:
  DimensionOrder(const DimensionOrderParams& params, const Topology& topology)
      : topology_(topology), ties_(params.ties), vc_rule_(params.vc_rule) {
    const Grid* grid = topology.grid();
    if (!grid)
      throw ConfigError("kind", "dimension_order needs a grid; the topology has none",
                        "use kind: shortest_path");
    for (int dimension : axis_order(params.order, *grid))
      axes_.push_back(make_axis(topology, dimension));
    columns_.emplace(topology, axes_.back().dimension);
    check_direction(params.direction);
    for (Axis& axis : axes_) axis.own = axis.way(params.direction);
    for (int node = 0; node < topology.nodes(); ++node)
      for (const Axis& axis : axes_)
        coordinates_.push_back(grid->coordinate(NodeId(node), axis.dimension));
    for (const Axis& axis : axes_) {
      if (axis.wraps && vc_rule_ != VcRule::none) classes_ = 2;
      if (axis.can_tie()) tie_bits_ |= axis.tie_bit();
    }
    if (params.ties == Ties::negative) flipped_ = tie_bits_;
  }

  // [route]
  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    const int* at = coordinates_of(here);
    const int* to = coordinates_of(header.destination);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (at[i] == to[i]) continue;
      const Axis& axis = axes_[i];
      const Axis::Way way = header.direction ? axis.way(*header.direction) : axis.own;
      const int step = step_along(axis, way, at[i], to[i], header.choice ^ flipped_);
      const int vc_class = way == Axis::Way::line ? 0 : class_on(axis, step, at[i], to[i], arrival);
      return route.forward(Grid::port(axis.dimension, step), vc_class);
    }
    route.deliver();
  }
  // [route]

  int vc_classes() const override { return classes_; }
  const Columns* columns() const override { return &*columns_; }
  const StopOrder* stop_order() const override { return &*columns_; }
  void check_direction(Direction direction) const final {
    require_rings(*topology_.grid(), direction);
    check_rings(axes_, direction);
  }

  std::uint32_t choose(NodeId source, NodeId /*destination*/, Random& random) const override {
    if (fixed_ties()) return 0;
    if (ties_ == Ties::random) return static_cast<std::uint32_t>(random.bits()) & tie_bits_;
    return choice_by_parity(source);
  }

  // Each turn depends on the ties of at most two dimensions, so with random ties it is sufficient
  // that every two dimensions have all four combinations: about 2 log2(dimensions) patterns.
  std::vector<std::uint32_t> all_choices() const override {
    if (fixed_ties()) return {0};
    std::vector<std::uint32_t> choices{0, tie_bits_};
    if (ties_ == Ties::source_parity) return choices;
    for (std::size_t bit = 0; (axes_.size() - 1) >> bit != 0; ++bit) {
      std::uint32_t pattern = 0;
      for (std::size_t i = 0; i < axes_.size(); ++i)
        if ((i >> bit & 1) != 0) pattern |= axes_[i].tie_bit();
      choices.push_back(pattern & tie_bits_);
      choices.push_back(~pattern & tie_bits_);
    }
    std::sort(choices.begin(), choices.end());
    choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
    return choices;
  }

  // The route in one dimension does not depend on the others. Where sources choose by the sum of
  // their coordinates, those in another dimension make it even or odd.
  FollowedPackets followed(std::uint32_t /*choice*/) const override {
    const auto moving =
        std::count_if(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.extent > 1; });
    if (ties_ == Ties::source_parity && !fixed_ties() && moving < 2) return {};
    const auto last = std::find_if(axes_.rbegin(), axes_.rend(),
                                   [](const Axis& axis) { return axis.extent > 1; });
    if (last == axes_.rend()) return {};
    return {{}, landmarks(*topology_.grid(), last->dimension)};
  }
  // A packet that arrives on class 0 takes the same class as one that enters a ring, except where
  // the class stays.
  int arrival_case(NodeId /*here*/, const Arrival& arrival) const override {
    if (classes_ == 1 || vc_rule_ == VcRule::remaining_wrap || arrival.injected()) return 0;
    if (vc_rule_ == VcRule::after_crossing && arrival.vc_class == 0) return 0;
    return 1 + 2 * Grid::port_dimension(arrival.port) + arrival.vc_class;
  }
  bool mirrors() const override { return true; }

  bool may_choose(NodeId source, std::uint32_t choice) const override {
    return ties_ != Ties::source_parity || fixed_ties() || choice == choice_by_parity(source);
  }

 private:
  std::uint32_t choice_by_parity(NodeId source) const {
    const int* at = coordinates_of(source);
    return std::accumulate(at, at + axes_.size(), 0) % 2 == 0 ? 0 : tie_bits_;
  }

  bool fixed_ties() const {
    return ties_ == Ties::positive || ties_ == Ties::negative || tie_bits_ == 0;
  }

  const int* coordinates_of(NodeId node) const {
    return coordinates_.data() + node.index() * axes_.size();
  }

  static int step_along(const Axis& axis, Axis::Way way, int at, int to, std::uint32_t choice) {
    switch (way) {
      case Axis::Way::line:
        return to > at ? +1 : -1;
      case Axis::Way::up:
        return +1;
      case Axis::Way::down:
        return -1;
      case Axis::Way::shorter:
        break;
    }
    const int upwards = to > at ? to - at : to - at + axis.extent;
    const int twice = 2 * upwards;
    if (twice == axis.extent) return (choice & axis.tie_bit()) == 0 ? +1 : -1;
    return twice < axis.extent ? +1 : -1;
  }

  int class_on(const Axis& axis, int step, int at, int to, const Arrival& arrival) const {
    const bool wrap_ahead = step > 0 ? to < at : to > at;
    const bool same_ring =
        !arrival.injected() && Grid::port_dimension(arrival.port) == axis.dimension;
    switch (vc_rule_) {
      case VcRule::remaining_wrap:
        return wrap_ahead ? 1 : 0;
      case VcRule::after_crossing: {
        const bool wrap_now = at == (step > 0 ? axis.extent - 1 : 0);
        return wrap_now || (same_ring && arrival.vc_class == 1) ? 1 : 0;
      }
      case VcRule::at_ring_entry:
        return same_ring ? arrival.vc_class : (wrap_ahead ? 1 : 0);
      case VcRule::none:
        break;
    }
    return 0;
  }

  const Topology& topology_;
  Ties ties_;
  VcRule vc_rule_;
  int classes_ = 1;
  std::uint32_t tie_bits_ = 0;  // the dimensions in which ties can happen
  std::uint32_t flipped_ = 0;   // the dimensions in which choice 0 means negative
  std::vector<Axis> axes_;      // in the order of travel
  std::optional<Columns> columns_;
  std::vector<int> coordinates_;  // Shape: [nodes][axes], in the order of travel
};

}  // namespace

void register_dimension_order(Routings& routings) {
  using P = DimensionOrderParams;
  routings.add(
      "dimension_order",
      {"corrects one coordinate after the other; XY on a mesh, e-cube on a hypercube",
       "Dally & Seitz 1987; Tsai 1997, section 3.1"},
      Schema<P>{}
          .optional("order", &P::order,
                    "dimensions in order of travel, e.g. [1, 0] for y first; empty: 0, 1, 2, ...")
          .optional("direction", &P::direction,
                    "direction round a ring: no wrap channel, as on a mesh; the shorter direction; "
                    "or always the same")
          .optional("ties", &P::ties,
                    "direction when both are equally long; source_parity: positive from sources "
                    "whose coordinates have an even sum, else negative")
          .optional("vc_rule", &P::vc_rule,
                    "class of virtual channels in a ring: 1 while the wrap channel is still ahead, "
                    "1 on and after the wrap channel, 1 from entry if the wrap channel will be "
                    "crossed, or one class only, which can deadlock"),
      [](const P& params, const Topology& topology) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<DimensionOrder>(params, topology);
      });
}

}  // namespace flitwave
