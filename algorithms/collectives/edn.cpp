// algorithms/collectives/edn.cpp: operations over extended dominating nodes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/edn/search.hpp"
#include "algorithms/edn/shapes.hpp"
#include "algorithms/edn/travel_order.hpp"
#include "algorithms/spanning_tree.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

struct EdnParams {};  // none: the grid determines the steps

/// Links of one step: each parent's farthest child first, then by x, then by y, and so on.
void sort_sends(std::vector<EdsLink>& links, const Grid& grid) {
  std::sort(links.begin(), links.end(), [&](const EdsLink& a, const EdsLink& b) {
    if (a.parent != b.parent) return a.parent < b.parent;
    const int far_a = grid.distance(a.parent, a.child);
    const int far_b = grid.distance(b.parent, b.child);
    if (far_a != far_b) return far_a > far_b;
    return grid.coordinates(a.child) < grid.coordinates(b.child);
  });
}

SpanningTree tree_over(EdnSteps steps, NodeId root, const Grid& grid) {
  SpanningTree tree{root, {}};
  int step = 0;
  for (std::vector<EdsLink>& links : steps) {
    ++step;
    sort_sends(links, grid);
    for (const EdsLink& link : links) tree.links.push_back({link.parent, link.child, step});
  }
  return tree;
}

/// The steps of the plan for the shape of the network, see edn/shapes.hpp.
SpanningTree planned_tree(NodeId root, const TravelOrder& order) {
  const CollectiveContext& network = order.planned();
  const EdnShape& shape = edn_shape_of(network, order.actual().topology);
  const NodeId planned = order.planned(root);
  SpanningTree tree = tree_over(shape.plan(planned, network), planned, *network.topology.grid());
  for (TreeLink& link : tree.links)
    link = {order.actual(link.parent), order.actual(link.child), link.step};
  tree.root = root;
  return tree;
}

/// Whether no two links of a step share a channel.
bool disjoint(const SpanningTree& tree, const RouteOf& routes) {
  std::map<int, std::vector<EdsLink>> steps;
  for (const TreeLink& link : tree.links) steps[link.step].push_back({link.parent, link.child});
  return std::none_of(steps.begin(), steps.end(),
                      [&](const auto& step) { return find_conflict(step.second, routes); });
}

/// The tree, or a tree over searched levels where the network corrects dimensions in an order for
/// which links of the tree share channels. No search is possible where routes are random or the
/// network is too large.
SpanningTree fitted_tree(SpanningTree tree, const CollectiveContext& network,
                         const RouteOf& routes) {
  const bool drawn = network.routing.all_choices().size() > 1;
  if (drawn || !search_covers(network.topology) || disjoint(tree, routes)) return tree;
  return tree_over(search_steps(tree.root, network, routes), tree.root, *network.topology.grid());
}

SpanningTree broadcast_tree(NodeId root, const TravelOrder& order,
                            const CollectiveContext& network) {
  return fitted_tree(planned_tree(root, order), network,
                     routes_of(network.routing, network.topology));
}

/// Turns a square grid so that a route that corrects the first dimension first becomes one that
/// corrects it last: dimensions in reverse order, the first one mirrored; on a torus all are
/// mirrored, since its ties take the positive side.
class Turn {
 public:
  explicit Turn(const Grid& grid) : grid_(grid) {}

  NodeId forward(NodeId node) const {
    Coordinates turned = grid_.coordinates(node);
    std::reverse(turned.begin(), turned.end());
    mirror(turned);
    return grid_.node(turned);
  }
  NodeId back(NodeId node) const {
    Coordinates turned = grid_.coordinates(node);
    mirror(turned);
    std::reverse(turned.begin(), turned.end());
    return grid_.node(turned);
  }

 private:
  void mirror(Coordinates& point) const {
    for (int dimension = 0; dimension < grid_.dimensions(); ++dimension)
      if (dimension == 0 || grid_.wraps(dimension)) {
        int& place = point[index(dimension)];
        place = grid_.extent(dimension) - 1 - place;
      }
  }

  const Grid& grid_;
};

/// The tree in whose reverse direction data move up: the broadcast tree from the turned root,
/// turned. Its links share no channel when reversed, which does not hold for those of the broadcast
/// tree itself.
SpanningTree turned_tree(NodeId root, const TravelOrder& order, const CollectiveContext& network) {
  const Grid& grid = *network.topology.grid();
  std::vector<int> turned = grid.extents();
  std::reverse(turned.begin(), turned.end());
  if (turned != grid.extents())
    throw ConfigError(
        "kind",
        "edn gathers and combines only on grids that are the same when they are turned, "
        "e.g. square ones",
        "change topology.shape, or use kind: recursive_doubling");
  const Turn turn(grid);
  SpanningTree tree = planned_tree(turn.back(root), order);
  for (TreeLink& link : tree.links)
    link = {turn.forward(link.parent), turn.forward(link.child), link.step};
  tree.root = root;
  const RouteOf routes = routes_of(network.routing, network.topology);
  return fitted_tree(std::move(tree), network,
                     [&](NodeId parent, NodeId child) { return routes(child, parent); });
}

