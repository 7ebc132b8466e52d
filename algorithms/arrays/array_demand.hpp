// algorithms/arrays/array_demand.hpp: an array assignment as a demand, and its schedules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/arrays/sections/array_schedule.hpp"
#include "algorithms/arrays/sections/moved_array.hpp"
#include "algorithms/arrays/sections/schedule_time.hpp"
#include "algorithms/demand.hpp"
#include "algorithms/schedule.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// One side of an array assignment as written in a job. Shape of the lists: [1 or 2], rows first;
/// an array of one dimension is stored in the first row of processors.
struct ArraySide {
  std::vector<Section> section;
  std::vector<int> block;
  std::vector<int> processors;       ///< Empty: as many as the section needs.
  std::vector<int> template_offset;  ///< Empty: none.
  std::vector<int> template_stride;  ///< Empty: none.
};

/// The array elements, in blocks, that the deliveries of a demand carry.
struct ArrayDemand final : MovedArray {
  ArrayDemand(const ArrayAssignment& of, Bytes element_size)
      : assignment(of), element(element_size) {}

  std::int64_t rows() const override { return assignment.rows.elements(); }
  std::int64_t columns() const override { return assignment.columns.elements(); }
  MeshPlace source(std::int64_t row, std::int64_t column) const override;
  MeshPlace destination(std::int64_t row, std::int64_t column) const override;
  std::int64_t value(std::int64_t row, std::int64_t column) const override;
  int deliveries() const override { return static_cast<int>(blocks.size()); }
  std::vector<IndexBlock> blocks_of(int delivery) const override {
    return {blocks[index(delivery)]};
  }

  ArrayAssignment assignment;
  std::vector<IndexBlock> blocks;  ///< One for each delivery.
  Bytes element;
};

/// The grid of a topology that is a mesh of two dimensions.
/// Throws: ConfigError on the key `kind` for any other topology.
const Grid& array_mesh(const Topology& topology);

/// `subject`: what has so many rows and columns of processors, e.g. "the sections span ".
/// `otherwise`: what can be done beside using a larger mesh, e.g. ", or longer blocks".
/// Throws: ConfigError on `key` when they are beyond the mesh.
void check_within_mesh(int rows, int columns, const Grid& mesh, const std::string& key,
                       const std::string& subject = "", const std::string& otherwise = "");

/// The dimension that the messages of a network correct first.
/// Throws: ConfigError on the key `kind` when it is not the same for all nodes of a mesh.
RouteOrder route_order(const CollectiveContext& network);

/// The node of a mesh at a row and column of processors, and the reverse. Needs: a grid of two
/// dimensions.
NodeId node_at(const Topology& topology, MeshPlace place);
MeshPlace place_of(const Topology& topology, NodeId node);

/// The assignment from one side to the other.
/// Throws: ConfigError on the key of the side, `source` or `destination`.
ArrayAssignment assignment_of(const ArraySide& source, const ArraySide& destination,
                              Alignment alignment);

/// Each message between two nodes is one delivery; by sender, then receiver. Array (row, column) is
/// node [column, row].
/// Throws: ConfigError on the key `kind` when the topology is no mesh of two dimensions, and on
///   `destination` or `source` when its processors exceed the mesh.
Demand array_demand(const std::string& operation, const ArrayAssignment& assignment, Bytes element,
                    const Topology& topology);

/// The input of an array schedule: the assignment, and the order in which routes correct
/// dimensions.
/// Throws: ConfigError on the key `kind` when the demand is not of arrays, or the routing is not
///   dimension order of a mesh.
ArrayAssignment array_assignment_of(const Demand& demand, const CollectiveContext& network);

/// The transfers of an array schedule, by steps: one step for each of its slots, including idle
/// slots. A message carries all deliveries in its block that its receiver does not have yet.
/// Throws: ModelError when a message cuts a delivery, or its sender does not have all of it.
Schedule schedule_of(const ArraySchedule& array, const Demand& demand,
                     const CollectiveContext& network);

/// Throws: ConfigError on the key `element` when a message would be longer than allowed.
Bytes message_size(std::int64_t elements, Bytes element);

/// Converts slots of elements to slots of messages.
/// Throws: ConfigError as message_size.
std::vector<SlotGroup> slot_groups(const std::vector<ArraySlots>& slots, Bytes element);

}  // namespace flitwave
