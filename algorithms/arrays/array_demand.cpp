// algorithms/arrays/array_demand.cpp: see array_demand.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_demand.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "algorithms/routing.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// One dimension of a side, from 0; a dimension that the job does not specify has one row.
/// Throws: ConfigError on `key`.
BlockSection axis_of(const ArraySide& side, const std::string& key, std::size_t dimension) {
  const std::size_t written = side.section.size();
  if (written < 1 || written > 2 || side.block.size() != written)
    throw ConfigError(key, "a section and a block are needed for each of one or two dimensions",
                      "write e.g. {section: [0:15, 0:7], block: [4, 2]}");
  const std::size_t missing = 2 - written;
  if (dimension < missing) return {Section{0, 0, 1}, 1};
  const std::size_t at = dimension - missing;
  const auto item = [&](const std::vector<int>& list, const char* name, int standard) {
    if (list.empty()) return standard;
    if (list.size() != written)
      throw ConfigError(key + "." + name, "a number is needed for each dimension of the section",
                        fmt::format("write {}", written == 1 ? "one" : "two"));
    return list[at];
  };
  const Section section =
      on_template(side.section[at], item(side.template_offset, "template_offset", 0),
                  item(side.template_stride, "template_stride", 1));
  const BlockSection axis{section, side.block[at]};
  const int processors = item(side.processors, "processors", 0);
  const std::int64_t last = section.element(section.elements() - 1);
  if (processors > 0 && last >= processors * axis.block)
    throw ConfigError(key,
                      fmt::format("{} blocks of {} elements do not cover element {}", processors,
                                  axis.block, last),
                      "use more processors, or longer blocks");
  return axis;
}

AxisTransfer axis_transfer(const ArraySide& source, const ArraySide& destination,
                           std::size_t dimension) {
  const BlockSection from = axis_of(source, "source", dimension);
  const BlockSection to = axis_of(destination, "destination", dimension);
  try {
    return {from, to};
  } catch (const ConfigError& error) {
    if (error.key().find('.') != std::string::npos) throw;  // the key names the side
    const bool source_alone = error.key() == "block" && from.block < from.section.stride;
    throw ConfigError(source_alone ? "source" : "destination", error.problem(), error.remedy());
  }
}

/// Whether the route between two nodes follows one dimension first.
bool goes_first_along(int dimension, const CollectiveContext& network, NodeId from, NodeId to) {
  const auto route = path(network.routing, network.topology, {from, to, 0});
  const NodeId next = network.topology.channel(route.front()).to;
  const Grid& grid = *network.topology.grid();
  return grid.coordinate(next, dimension) != grid.coordinate(from, dimension);
}

/// Deliveries by the messages of both dimensions that they consist of.
class DeliveryTable {
 public:
  explicit DeliveryTable(const ArrayDemand& array)
      : rows_(ends_of(array.assignment.rows)), columns_(ends_of(array.assignment.columns)) {
    deliveries_.assign(rows_.size() * columns_.size(), -1);
    for (std::size_t i = 0; i < array.blocks.size(); ++i)
      deliveries_[place(rows_, array.blocks[i].rows.last) * columns_.size() +
                  place(columns_, array.blocks[i].columns.last)] = static_cast<int>(i);
  }

  /// The deliveries in a block, ascending by row, then column.
  /// Throws: ModelError when the block cuts a delivery.
  Pieces in(const IndexBlock& block) const {
    const auto [first_row, end_row] = span(rows_, block.rows);
    const auto [first_column, end_column] = span(columns_, block.columns);
    Pieces pieces;
    for (std::size_t row = first_row; row < end_row; ++row)
      for (std::size_t column = first_column; column < end_column; ++column) {
        const int delivery = deliveries_[row * columns_.size() + column];
        if (delivery >= 0) pieces.push_back(delivery);
      }
    return pieces;
  }

 private:
  /// The last index of each message of a dimension.
  static std::vector<std::int64_t> ends_of(const AxisTransfer& axis) {
    std::vector<std::int64_t> ends;
    for (const AxisMessage& message : axis.messages()) ends.push_back(message.indices.last);
    return ends;
  }

  static std::size_t place(const std::vector<std::int64_t>& ends, std::int64_t last) {
    const auto found = std::lower_bound(ends.begin(), ends.end(), last);
    if (found == ends.end() || *found != last)
      throw ModelError("a message of an array schedule cuts what one node sends another");
    return index(found - ends.begin());
  }

  static std::pair<std::size_t, std::size_t> span(const std::vector<std::int64_t>& ends,
                                                  IndexRange range) {
    const std::size_t first = range.first == 0 ? 0 : place(ends, range.first - 1) + 1;
    return {first, place(ends, range.last) + 1};
  }

  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> columns_;
  std::vector<int> deliveries_;  // -1: it stays at its node. Shape: [rows_][columns_]
};

}  // namespace

MeshPlace ArrayDemand::source(std::int64_t row, std::int64_t column) const {
  return assignment.source(assignment.rows.source_of(row), assignment.columns.source_of(column));
}

MeshPlace ArrayDemand::destination(std::int64_t row, std::int64_t column) const {
  return assignment.destination(assignment.rows.destination_of(row),
                                assignment.columns.destination_of(column));
}

std::int64_t ArrayDemand::value(std::int64_t row, std::int64_t column) const {
  const Section& of_rows = assignment.rows.source().section;
  const Section& of_columns = assignment.columns.source().section;
  return of_rows.element(row) * (of_columns.upper + 1) + of_columns.element(column);
}