NodeId middle_of(const Grid& grid) {
  Coordinates middle;
  for (int extent : grid.extents()) middle.push_back(extent / 2);
  return grid.node(middle);
}

std::optional<CostFormula> broadcast_formula(const Grid* grid) {
  if (const auto n = mesh_2d_exponent(grid); n && *n >= 2)
    return CostFormula{edn(*n), "Tsai 1997, table 5.3"};
  if (const auto d = torus_2d_exponent(grid); d && *d >= 2)
    return CostFormula{torus_edn(*d), "Tsai 1997, equation 4.1"};
  if (const auto exponents = mesh_3d_exponents(grid, 3))
    return CostFormula{mesh_3d_edn(exponents->k, exponents->m), "Tsai 1997, section 3.4.4"};
  return std::nullopt;
}

std::optional<CostFormula> reduction_formula(const Grid* grid) {
  if (const auto n = mesh_2d_exponent(grid); n && *n >= 2)
    return CostFormula{edn_reduction(*n), "the broadcast of Tsai 1997, table 5.3, backwards"};
  return std::nullopt;
}

/// Down the plan for the shape of the network; up the plan of the turned network.
///
/// Serves: broadcast and scatter on meshes and tori of up to three dimensions; gather, reduce and
///   operations composed of them (all-gather, all-reduce, barrier, reduce-scatter) where the shape
///   is the same when its dimensions are reversed; multicasts to all other nodes, each as a
///   broadcast of its own, which may contend with others. A parent leaves the source out.
/// Steps: k + 3 on a square mesh of width 4 * 2^k, k + 3 or k + 4 for 5, 6 or 7 times 2^k (Tsai
///   1997, tables 3.1 to 3.4, 3.6 and 3.7); k + m + 4 on 3D meshes (table 3.5); d on tori of width
///   2^d (corollary 2), more with depth (theorem 3). For other shapes as many as our search finds.
/// Contention: none within a step, under routing that corrects x, then y, then z, or in reverse
///   order. Under any other routing without random choices levels are searched for, up to 4096
///   nodes.
/// Throws: ConfigError for any other demand or topology, and for fewer ports than it needs.
/// Source: Tsai 1997, sections 3.3, 3.4, 3.5, 4.2 and 4.3
Schedule serve_by_edn(const EdnParams&, const Demand& demand, const CollectiveContext& network) {
  const Grid* grid = network.topology.grid();
  if (!grid) edn_shape_of(network, network.topology);  // throws
  const TravelOrder order(network);
  edn_shape_of(order.planned(), network.topology);
  const char* uncontended =
      "dimension_order from the first dimension to the last, or in reverse order, with positive "
      "ties";
  if (demand.released()) {
    if (!are_broadcasts(demand, network.topology.nodes()))
      throw ConfigError("kind",
                        fmt::format("edn serves multicasts to all {} other nodes only; these have "
                                    "fewer destinations",
                                    network.topology.nodes() - 1),
                        "set operation.destinations to that number, or use kind: partitioned");
    Schedule each = broadcast_each(
        demand, [&](NodeId root) { return broadcast_tree(root, order, network); },
        network.topology.nodes());
    each.promise_no_contention(uncontended);
    return each;
  }
  const DemandShape shape = DemandShape::of(demand, network.topology);
  require_one_of(served_by_trees(), shape, demand, "edn");
  const TreeMaker trees{[&](NodeId root) { return broadcast_tree(root, order, network); },
                        [&](NodeId root) { return turned_tree(root, order, network); }};
  Schedule schedule = serve_by_trees(demand, shape, trees, middle_of(*grid), network.topology);
  schedule.promise_no_contention(uncontended);
  const Grid* planned = order.planned().topology.grid();
  if (shape.operation == Operation::broadcast) schedule.set_formula(broadcast_formula(planned));
  if (shape.operation == Operation::reduce) schedule.set_formula(reduction_formula(planned));
  return schedule;
}

}  // namespace

void register_edn(Collectives& collectives) {
  collectives.add(
      "edn",
      {"operations over extended dominating nodes, close to the lower bound in steps on "
       "meshes and tori",
       "Tsai 1997, chapters 3 and 4; other shapes by a search of ours"},
      Schema<EdnParams>{}, serve_by_edn);
}

}  // namespace flitwave
