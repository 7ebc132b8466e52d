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

/// One side of an array assignment, as a job writes it. Shape of the lists: [1 or 2], rows first;
/// of one dimension, the array is in the first row of processors.
struct ArraySide {
  std::vector<Section> section;
  std::vector<int> block;
  std::vector<int> processors;       ///< Empty: as many as the section needs.
  std::vector<int> template_offset;  ///< Empty: none.
  std::vector<int> template_stride;  ///< Empty: none.
};

/// What a demand stands for, of array elements in blocks.
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
  std::vector<IndexBlock> blocks;  ///< Of each delivery.
  Bytes element;
};

/// The mesh of two dimensions that a topology is.
/// Throws: ConfigError on the key `kind` for any other.
const Grid& array_mesh(const Topology& topology);

/// `subject`: what has so many rows and columns of processors, e.g. "the sections are on ".
/// `otherwise`: what can be done beside using a larger mesh, e.g. ", or longer blocks".
/// Throws: ConfigError on `key` when they are beyond the mesh.
void check_within_mesh(int rows, int columns, const Grid& mesh, const std::string& key,
                       const std::string& subject = "", const std::string& otherwise = "");

/// Which dimension the messages of a network correct first.
/// Throws: ConfigError on the key `kind` when that is not the same for all nodes of a mesh.
RouteOrder route_order(const CollectiveContext& network);

/// The node of a mesh at a row and column of processors, and the reverse. Needs: a grid of two
/// dimensions.
NodeId node_at(const Topology& topology, MeshPlace place);
MeshPlace place_of(const Topology& topology, NodeId node);

/// The assignment that both sides make.
/// Throws: ConfigError on the key of the side, `source` or `destination`.
ArrayAssignment assignment_of(const ArraySide& source, const ArraySide& destination,
                              Alignment alignment);

/// Each message between two nodes is one delivery; by sender, then receiver. Array (row, column) is
/// node [column, row].
/// Throws: ConfigError on the key `kind` when the topology is no mesh of two dimensions, and on
///   `destination` or `source` when its processors lie beyond it.
Demand array_demand(const std::string& operation, const ArrayAssignment& assignment, Bytes element,
                    const Topology& topology);

/// What an array schedule may be built from: the assignment, with the order in which routes correct
/// dimensions.
/// Throws: ConfigError on the key `kind` when the demand is of no array, or the routing no
/// dimension
///   order of a mesh.
ArrayAssignment array_assignment_of(const Demand& demand, const CollectiveContext& network);

/// The transfers of an array schedule, stepped: a step for each of its slots, idle ones too. A
/// message carries all deliveries in its block whose receiver has not got them.
/// Throws: ModelError when a message cuts a delivery, or its sender has not all of it.
Schedule schedule_of(const ArraySchedule& array, const Demand& demand,
                     const CollectiveContext& network);

/// Throws: ConfigError on the key `element` when it is longer than a message can be.
Bytes message_size(std::int64_t elements, Bytes element);

/// Slots of elements as slots of messages.
/// Throws: ConfigError as message_size.
std::vector<SlotGroup> slot_groups(const std::vector<ArraySlots>& slots, Bytes element);

}  // namespace flitwave