const Grid& array_mesh(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || grid->dimensions() != 2 || grid->wraps(0) || grid->wraps(1))
    throw ConfigError("kind", "array assignments need a two-dimensional mesh",
                      "use topology: {kind: mesh, shape: [columns, rows]}");
  return *grid;
}

void check_within_mesh(int rows, int columns, const Grid& mesh, const std::string& key,
                       const std::string& subject, const std::string& otherwise) {
  if (columns <= mesh.extent(0) && rows <= mesh.extent(1)) return;
  throw ConfigError(
      key,
      fmt::format("{}{} rows and {} columns of processors; the mesh has {} rows and {} columns",
                  subject, rows, columns, mesh.extent(1), mesh.extent(0)),
      fmt::format("use topology.shape: [{}, {}] or more{}", columns, rows, otherwise));
}

NodeId node_at(const Topology& topology, MeshPlace place) {
  return topology.grid()->node({place.column, place.row});
}

MeshPlace place_of(const Topology& topology, NodeId node) {
  return {topology.grid()->coordinate(node, 1), topology.grid()->coordinate(node, 0)};
}

ArrayAssignment assignment_of(const ArraySide& source, const ArraySide& destination,
                              Alignment alignment) {
  if (source.section.size() != destination.section.size())
    throw ConfigError("destination",
                      fmt::format("a section of {} dimensions is assigned to one of {}",
                                  source.section.size(), destination.section.size()),
                      "use as many dimensions on both sides");
  return {axis_transfer(source, destination, 0), axis_transfer(source, destination, 1), alignment,
          RouteOrder::row_first};
}

Demand array_demand(const std::string& operation, const ArrayAssignment& assignment, Bytes element,
                    const Topology& topology) {
  check_within_mesh(assignment.mesh_rows(), assignment.mesh_columns(), array_mesh(topology), "kind",
                    "the sections span ", ", or longer blocks");
  auto array = std::make_shared<ArrayDemand>(assignment, element);
  Demand demand{operation, {}};
  for (const ArrayMessage& message : assignment.messages()) {
    if (message.from == message.to) continue;
    demand.deliveries.push_back({node_at(topology, message.from),
                                 {node_at(topology, message.to)},
                                 message_size(message.block.elements(), element)});
    array->blocks.push_back(message.block);
  }
  demand.moved = array;
  demand.array = std::move(array);
  return demand;
}

ArrayAssignment array_assignment_of(const Demand& demand, const CollectiveContext& network) {
  if (!demand.array)
    throw ConfigError(
        "kind",
        "this algorithm schedules array assignments only; the operation is " + demand.operation,
        "use operation: {kind: array_assignment} or redistribute, or another "
        "algorithm");
  ArrayAssignment assignment = demand.array->assignment;
  assignment.order = route_order(network);
  return assignment;
}

RouteOrder route_order(const CollectiveContext& network) {
  const Grid& grid = array_mesh(network.topology);
  if (grid.extent(0) < 2 || grid.extent(1) < 2) return RouteOrder::row_first;
  const NodeId low = grid.node({0, 0});
  const NodeId high = grid.node({grid.extent(0) - 1, grid.extent(1) - 1});
  const bool along_rows = goes_first_along(0, network, low, high);
  if (along_rows != goes_first_along(0, network, high, low))
    throw ConfigError("kind",
                      "routes follow rows first from some nodes, and columns first "
                      "from others",
                      "use routing: {kind: dimension_order}");
  return along_rows ? RouteOrder::row_first : RouteOrder::column_first;
}

Bytes message_size(std::int64_t elements, Bytes element) {
  Bytes size;
  if (__builtin_mul_overflow(elements, element.count, &size.count))
    throw ConfigError("element",
                      fmt::format("{} elements of {} are longer than a message can be, {}",
                                  elements, to_string(element), to_string(Bytes{INT64_MAX})),
                      "use smaller elements, or shorter blocks");
  return size;
}

std::vector<SlotGroup> slot_groups(const std::vector<ArraySlots>& slots, Bytes element) {
  std::vector<SlotGroup> groups;
  for (const ArraySlots& of : slots)
    groups.push_back({of.slots, message_size(of.elements, element)});
  return groups;
}

Schedule schedule_of(const ArraySchedule& array, const Demand& demand,
                     const CollectiveContext& network) {
  Schedule schedule(demand, Pace::stepped);
  const DeliveryTable table(*demand.array);
  for (const ArraySend& send : array.sends()) {
    const NodeId from = node_at(network.topology, send.from);
    const NodeId to = node_at(network.topology, send.to);
    Pieces pieces = table.in(send.block);
    pieces.erase(std::remove_if(pieces.begin(), pieces.end(),
                                [&](int piece) { return schedule.holders(piece).find(to); }),
                 pieces.end());
    if (!pieces.empty())
      schedule.send(std::move(pieces), from, to, array.step(send.phase, send.slot));
  }
  schedule.set_steps(array.steps());
  const Bytes element = demand.array->element;
  const ScheduleSlots slots = slots_of(array);
  ScheduleLengths lengths;
  lengths.idle = slot_groups(slots.idle, element);
  lengths.whole = slot_groups(slots.busy, element);
  lengths.whole.insert(lengths.whole.end(), lengths.idle.begin(), lengths.idle.end());
  schedule.set_lengths(std::move(lengths));
  schedule.promise_no_contention("dimension_order");
  schedule.allow_strangers();  // a gather may move data that its sender needs as well
  return schedule;
}

}  // namespace flitwave
