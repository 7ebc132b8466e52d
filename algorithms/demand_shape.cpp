// algorithms/demand_shape.cpp: see demand_shape.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/demand_shape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// Distinguishes the shapes.
class Recogniser {
 public:
  Recogniser(const Demand& demand, const Topology& topology)
      : deliveries_(demand.deliveries), topology_(topology), nodes_(index(topology.nodes())) {}

  DemandShape recognise(Operation preferred) {
    DemandShape shape;
    if (deliveries_.empty()) return shape;
    if (preferred == Operation::complete_exchange && pairs(shape)) return shape;
    if (deliveries_.size() == 1 && one(shape)) return shape;
    if (blocks(shape) || pairs(shape) || transposed(shape)) return shape;
    return DemandShape{};
  }

 private:
  bool all(const std::vector<NodeId>& nodes) const { return nodes.size() == nodes_; }
  bool all_others(const std::vector<NodeId>& nodes) const { return nodes.size() + 1 == nodes_; }
  bool one_size() const {
    return std::all_of(deliveries_.begin(), deliveries_.end(), [&](const Delivery& delivery) {
      return delivery.size == deliveries_.front().size && delivery.wanted == Delivery::Wanted::all;
    });
  }

  /// Shapes with one delivery.
  bool one(DemandShape& shape) const {
    const Delivery& delivery = deliveries_.front();
    const bool prefix = delivery.wanted == Delivery::Wanted::prefix;
    if (!delivery.combines() && all_others(delivery.destinations)) {
      shape.operation = Operation::broadcast;
      shape.root = delivery.source();
    } else if (all(delivery.sources) && all(delivery.destinations)) {
      shape.operation = prefix ? Operation::scan : Operation::all_reduce;
    } else if (all(delivery.sources) && delivery.destinations.size() == 1 && !prefix) {
      shape.operation = Operation::reduce;
      shape.root = delivery.destinations.front();
    }
    return shape.operation != Operation::other;
  }

  /// Shapes with a delivery for each node, or for each but the root.
  bool blocks(DemandShape& shape) const {
    if (deliveries_.size() > nodes_ || !one_size()) return false;
    const Delivery& first = deliveries_.front();
    const bool own = !first.combines() && all_others(first.destinations);
    const auto of_source = [](const Delivery& d) { return d.source(); };
    const auto of_destination = [](const Delivery& d) { return d.destinations.front(); };
    if (deliveries_.size() == nodes_ && own && number(shape, of_source, [&](const Delivery& d) {
          return !d.combines() && all_others(d.destinations);
        })) {
      shape.operation = Operation::all_gather;
    } else if (deliveries_.size() == nodes_ && all(first.sources) &&
               number(shape, of_destination, [&](const Delivery& d) {
                 return all(d.sources) && d.destinations.size() == 1;
               })) {
      shape.operation = Operation::reduce_scatter;
    } else if (deliveries_.size() + 1 == nodes_ && !first.combines() &&
               first.destinations.size() == 1) {
      rooted(shape, of_source, of_destination);
    }
    return shape.operation != Operation::other;
  }

  template <class OfSource, class OfDestination>
  void rooted(DemandShape& shape, OfSource of_source, OfDestination of_destination) const {
    const NodeId source = deliveries_.front().source();
    const NodeId destination = deliveries_.front().destinations.front();
    if (number(shape, of_destination, [&](const Delivery& d) {
          return !d.combines() && d.source() == source && d.destinations.size() == 1;
        })) {
      shape.operation = Operation::scatter;
      shape.root = source;
    } else if (number(shape, of_source, [&](const Delivery& d) {
                 return !d.combines() && d.destinations.size() == 1 &&
                        d.destinations.front() == destination;
               })) {
      shape.operation = Operation::gather;
      shape.root = destination;
    }
  }

  /// Maps each delivery's node to the delivery. Returns: whether all are `right`, no node twice.
  template <class NodeOf, class Right>
  bool number(DemandShape& shape, NodeOf node_of, Right right) const {
    shape.block.assign(nodes_, -1);
    for (std::size_t i = 0; i < deliveries_.size(); ++i) {
      if (!right(deliveries_[i])) return false;
      int& place = shape.block[node_of(deliveries_[i]).index()];
      if (place >= 0) return false;
      place = static_cast<int>(i);
    }
    return true;
  }

  /// Shapes with a delivery for each pair of nodes, by source, then by destination.
  bool pairs(DemandShape& shape) const {
    if (nodes_ < 2 || deliveries_.size() != nodes_ * (nodes_ - 1) || !one_size()) return false;
    shape.operation = Operation::complete_exchange;
    shape.block.assign(nodes_, 0);
    for (std::size_t i = 0; i < deliveries_.size(); ++i) {
      const std::size_t source = i / (nodes_ - 1);
      const std::size_t place = i % (nodes_ - 1);
      const std::size_t destination = place < source ? place : place + 1;
      const Delivery& delivery = deliveries_[i];
      if (delivery.combines() || delivery.source().index() != source ||
          delivery.destinations.size() != 1 || delivery.destinations[0].index() != destination) {
        shape = DemandShape{};
        return false;
      }
    }
    return true;
  }

  bool transposed(DemandShape& shape) const {
    const Grid* grid = topology_.grid();
    if (!grid || grid->dimensions() != 2 || grid->extent(0) != grid->extent(1) || !one_size())
      return false;
    shape.block.assign(nodes_, -1);
    const auto extent = index(grid->extent(0));
    if (deliveries_.size() != extent * (extent - 1)) return false;
    if (!number(
            shape, [](const Delivery& d) { return d.source(); },
            [&](const Delivery& d) {
              return !d.combines() && d.destinations.size() == 1 &&
                     d.destinations[0] == grid->node({grid->coordinate(d.source(), 1),
                                                      grid->coordinate(d.source(), 0)});
            }))
      return false;
    shape.operation = Operation::transpose;
    return true;
  }

  const std::vector<Delivery>& deliveries_;
  const Topology& topology_;
  std::size_t nodes_;
};

}  // namespace

std::vector<std::string> names_of(Operation) {
  return {"broadcast",         "scatter",    "gather",         "reduce",
          "all_gather",        "all_reduce", "reduce_scatter", "scan",
          "complete_exchange", "transpose",  "other"};
}

DemandShape DemandShape::of(const Demand& demand, const Topology& topology, Operation preferred) {
  if (demand.deliveries.size() > 1 && demand.released()) return DemandShape{};
  return Recogniser(demand, topology).recognise(preferred);
}

int DemandShape::between(NodeId from, NodeId to) const {
  const int nodes = static_cast<int>(block.size());
  return from.value() * (nodes - 1) + to.value() - (from < to ? 1 : 0);
}

void require_one_of(const std::vector<Operation>& served, const DemandShape& shape,
                    const Demand& demand, const std::string& collective) {
  if (std::find(served.begin(), served.end(), shape.operation) != served.end()) return;
  const std::vector<std::string> names = names_of(Operation{});
  std::vector<std::string> kinds;
  for (const Operation operation : served) kinds.push_back(names[index(operation)]);
  throw ConfigError(
      "kind", fmt::format("{} does not serve this operation, {}", collective, demand.operation),
      "use another algorithm (`flitwave list algorithm`), or operation.kind: " +
          detail::either(kinds));
}

void require_no_combining(const Demand& demand, const std::string& collective) {
  for (const Delivery& delivery : demand.deliveries)
    if (delivery.combines())
      throw ConfigError(
          "kind",
          fmt::format("{} combines nothing; the operation is {}", collective, demand.operation),
          delivery.wanted == Delivery::Wanted::prefix
              ? "use another algorithm, e.g. kind: ring or shifts"
              : "use another algorithm, e.g. kind: recursive_doubling");
}

}  // namespace flitwave
